package import Workers

extension Questions {
  /// The questions that a worker of this library answers.
  package static let all: [any Question.Type] =
    core + [
      ReadRequest.self, ShowRequest.self, TilingRequest.self, OpenRowsRequest.self, TileExportRequest.self,
      ThumbnailRequest.self, JudgeRequest.self, GenerationChainRequest.self, TimeFileRequest.self,
    ]
}

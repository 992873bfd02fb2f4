package import Workers

extension Questions {
  /// The questions that a worker of this library answers.
  package static let all: [any Question.Type] =
    core + [
      RouteQuestion.self, RoutePictureQuestion.self, TilingQuestion.self, OpenRowsQuestion.self,
      TileExportQuestion.self, OpenTilesQuestion.self, RewrapTilesQuestion.self, PackTilesQuestion.self,
      ThumbnailQuestion.self, JudgeQuestion.self, GenerationChainQuestion.self, TimeFileQuestion.self,
    ]
}

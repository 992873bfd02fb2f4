import CodecKit
import Model

// What a view is answered. The bytes that follow an answer are read only after their number has been believed.
extension ReplyCheck {
  /// The answer with clean texts, where so many bytes are to follow it.
  func checked(_ reply: ViewReply, bytes: Int, _ request: ViewRequest) throws(Lie) -> ViewReply {
    switch (request, reply) {
    case (.open, .opened(let picture)):
      return .opened(try checked(picture, bytes: bytes))
    case (.thumbnail(let side), .thumbnail(let width, let height, let route)):
      try require((1...side).contains(width) && (1...side).contains(height), "the thumbnail's size")
      try require(bytes == width * height * 4, "the number of its pixels")
      return .thumbnail(width: width, height: height, route: clean(route))
    case (.encode, .encoded(let sample)):
      try require((1...SourceFile.largestFile).contains(bytes), "the encoded size")
      try check([sample], repeats: 1...1)
      return reply
    case (.decode, .decoded(let sample)):
      try require((4...setup.limits.maximumPixels * 4).contains(bytes), "the number of its pixels")
      try check([sample], repeats: 1...1)
      return reply
    case (.score(let metrics), .scored(let scores)):
      try require(scores.allSatisfy { metrics.contains($0.key) && !$0.value.isNaN }, "a score")
      try require(bytes == 0, "what follows the scores")
      return reply
    case (_, .failed(let failure)):
      try require(bytes == 0, "what follows a failure")
      return .failed(clean(failure))
    default: throw Lie()
    }
  }

  private func checked(_ picture: OpenedPicture, bytes: Int) throws(Lie) -> OpenedPicture {
    let shape = picture.shape
    guard let samples = shape.sampleBytes, shape.width * shape.height <= setup.limits.maximumPixels else {
      throw Lie(detail: "the picture's size")
    }
    try require(bytes == samples + shape.width * shape.height * 4, "the number of its pixels")
    try require(
      Bound.side.contains(picture.header.width) && Bound.side.contains(picture.header.height),
      "the image's size")
    var picture = picture
    picture.header.format = clean(picture.header.format)
    picture.profile = clean(picture.profile)
    picture.steps = try clean(picture.steps)
    return picture
  }
}

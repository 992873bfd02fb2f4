import Model

// Two workers with different libraries share this work: one decodes the source and scores, the other encodes.

/// Writes the open image's pixels to the shared folder, for a build's worker.
struct HandOverQuestion: Question {
  func reply(in session: WorkerSession, _: [UInt8]) throws -> Done {
    guard let image = session.image else { throw Refusal.noImage }
    try SharedFiles(sharedBy: session.setup).write(image.raster)
    return Done()
  }

  func remarks(in _: Answer) -> [String: [String]] { [:] }
}

/// Opens the pixels that another worker has handed over, instead of a file of the corpus.
struct TakeQuestion: Question {
  var identity: ImageIdentity

  func reply(in session: WorkerSession, _: [UInt8]) throws -> Done {
    session.close()
    let record = ImageRecord(
      identity: identity, preparation: session.setup.preparation.canonicalSpelling, fileBytes: 0)
    session.image = OpenImage(
      identity: identity, raster: try SharedFiles(sharedBy: session.setup).pixels(), record: record)
    return Done()
  }

  func remarks(in _: Answer) -> [String: [String]] { [:] }
}

/// Scores a file that a build's worker has encoded against the open image. The answer has its hash and scores.
struct EncodedScoreQuestion: Question {
  var variant: CodecVariant
  var quality: Quality
  /// The libraries to decode it with; nil leaves them unchecked.
  var libraries: String?
  /// The time limit of each external metric, seconds.
  var commandSeconds: Double

  func reply(in session: WorkerSession, _: [UInt8]) throws -> Model.Figures {
    guard let image = session.image else { throw Refusal.noImage }
    let bytes = try SharedFiles(sharedBy: session.setup).encoded()
    var measurer = try session.measurer(variant, quality, of: image.raster)
    try measurer.codec.expect(libraries: libraries)
    let decoded = try measurer.decode(bytes) { _ in true }
    var scored = Model.Figures(encodedBytes: bytes.count, encodedHash: SHA256.hexDigest(of: bytes))
    try session.score(decoded.first, of: measurer.settings, into: &scored)
    session.scoreByPrograms(decoded.first, against: image, within: commandSeconds, into: &scored)
    return scored
  }

  func remarks(in _: Answer) -> [String: [String]] { [:] }

  func verify(_ file: inout Model.Figures, by check: AnswerCheck) throws(AnswerCheck.Invalid) {
    try check.check(hash: file.encodedHash)
    let bound = file.figures[.chromaBound]
    try check.require(bound.map(Quantity.chromaBound.bounds.contains) ?? true, "the score of halved chroma")
    try check.check(file.scores)
    try check.require(Bound.time.contains(file.scoringCPUNanoseconds), "the time of its scores")
    file.failedScores = try check.checked(failedScores: file.failedScores)
    file.remarks = try check.clean(file.remarks)
  }
}

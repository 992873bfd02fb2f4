package import Model

package struct PointReport: Sendable {
  package var response: Response<Figures>
  package var image: ImageRecord?
  /// The worker's highest resident memory, bytes.
  package var peakBytes: Int?
  /// The time that the worker was busy, seconds.
  package var seconds = 0.0
  /// The part of `seconds` spent opening the image.
  package var openingSeconds = 0.0

  package init(
    response: Response<Figures>, image: ImageRecord? = nil, peakBytes: Int? = nil, seconds: Double,
    openingSeconds: Double = 0
  ) {
    (self.response, self.image, self.peakBytes) = (response, image, peakBytes)
    (self.seconds, self.openingSeconds) = (seconds, openingSeconds)
  }
}

package struct RenderedImage: Sendable {
  package let figures: Rendering
  /// The bytes of each requested product that exists.
  package let products: [RenderRequest.Product: [UInt8]]

  /// Splits the attachment into the products.
  init(_ reply: Reply<Rendering>, of request: RenderRequest) {
    figures = reply.answer
    var found: [RenderRequest.Product: [UInt8]] = [:]
    var start = 0
    for (product, size) in zip(request.products, figures.sizes) {
      guard let size else { continue }
      found[product] = Array(reply.attachment[start..<start + size])
      start += size
    }
    products = found
  }
}

extension WorkerSlot {
  package func measure(
    _ key: Case, of file: ImageFile, repeats: Int, conditions: TimingSeries.Conditions,
    drawing: PointDrawing = .nothing
  ) throws -> PointReport {
    let seconds = configuration.timeout(pixels: file.pixels, repeats: repeats)
    let build = key.variant.build
    var request = MeasureRequest(
      variant: key.variant, libraries: LibrarySpelling.halves(of: key.libraries).own, quality: key.quality,
      repeats: repeats, conditions: conditions, commandSeconds: seconds)
    request.leavesFile = build != nil && !configuration.scoresThroughBuild
    // Workers of builds do not have metrics.
    request.drawing = build == nil ? drawing : .nothing
    openedImage = nil
    let (start, opened) = (MonotonicClock.now(), try open(file, for: build))
    let openingSeconds = MonotonicClock.seconds(since: start)
    let answer = try opened.map { _ in
      try ask(
        request, about: file, build: build, encodes: repeats,
        within: seconds + commandSeconds(beside: seconds))
    }
    var response = answer.map { Response($0.answer.outcome) }
    if request.leavesFile, case .answered(let measurement) = response {
      response = try scored(measurement, key, seconds)
    }
    return PointReport(
      response: response, image: openedImage, peakBytes: answer.value?.answer.peakBytes,
      seconds: MonotonicClock.seconds(since: start), openingSeconds: openingSeconds)
  }

  /// Adds the scores of a build's file, which the system's worker decodes.
  private func scored(
    _ measurement: Figures, _ key: Case, _ seconds: Double
  ) throws -> Response<Figures> {
    let request = EncodedScoreRequest(
      variant: key.variant, quality: key.quality,
      libraries: LibrarySpelling.halves(of: key.libraries).decoder, commandSeconds: seconds)
    let response = try put(request, to: nil, within: seconds + commandSeconds(beside: seconds))
    if case .unsupported = response, let failure = response.failure { return .failed(failure) }
    return response.map { reply in
      do throws(Failure) { return .answered(try reply.answer.joined(to: measurement)) } catch {
        retire()
        return .failed(error)
      }
    }
  }

  package func time(
    _ request: TimeRequest, of file: ImageFile, within seconds: Double
  ) throws -> Response<TimingSeries> {
    let build = request.variant.build
    let response = try ask(request, about: file, build: build, within: seconds).answer()
    seat(build).encodes += response.value?.encode.count ?? 0
    return response
  }

  package func shrink(
    _ request: ThumbnailRequest, within seconds: Double
  ) throws -> Response<MadeThumbnail> {
    let encodes = if case .encoded = request.style.format { 1 } else { 0 }
    return try ask(request, encodes: encodes, within: seconds).answer()
  }

  /// Opens an image for `export`.
  /// - Parameters:
  ///   - build: The libraries that encode; nil for the system's. Builds get all pixels at once.
  ///   - byRows: True to let `export` decode the image row by row; defects of the file may then show there.
  package func prepare(
    _ file: ImageFile, for build: String? = nil, byRows: Bool = false
  ) throws -> Response<ImageRecord> {
    try openForExport(file, build: build, byRows: byRows)
  }

  package func export(
    _ request: TileExportRequest, within seconds: Double
  ) throws -> Response<ExportedTiles> {
    try put(request, to: request.variant.build, within: seconds).answer()
  }

  package func render(_ request: RenderRequest, of file: ImageFile) throws -> Response<RenderedImage> {
    try ask(request, about: file, encodes: 1, within: seconds(file)).map {
      .answered(RenderedImage($0, of: request))
    }
  }

  /// Scores another file against an image, by the worker's metrics.
  package func compare(
    _ distorted: ImageFile, with file: ImageFile
  ) throws -> Response<[String: Double]> {
    try ask(CompareFilesRequest(distorted: distorted), about: file, within: seconds(distorted)).answer()
  }

  /// Scores a file against another like `compare`, with less work if no other file follows.
  package func score(
    _ distorted: ImageFile, against file: ImageFile, usesTwoThreads: Bool
  ) throws -> Response<[String: Double]> {
    let request = PairRequest(reference: file, distorted: distorted, usesTwoThreads: usesTwoThreads)
    let response = try ask(request, within: seconds(file) + seconds(distorted)).answer()
    // Opening them one after the other shows which of the two the worker was lost at.
    if let failure = response.failure, failure.isWorthRetrying { return try compare(distorted, with: file) }
    return response.map { answer in
      switch answer {
      case .scores(let scores): .answered(scores)
      case .unusable(let record): .unusable(record)
      }
    }
  }

  /// Returns the picture that a read delivers, as PNG, by the libraries of the read.
  package func show(
    _ request: ReadRequest, of file: ImageFile, within seconds: Double
  ) throws -> Response<[UInt8]> {
    try readable(request, of: file).map { _ in
      try ask(ShowRequest(read: request), build: request.key.build, within: seconds).map {
        .answered($0.attachment)
      }
    }
  }

  /// Examines another encoder's file of an image, and scores it by the worker's metrics.
  package func judge(
    _ imported: ImageFile, of file: ImageFile
  ) throws -> Response<ImportedMeasurement> {
    // Both are decoded, and both are compared at a small size.
    let seconds = 2 * seconds(imported)
    return try ask(
      JudgeRequest(file: imported, commandSeconds: seconds), about: file,
      within: seconds + commandSeconds(beside: seconds)
    ).answer()
  }

  /// Measures an image cut into tiles. The libraries of a build also decode and score its tiles.
  package func cut(
    _ request: TilingRequest, of file: ImageFile, within seconds: Double
  ) throws -> Response<TilingMeasurement> {
    try ask(request, about: file, build: request.key.variant.build, within: seconds).answer()
  }

  /// Encodes an image repeatedly, each time from the last decode.
  package func generations(
    _ request: GenerationChainRequest, of file: ImageFile
  ) throws -> Response<[Generation]> {
    let seconds = configuration.timeout(pixels: file.pixels, repeats: request.count)
    return try ask(request, about: file, encodes: request.count, within: seconds).answer()
  }

  /// Reads a file by a route. The system's decoder scores what a build's worker has read, as in a sweep, unless builds
  /// score their own files.
  package func read(
    _ request: ReadRequest, of file: ImageFile, within seconds: Double
  ) throws -> Response<Figures> {
    try readable(request, of: file).map { _ in
      var (own, scores) = (request, request)
      let isScored =
        request.key.build != nil && request.share == .everything && !configuration.scoresThroughBuild
      if isScored { own.share = .cost }
      let cost = try ask(own, build: request.key.build, within: seconds).answer()
      guard isScored, case .answered(let figures) = cost else { return cost }
      scores.share = .scores
      return Self.joined(figures, scored: try ask(scores, within: seconds).answer())
    }
  }

  /// Makes sure that a build's worker finds the pixels from which a read of an encode begins.
  private func readable(_ request: ReadRequest, of file: ImageFile) throws -> Response<Void> {
    guard request.key.build != nil, request.key.encoding != nil else { return .answered(()) }
    return try handOver(file)
  }

  /// Combines a build's figures with the scores through the system's decoder. A file that only the build can read has
  /// none.
  private static func joined(
    _ figures: Figures, scored: Response<Figures>
  ) -> Response<Figures> {
    var figures = figures
    switch scored {
    case .cancelled: return .cancelled
    case .answered(let scored):
      guard
        (scored.fileBytes, scored.width, scored.height)
          == (figures.fileBytes, figures.width, figures.height)
      else {
        figures.remarks.append("not scored: the system's decoder makes another picture of it")
        break
      }
      figures.ssimulacra2 = scored.ssimulacra2
      figures.alignedSSIMULACRA2 = scored.alignedSSIMULACRA2
      figures.ceilingSSIMULACRA2 = scored.ceilingSSIMULACRA2
      figures.originalSSIMULACRA2 = scored.originalSSIMULACRA2
      figures.psnrLuma = scored.psnrLuma
    case .unsupported(let reason):
      figures.remarks.append("not scored: the system's decoder says: \(reason)")
    case .failed, .unusable:
      guard let failure = scored.failure else { break }
      if failure.isWorthRetrying { return .failed(failure) }
      figures.remarks.append("not scored: the system's decoder says: \(failure.message)")
    }
    return .answered(figures)
  }

  private func seconds(_ file: ImageFile) -> Double {
    configuration.timeout(pixels: file.pixels, repeats: 1)
  }
}

extension Response {
  fileprivate func answer<Answer>() -> Response<Answer> where Value == Reply<Answer> {
    map { .answered($0.answer) }
  }
}

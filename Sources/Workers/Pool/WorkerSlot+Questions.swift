package import Model

extension WorkerSlot {
  /// Encodes, decodes and scores an image, opening it first if necessary. Sets `peakBytes` to the worker's memory.
  /// - Parameter isByProgram: True to encode a JPEG source the way the codec's usual program does.
  package func measure(
    _ key: Case, of file: ImageFile, repeats: Int, conditions: TimingSeries.Conditions,
    drawing: PointDrawing = .nothing, keepsPicture: Bool = false, isByProgram: Bool = false
  ) throws -> Response<Figures> {
    let seconds = configuration.timeout(pixels: file.pixels, repeats: repeats)
    let build = key.variant.build
    var request = MeasureQuestion(
      variant: key.variant, libraries: LibrarySpelling.halves(of: key.libraries).own, quality: key.quality,
      repeats: repeats, conditions: conditions, commandSeconds: seconds)
    (request.keepsPicture, request.isByProgram) = (keepsPicture, isByProgram)
    request.leavesFile = build != nil && !configuration.scoresThroughBuild
    // Workers of builds do not have metrics.
    request.drawing = build == nil ? drawing : .nothing
    peakBytes = nil
    let response = try ask(
      request, about: file, build: build, encodes: repeats,
      within: seconds + commandSeconds(beside: seconds)
    ).map { answer -> Response<Figures> in
      var figures = answer
      peakBytes = figures.figures[.residentPeak]
      figures.figures[.residentPeak] = nil
      return .answered(figures)
    }
    if case .answered = response { askForSettings(of: key.variant, within: seconds) }
    guard request.leavesFile, case .answered(let measurement) = response else { return response }
    return try scored(measurement, key, seconds)
  }

  /// Ignores failures: the point is already measured, and a lost worker is noticed at the next one.
  private func askForSettings(of variant: CodecVariant, within seconds: Double) {
    guard settingsAsRun[variant.name] == nil else { return }
    let response = try? put(SettingsAsRunQuestion(variant: variant), to: variant.build, within: seconds)
    settingsAsRun[variant.name] = response?.value?.settings ?? ""
  }

  /// Adds the scores of a build's file, which the system's worker decodes.
  private func scored(
    _ measurement: Figures, _ key: Case, _ seconds: Double
  ) throws -> Response<Figures> {
    let request = EncodedScoreQuestion(
      variant: key.variant, quality: key.quality,
      libraries: LibrarySpelling.halves(of: key.libraries).decoder, commandSeconds: seconds)
    let response = try put(request, to: nil, within: seconds + commandSeconds(beside: seconds))
    if case .failed(let failure) = response { return .failed(failure.recorded) }
    return response.map { scored in
      guard scored.encodedHash == measurement.encodedHash else {
        retire()
        let message = "the scored file differs from the encoded one"
        return .failed(Failure(kind: .broken, message: message))
      }
      var whole = measurement
      (whole.scores, whole.failedScores) = (scored.scores, scored.failedScores)
      whole.scoringCPUNanoseconds = scored.scoringCPUNanoseconds
      whole.figures[.chromaBound] = scored.figures[.chromaBound]
      whole.remarks += scored.remarks
      return .answered(whole)
    }
  }

  package func time(
    _ request: TimeQuestion, of file: ImageFile, within seconds: Double
  ) throws -> Response<TimingSeries> {
    let build = request.variant.build
    let response = try ask(request, about: file, build: build, within: seconds)
    count(encodes: response.value?.encode.count ?? 0, of: build)
    return response
  }

  package func render(_ request: RenderQuestion, of file: ImageFile) throws -> Response<
    [RenderQuestion.Product: [UInt8]]
  > {
    try ask(request, about: file, encodes: 1, within: seconds(file)).map {
      .answered(request.products(in: $0))
    }
  }

  package func compare(
    _ distorted: ImageFile, with file: ImageFile
  ) throws -> Response<[String: Double]> {
    try ask(CompareFilesQuestion(distorted: distorted), about: file, within: seconds(distorted)).map {
      .answered($0.scores)
    }
  }

  /// Scores a file against another like `compare`, with less work if no further file follows.
  package func score(
    _ distorted: ImageFile, against file: ImageFile, usesTwoThreads: Bool
  ) throws -> Response<[String: Double]> {
    let request = PairQuestion(reference: file, distorted: distorted, usesTwoThreads: usesTwoThreads)
    let response = try ask(request, within: seconds(file) + seconds(distorted))
    // Opening them one after the other shows which one ended the worker.
    if let failure = response.failure, failure.isWorthRetrying { return try compare(distorted, with: file) }
    return response.map { answer in
      switch answer {
      case .scores(let scores, _): .answered(scores)
      case .unusable(let record): .unusable(record)
      }
    }
  }

  package func seconds(_ file: ImageFile) -> Double {
    configuration.timeout(pixels: file.pixels, repeats: 1)
  }

  /// The time limit, in seconds, for ending a metric's program with all that it has started.
  private static let endingSeconds = 12.0

  /// The time limit of the run's commands, seconds, in addition to the point's own.
  package func commandSeconds(beside seconds: Double) -> Double {
    // Each command may use up its time, and ending what it has started takes a moment.
    (seconds + Self.endingSeconds) * Double(configuration.externalMetrics.count)
  }
}

extension RunnerConfiguration {
  /// Throws if a required sandbox is incomplete. Tries a worker before a build's libraries can run code.
  package func checkSandbox() throws {
    if requiresSandbox { _ = try sandboxOfWorkers() }
  }

  /// Tries the metric programs on two identical pictures, in a worker started for this question only. `stop` receives a
  /// closure that stops it.
  package func triedPrograms(stop: (@escaping @Sendable () -> Void) -> Void) throws -> TriedPrograms {
    let pool = poolOfOne(scoring: true)
    defer { pool.retire() }
    stop { pool.cancel() }
    let slot = pool.sessions[0]
    let seconds = timeout(pixels: 0, repeats: 1)
    let response = try slot.ask(
      TryProgramsQuestion(commandSeconds: seconds), within: seconds + slot.commandSeconds(beside: seconds))
    if let failure = response.failure {
      let failed = externalMetrics.map { ($0.id, failure.message) }
      return TriedPrograms(failed: Dictionary(failed, uniquingKeysWith: { first, _ in first }))
    }
    return response.value ?? TriedPrograms()
  }

  /// One session with the system's libraries; with `scoring`, it has the metric programs.
  private func poolOfOne(scoring: Bool) -> WorkerPool {
    var system = self
    system.builds = []
    if !scoring { system.externalMetrics = [] }
    return WorkerPool(system, sessions: 1)
  }

  /// The sandbox of a worker started for this question only.
  package func sandboxOfWorkers() throws -> SandboxStatus {
    let pool = poolOfOne(scoring: false)
    defer { pool.retire() }
    try pool.sessions[0].start()
    return pool.sessions[0].sandbox ?? SandboxStatus(landlock: 0, seccomp: false)
  }
}

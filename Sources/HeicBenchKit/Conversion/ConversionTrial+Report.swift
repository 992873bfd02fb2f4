import Analysis
import Model
import Pixels
import Reports
import Synchronization
import Workers

// The answer.
extension ConversionTrial {
  /// The tries so far as a report. If the files done so far are too few for a sample, they represent only themselves.
  func report(_ folder: ConversionFolder) -> ConversionReport {
    let rows = projections()
    let isProjected = rows.contains(where: \.isProjected)
    let (dropped, isComplete) = state.withLock { ($0.dropped, hasAll($0)) }
    let shown = rows.indices.filter {
      !dropped.contains($0) && (goals[$0].rival == nil || !rows[$0].files.isEmpty)
    }
    return ConversionReport(
      folder: folder, projections: shown.map { rows[$0] },
      remarks: configuration.remarks?.tally ?? RemarkTally(),
      isProjected: isProjected, wasInterrupted: wasStopped && !isComplete,
      ranOutOfTime: ranOutOfTime && !isComplete)
  }

  /// True if nothing is missing, so that a stop after the last encode changed nothing.
  private func hasAll(_ state: State) -> Bool {
    goals.indices.allSatisfy { goal in
      if state.dropped.contains(goal) || state.settled[goal] != nil { return true }
      return sample.order.allSatisfy { file in
        let place = Place(file: file, goal: goal)
        return state.found[place] != nil && (goals[goal].score == nil || !isOpen(place, state))
      }
    }
  }

  /// A row for each goal, over the files that all goals have. Rivals do not count for that, and have no files, until
  /// they have all files.
  func projections() -> [ConversionProjection] {
    state.withLock { state in
      let begun = goals.indices.filter { goal in
        goals[goal].rival == nil
          || sample.order.allSatisfy { state.found[Place(file: $0, goal: goal)] != nil }
      }
      let files = sample.entries.indices.filter { file in
        begun.allSatisfy { state.found[Place(file: file, goal: $0)] != nil }
      }
      let drawn = sample.sample(of: files)
      return goals.indices.map { goal in
        let (tried, setting) = tried(begun.contains(goal) ? files : [], goal, state)
        var projection = ConversionProjection(
          goals[goal].asked.variant, score: goals[goal].score, setting: setting,
          isTold: state.settled[goal] != nil || goals[goal].score == nil, files: tried,
          sample: begun.contains(goal) ? drawn : nil, quick: goals[goal].quick?.variant)
        projection.hasRival = goals[goal].rival != nil || goals.contains { $0.rival == goal }
        return projection
      }
    }
  }

  /// Files with their result for a goal: measured at the goal's quality, otherwise estimated.
  private func tried(_ files: [Int], _ goal: Int, _ state: State) -> ([TriedConversion], ConversionSetting?) {
    let asked = goals[goal].asked.variant
    func known(_ file: Int, at native: Int) -> CurveTries.Try? { state.tries[file]?[asked]?[native] }
    guard let score = goals[goal].score else {
      return (files.map { conversion($0, goal, fate($0, goal, state), state) }, nil)
    }
    switch state.settled[goal] {
    case .native(let native)?:
      let rows = files.map {
        conversion($0, goal, fate($0, goal, state), state, made: known($0, at: native), at: native)
      }
      return (rows, Quality(native: native).map(ConversionSetting.quality))
    case .outOfReach?:
      let highest = lowestQuality(like: goals[goal].range.upperBound, goals[goal])
      let rows = files.map { file in
        let tries = state.tries[file]?[asked]?.known ?? [:]
        // The encode that just reaches the score.
        let hit = tries.filter { $0.value.score >= score }.min { $0.key < $1.key }
        // The search ends once enough files miss the score. The others have results of the first pass only.
        let isBeyond = hit == nil && tries[highest] != nil
        let outcome = isBeyond ? .outOfReach : fate(file, goal, state)
        var row = conversion(file, goal, outcome, state, made: hit?.value, at: hit?.key)
        row.isQuick = hit == nil && row.bytes != nil
        return row
      }
      return (rows, .outOfReach)
    case nil: break
    }
    let (estimates, isReached) = estimates(files, goal, score, state)
    let aim = state.aims[goal]
    let rows = zip(files, estimates).map { file, bytes in
      conversion(
        file, goal, fate(file, goal, state), state, made: aim.flatMap { known(file, at: $0) }, at: aim,
        estimate: bytes)
    }
    let setting = aim.flatMap { Quality(native: $0) }.map(ConversionSetting.quality)
    return (rows, isReached ? setting : .outOfReach)
  }

  /// The outcome of a file over both passes; a file that does not reach the score can still be encoded.
  private func fate(_ file: Int, _ goal: Int, _ state: State) -> TriedConversion.Outcome {
    let place = Place(file: file, goal: goal)
    return state.lost[place] ?? state.found[place]?.outcome ?? .outOfReach
  }

  /// The files' bytes at the quality that nine in ten of them need in the first pass, estimated along their curves; nil
  /// for those that cannot be encoded. False if fewer reach the score; files that have failed do not count.
  private func estimates(
    _ files: [Int], _ goal: Int, _ score: Double, _ state: State
  ) -> (bytes: [Double?], isReached: Bool) {
    let variant = goals[goal].first.variant
    let open = files.filter {
      state.tries[$0]?[variant] != nil && isOpen(Place(file: $0, goal: goal), state)
    }
    let needs = open.map { file -> Double in
      state.found[Place(file: file, goal: goal)]?.native ?? .infinity
    }.sorted()
    guard !needs.isEmpty else { return (files.map { _ in nil }, true) }
    let need = needs[QualitySetting.count(of: needs.count, share: QualitySetting.usualShare) - 1]
    let top = Double(goals[goal].range.upperBound)
    let common = slope(of: open, [variant], at: score, state)
    let bytes = files.map { file in
      state.tries[file]?[variant]?.bytes(at: min(need, top), near: score, likely: common)
    }
    return (bytes, need <= top)
  }

  private func conversion(
    _ file: Int, _ goal: Int, _ outcome: TriedConversion.Outcome, _ state: State, made: CurveTries.Try? = nil,
    at native: Int? = nil, estimate: Double? = nil
  ) -> TriedConversion {
    let entry = sample.entries[file]
    let hasProfile = state.profiled[file]?.contains(goals[goal].asked.variant.codec) ?? false
    let more = keptBytes(file, goal, hasProfile: hasProfile)
    var tried = TriedConversion(
      image: entry.identity.name, fileBytes: entry.fileBytes, pixels: entry.file.pixels, outcome: outcome)
    switch outcome {
    case .failed, .impossible: return tried
    case .converted, .outOfReach: break
    }
    let seconds = tried.seconds ?? 0
    tried.quickBytes = estimate.map { Int($0.rounded()) +| more }
    if let made {
      tried.outcome = .converted(bytes: made.bytes +| more, seconds: made.seconds)
      (tried.quality, tried.score) = (native.flatMap { Quality(native: $0) }, made.score)
    } else if let bytes = tried.quickBytes {
      (tried.outcome, tried.isQuick) = (.converted(bytes: bytes, seconds: seconds), true)
    } else if case .converted(let bytes, _) = outcome {
      tried.outcome = .converted(bytes: bytes +| more, seconds: seconds)
    }
    return tried
  }

  /// Bytes that the codec's program keeps besides the picture; a file packed without loss already includes everything.
  private func keptBytes(_ file: Int, _ goal: Int, hasProfile: Bool) -> Int {
    let (entry, variant) = (sample.entries[file], goals[goal].asked.variant)
    guard !variant.recompresses, let contents = try? entry.contents?.get() else { return 0 }
    let format = FolderSample.format(entry)
    return ConversionTool.of(variant, from: format).keptBytes(
      of: contents, from: format, hasOwnProfile: hasProfile)
  }
}

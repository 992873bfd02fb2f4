import Analysis
import CodecKit
import Model
import Synchronization
import Workers

// The second pass.
extension ConversionTrial {
  /// Goals that have a quality: those of lossy codecs, with only one of each pair of rivals once that is decided.
  private var lossy: [Int] {
    let dropped = state.withLock { $0.dropped }
    return goals.indices.filter { goals[$0].score != nil && !dropped.contains($0) }
  }

  /// Finds the lowest quality at which nine in ten files reach the score with the requested settings, and encodes all
  /// files at it. Continues in rounds until each goal is settled.
  /// - Parameter progress: Receives the number of files done; called from several threads.
  func settle(progress: @escaping @Sendable (Int) -> Void) throws {
    while true {
      let isOver = isOver()
      // Goals whose files are all made are settled even then.
      let plan = plan()
      guard !plan.isEmpty, !isOver, !wasStopped else { return }
      for group in groups(Array(Set(plan.values.flatMap(\.keys))).sorted()) where !wasStopped {
        let files = sample.order.filter { plan[$0]?.keys.contains(where: group.contains) ?? false }
        try run(files, group) { [self] file, preparation, slot, isLast in
          for goal in group {
            guard let native = plan[file]?[goal] else { continue }
            let attempt = try attempt(
              file, goals[goal], goals[goal].asked, native, preparation, slot, isLast: isLast)
            switch attempt {
            case nil: return false
            case .entered?: break
            case .ended(let outcome)?:
              state.withLock { $0.lost[Place(file: file, goal: goal)] = outcome }
            }
          }
          progress(filesDone())
          return true
        }
      }
    }
  }

  /// The tries that the goals need next: qualities by file and goal.
  private func plan() -> [Int: [Int: Int]] {
    var plan: [Int: [Int: Int]] = [:]
    for goal in lossy {
      let (step, files) = next(goal)
      switch step {
      case nil: continue
      case .found(let native): state.withLock { $0.settled[goal] = .native(native) }
      case .outOfReach: state.withLock { $0.settled[goal] = .outOfReach }
      case .try(let native, let places):
        aim(goal, at: native, places.count, of: files)
        for place in places { plan[files[place], default: [:]][goal] = native }
      }
    }
    return plan
  }

  /// Notes that a goal's files are tried at a quality, unless only the hardest are, to prove it too low: those few do
  /// not stand for all.
  private func aim(_ goal: Int, at native: Int, _ tries: Int, of files: [Int]) {
    let asked = goals[goal].asked.variant
    state.withLock { state in
      guard !state.wasStopped else { return }
      let known = files.count { state.tries[$0]?[asked]?[native] != nil }
      if state.aims[goal] == nil || known + tries == files.count { state.aims[goal] = native }
    }
  }

  /// The next step of a goal that is not settled, and the files that its codec encodes.
  private func next(_ goal: Int) -> (step: SharedQualitySearch.Step?, files: [Int]) {
    state.withLock { state in
      guard state.settled[goal] == nil, let score = goals[goal].score else { return (nil, []) }
      let files = sample.order.filter { isOpen(Place(file: $0, goal: goal), state) }
      guard !files.isEmpty else { return (nil, []) }
      let asked = goals[goal].asked.variant
      let scale = goals[goal].range.filter { lowestQuality(like: $0, goals[goal]) == $0 }
      let needs = needs(of: files, goal, score, state)
      let search = SharedQualitySearch(scale: scale, score: score)
      let step = search.next(
        zip(files, needs).map { .init(tries: state.tries[$0]?[asked] ?? CurveTries(), need: $1) })
      // Two files show how far apart the requested settings and the fast ones are.
      if case .try(let native, let places) = step, !files.contains(where: { state.tries[$0]?[asked] != nil })
      {
        return (.try(native, files: Array(places.sorted().prefix(Self.pilots))), files)
      }
      return (step, files)
    }
  }

  /// True for files that the codec has neither refused nor failed to encode.
  func isOpen(_ place: Place, _ state: State) -> Bool {
    guard state.lost[place] == nil else { return false }
    return switch state.found[place]?.outcome {
    case .converted?, .outOfReach?: true
    case .impossible?, .failed?, nil: false
    }
  }

  /// The qualities that files seem to need with the requested settings.
  private func needs(of files: [Int], _ goal: Int, _ score: Double, _ state: State) -> [Double?] {
    let (asked, beyond) = (goals[goal].asked.variant, Double(goals[goal].range.upperBound + 1))
    let variants = [asked, goals[goal].first.variant]
    let common = slope(of: files, variants, at: score, state)
    let own = files.map { file in
      let slope = slope(of: [file], variants, at: score, state) ?? common
      return state.tries[file]?[asked]?.place(of: score, likely: slope)?.native
    }
    let quick = files.map { file in
      let finding = state.found[Place(file: file, goal: goal)]
      return finding?.outcome == .outOfReach ? beyond : finding?.native
    }
    let shift = zip(own, quick).compactMap { own, quick in quick.flatMap { quick in own.map { $0 - quick } } }
      .median
    return zip(own, quick).map { own, quick in own ?? quick.map { $0 + (shift ?? 0) } }
  }

  /// The number of files that all goals have encoded with the requested settings, at any quality.
  private func filesDone() -> Int {
    let lossy = lossy
    return state.withLock { state in
      sample.entries.indices.count { file in
        lossy.allSatisfy { goal in
          !isOpen(Place(file: file, goal: goal), state)
            || state.tries[file]?[goals[goal].asked.variant] != nil
        }
      }
    }
  }

  /// Keeps whichever of halved and full chroma made the folder smaller in the first pass.
  func dropRivals() {
    let totals = projections().map { $0.setting == .outOfReach ? nil : $0.bytesWhereSmaller?.total }
    state.withLock { state in
      for (index, goal) in goals.enumerated() {
        guard let rival = goal.rival else { continue }
        state.dropped.insert((totals[index] ?? .infinity) < (totals[rival] ?? .infinity) ? rival : index)
      }
    }
  }
}

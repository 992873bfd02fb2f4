/// Jobs in the order in which they may begin. The first job of a kind finds out something that holds for its kind:
/// until then others of its kind wait, and jobs of other kinds overtake them.
struct JobLine<Job> {
  private enum State {
    case isAsked
    case isKnown
  }

  /// The most jobs inspected to find one that may begin; all waiting jobs are in memory.
  static var mostAhead: Int { 256 }

  private var coming: AnyIterator<Job>
  private var ahead: [Job] = []
  private let kind: (Job) -> String?
  private var states: [String: State] = [:]

  /// - Parameter kind: a property that a job shares with others; nil for a job that never waits.
  init(_ jobs: some Sequence<Job>, kind: @escaping (Job) -> String?) {
    coming = AnyIterator(jobs.makeIterator())
    self.kind = kind
  }

  /// Removes and returns the next job if `fits` allows it to begin now; nil if it does not, or if there is none. With
  /// `isAlone` no job is running that could be waited for, so the first one is next.
  mutating func next(isAlone: Bool, where fits: (Job) -> Bool) -> Job? {
    guard let index = readyIndex(isAlone), fits(ahead[index]) else { return nil }
    let job = ahead.remove(at: index)
    if let kind = kind(job), states[kind] == nil { states[kind] = .isAsked }
    return job
  }

  /// Notes that a job has ended. If it found out nothing about its kind, the next job of that kind is to find out.
  mutating func end(_ kind: String?, isKnown: Bool) {
    guard let kind, states[kind] == .isAsked else { return }
    states[kind] = isKnown ? .isKnown : nil
  }

  private mutating func readyIndex(_ isAlone: Bool) -> Int? {
    var index = 0
    while index < Self.mostAhead {
      if index == ahead.count {
        guard let job = coming.next() else { break }
        ahead.append(job)
      }
      if isAlone || kind(ahead[index]).map({ states[$0] != .isAsked }) ?? true { return index }
      index += 1
    }
    return nil
  }
}

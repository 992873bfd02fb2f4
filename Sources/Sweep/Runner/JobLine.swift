/// Jobs in the order in which they may begin. The first job of a kind finds out what holds for all of its kind: until it
/// has, others of its kind wait, and jobs of other kinds go before them.
struct JobLine<Job> {
  private enum State {
    case isAsked
    case isKnown
  }

  /// Jobs that are looked at before one whose turn it is not: what waits is held in memory.
  static var mostAhead: Int { 256 }

  private var coming: AnyIterator<Job>
  private var ahead: [Job] = []
  private let kind: (Job) -> String?
  private var states: [String: State] = [:]

  /// - Parameter kind: what a job has in common with others; nil for one that waits for none.
  init(_ jobs: some Sequence<Job>, kind: @escaping (Job) -> String?) {
    coming = AnyIterator(jobs.makeIterator())
    self.kind = kind
  }

  /// Takes the next job out, where `fits` says that it may begin now; nil where it does not, or where there is none. With
  /// `isAlone` nothing runs that could be waited for, and whatever is first is next.
  mutating func next(isAlone: Bool, where fits: (Job) -> Bool) -> Job? {
    guard let index = readyIndex(isAlone), fits(ahead[index]) else { return nil }
    let job = ahead.remove(at: index)
    if let kind = kind(job), states[kind] == nil { states[kind] = .isAsked }
    return job
  }

  /// Notes that a job has ended. Where it has found out nothing about its kind, the next one of it is asked.
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

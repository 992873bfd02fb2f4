/// A search for the lowest quality at which a share of a folder's files reaches a score: the figure that
/// `QualitySetting` takes from a sweep's curves, with only the encodes needed to prove it.
///
/// Scores are assumed to rise with quality. All files are tried at the answer, and enough files that miss the score at
/// the quality below prove that one too low. The search tries the files with the highest needs for that.
package struct SharedQualitySearch {
  /// The tries of a file, and the quality that it seems to need; nil if unknown.
  package struct File {
    package var tries: CurveTries
    package var need: Double?

    package init(tries: CurveTries, need: Double?) { (self.tries, self.need) = (tries, need) }
  }

  package enum Step: Equatable {
    /// Files to try at a quality, by index in the list.
    case `try`(Int, files: [Int])
    case found(Int)
    /// No quality reaches the score with enough files.
    case outOfReach
  }

  /// Qualities that result in different files, ascending.
  private let scale: [Int]
  private let score: Double
  private let share: Double

  package init(scale: [Int], score: Double, share: Double = QualitySetting.usualShare) {
    (self.scale, self.score, self.share) = (scale, score, share)
  }

  package func next(_ files: [File]) -> Step {
    guard !files.isEmpty, !scale.isEmpty else { return .outOfReach }
    let marks = files.map(marks)
    let enough = QualitySetting.count(of: files.count, share: share)
    // The lowest place proved to be enough, and the highest proved not to be.
    let high = marks.map(\.hit).sorted()[enough - 1]
    let low = marks.map(\.miss).sorted()[enough - 1]
    func untried(_ place: Int) -> [Int] {
      files.indices.filter { files[$0].tries[scale[place]] == nil }
    }
    guard high - low > 1 else {
      guard high < scale.count else { return .outOfReach }
      let rest = untried(high)
      return rest.isEmpty ? .found(scale[high]) : .try(scale[high], files: rest)
    }
    let needs = marks.indices.map { likely(files[$0], marks[$0], between: low, high) }
    let guess = needs.sorted()[enough - 1]
    if guess < high { return .try(scale[guess], files: untried(guess)) }
    // Enough files that miss the score prove that the place below is too low.
    let below = high - 1
    let missing = files.count - enough + 1 - marks.count { $0.miss >= below }
    let open = files.indices.filter { marks[$0].miss < below && below < marks[$0].hit }
    let worst = open.sorted { (needs[$1], need(files[$1]), $0) < (needs[$0], need(files[$0]), $1) }
    return .try(scale[below], files: worst.prefix(missing).sorted())
  }

  private func need(_ file: File) -> Double { file.need ?? 0 }

  /// The highest place that misses the score (−1 for none), and the lowest above it that reaches it.
  private func marks(_ file: File) -> (miss: Int, hit: Int) {
    let scores = scale.indices.compactMap { place in file.tries[scale[place]].map { (place, $0.score) } }
    let miss = scores.last { $0.1 < score }?.0 ?? -1
    return (miss, scores.first { $0.0 > miss && $0.1 >= score }?.0 ?? scale.count)
  }

  /// The place that a file likely needs, within the range that its tries leave open.
  private func likely(_ file: File, _ mark: (miss: Int, hit: Int), between low: Int, _ high: Int) -> Int {
    guard mark.hit - mark.miss > 1 else { return mark.hit }
    let place = file.need.map { need in scale.firstIndex { Double($0) >= need } ?? scale.count }
    return min(max(place ?? (low + high) / 2, mark.miss + 1), mark.hit)
  }
}

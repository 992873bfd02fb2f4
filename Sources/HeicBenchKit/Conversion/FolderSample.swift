import Analysis
import Foundation
import Model
import Pixels
import Workers

/// A sample of a folder's files, drawn with chances that depend on their bytes and spread evenly over a list sorted by
/// kind.
///
/// A file's chance at each draw is four fifths its share of the bytes plus one fifth 1/N, so that small files are drawn
/// too. Draws go round the list in steps of the golden ratio from a random start (like `FileSample.spread`), so any
/// number of them is evenly spread, and files with a large share of the bytes are certain to be drawn.
struct FolderSample: Sendable {
  /// The size of a sample by default: the least, and the most if there are many kinds.
  static let usual = 12...36
  /// The largest share of the folder's bytes that kinds without a drawn file may have: in a sample of default size, and
  /// for an interval.
  private static let (enough, tooMuch) = (0.05, 0.1)
  private static let even = 0.2

  /// The files drawn, in the order of the folder.
  let entries: [CorpusEntry]
  /// The order in which to measure them, as indices in `entries`: as drawn, so that the files done at any time are
  /// themselves a sample. Of those that the first interval needs, small ones come first.
  let order: [Int]
  let count: Int
  let bytes: Int
  let pixels: Double
  /// Every draw, as an index in `entries`.
  private let draws: [Int]
  /// By index in `entries`.
  private let chances: [Double]
  private let ranks: [Int]
  private let kinds: [String]
  private let shares: [String: Double]

  /// Draws `size` files, or takes all if there are no more than that; nil for as many as the folder's kinds need.
  init(_ size: Int?, of usable: [CorpusEntry], seed: UInt64) {
    let all = usable.reduce(0.0) { $0 + Double($1.fileBytes) }
    let kindOf = usable.map(Self.kind)
    let list = usable.indices.sorted { Self.isBefore(usable[$0], usable[$1], ($0, $1)) }
    let chance = usable.map {
      (1 - Self.even) * Double($0.fileBytes) / max(all, 1) + Self.even / Double(usable.count)
    }
    var shares: [String: Double] = [:]
    for (kind, entry) in zip(kindOf, usable) {
      shares[kind, default: 0] += Double(entry.fileBytes) / max(all, 1)
    }
    let drawn = Self.draw(size, list, chance, seed: seed, kindOf, shares)
    var first: [Int] = []
    var seen: Set<Int> = []
    for file in drawn where seen.insert(file).inserted { first.append(file) }
    let sorted = first.sorted()
    let places = Dictionary(uniqueKeysWithValues: sorted.enumerated().map { ($1, $0) })
    let rank = Dictionary(uniqueKeysWithValues: list.enumerated().map { ($1, $0) })
    entries = sorted.map { usable[$0] }
    let early = first.prefix(Bootstrap.minimumImages).sorted {
      (usable[$0].pixels, $0) < (usable[$1].pixels, $1)
    }
    order = (early + first.dropFirst(early.count)).compactMap { places[$0] }
    draws = drawn.compactMap { places[$0] }
    chances = sorted.map { chance[$0] }
    ranks = sorted.compactMap { rank[$0] }
    kinds = sorted.map { kindOf[$0] }
    self.shares = shares
    (count, bytes) = (usable.count, usable.reduce(0) { $0 +| $1.fileBytes })
    pixels = usable.reduce(0) { $0 + Double($1.file.pixels) }
  }

  private static func draw(
    _ size: Int?, _ list: [Int], _ chance: [Double], seed: UInt64, _ kinds: [String],
    _ shares: [String: Double]
  ) -> [Int] {
    var ends: [Double] = []
    for file in list { ends.append((ends.last ?? 0) + chance[file]) }
    var generator = SeededGenerator(seed: seed)
    var position = generator.unit()
    var (draws, seen, unseen) = ([Int](), Set<Int>(), shares)
    func isEnough() -> Bool {
      if let size { return seen.count >= size }
      guard seen.count >= usual.lowerBound else { return false }
      return seen.count >= usual.upperBound || unseen.values.reduce(0, +) <= enough
    }
    // Even steps reach the smallest chance long before that many.
    while seen.count < list.count, draws.count < 100 * list.count {
      var (low, high) = (0, list.count - 1)
      while low < high {
        let middle = (low + high) / 2
        if ends[middle] > position { high = middle } else { low = middle + 1 }
      }
      let file = list[low]
      if !seen.contains(file), isEnough() { break }
      draws.append(file)
      if seen.insert(file).inserted { unseen[kinds[file]] = nil }
      position += 0.618_033_988_749_894_8
      position -= position.rounded(.down)
    }
    return draws
  }

  /// The kind of a file, as far as it is known without decoding: format, gray or colour, bits, whether a camera made
  /// it, and bytes per pixel and pixels in wide steps.
  private static func kind(_ entry: CorpusEntry) -> String {
    let tone = tone(entry)
    let density = log2(max(bitsPerPixel(entry), 1e-6)) / 1.5
    let pixels = log2(Double(max(entry.file.pixels, 1))) / 3
    return
      "\(format(entry)) \(tone) \(isPhotograph(entry)) \(Int(density.rounded())) \(Int(pixels.rounded()))"
  }

  private static func isBefore(_ a: CorpusEntry, _ b: CorpusEntry, _ places: (Int, Int)) -> Bool {
    if format(a) != format(b) { return format(a) < format(b) }
    if tone(a) != tone(b) { return tone(a) < tone(b) }
    if isPhotograph(a) != isPhotograph(b) { return isPhotograph(b) }
    return (bitsPerPixel(a), places.0) < (bitsPerPixel(b), places.1)
  }

  private static func tone(_ entry: CorpusEntry) -> String {
    guard let header = entry.header else { return "" }
    return header.bitDepth == 1 ? "1-bit" : header.layout.rawValue
  }

  /// True if the metadata shows that a camera made the picture, rather than a scanner or a screen.
  private static func isPhotograph(_ entry: CorpusEntry) -> Bool {
    (try? entry.contents?.get())?.making.camera != nil
  }

  private static func bitsPerPixel(_ entry: CorpusEntry) -> Double {
    Double(entry.fileBytes) * 8 / Double(max(entry.file.pixels, 1))
  }

  static func format(_ entry: CorpusEntry) -> String { entry.header?.format ?? "unknown" }

  /// The files done, as indices in `entries`, as a sample of the folder: those up to the first draw that is not done
  /// yet; nil if these are fewer than an interval needs.
  func sample(of done: [Int]) -> ConversionSample? {
    let places = Dictionary(uniqueKeysWithValues: done.enumerated().map { ($1, $0) })
    let prefix = draws.prefix { places[$0] != nil }
    let drawn = Set(prefix).sorted { ranks[$0] < ranks[$1] }
    guard drawn.count >= min(Bootstrap.minimumImages, entries.count), !drawn.isEmpty else { return nil }
    let seen = Set(drawn.map { kinds[$0] })
    let unseen = shares.filter { !seen.contains($0.key) }.values.reduce(0, +)
    var sample = ConversionSample(
      files: drawn.compactMap { places[$0] }, chances: drawn.map { chances[$0] }, draws: prefix.count,
      count: count,
      bytes: bytes, pixels: pixels)
    sample.isRough = drawn.count < count && unseen > Self.tooMuch
    return sample
  }
}

/// The tried files as a sample of a folder.
struct ConversionSample: Sendable {
  /// Indices of the tried files, in the order of the list that they were drawn from.
  var files: [Int]
  /// The chance of each at each draw.
  var chances: [Double]
  var draws: Int
  var count: Int
  var bytes: Int
  var pixels: Double
  /// True if kinds with a large share of the bytes are missing from the sample.
  var isRough = false

  var isWhole: Bool { files.count == count }

  /// The share of all files for which `isOne` holds, estimated from the sample.
  func share(_ isOne: (Int) -> Bool) -> Double {
    let weights = zip(files, chances).map {
      (isOne: isOne($0), weight: isWhole ? 1 : 1 / min(1, Double(draws) * $1))
    }
    let all = weights.reduce(0) { $0 + $1.weight }
    return all > 0 ? weights.reduce(0) { $0 + ($1.isOne ? $1.weight : 0) } / all : 0
  }
}

extension ConversionSample {
  /// Files that represent only themselves.
  init(itself files: [TriedConversion]) {
    self.init(
      files: Array(files.indices), chances: files.map { _ in 1 / Double(max(files.count, 1)) },
      draws: files.count,
      count: files.count, bytes: files.reduce(0) { $0 +| $1.fileBytes },
      pixels: files.reduce(0) { $0 + Double($1.pixels) })
  }
}

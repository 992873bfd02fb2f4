import Analysis
import Model
import Workers

/// A sample with files of every kind in a folder, since savings depend on the format most of all.
struct FolderSample {
  let entries: [CorpusEntry]
  /// The strata of the sample: files by format, rare formats merged if `size` is too small for two files of each.
  let kinds: [FileKind]
  private let kindOfFormat: [String: Int]

  /// Draws `size` files, or takes all if there are no more.
  init(_ size: Int, of usable: [CorpusEntry], seed: UInt64) {
    let formats = Dictionary(grouping: usable.indices) { Self.format(usable[$0]) }
    var groups = formats.map { (formats: [$0.key], files: $0.value) }
    func bytes(_ files: [Int]) -> Double { files.reduce(0) { $0 + Double(usable[$1].fileBytes) } }
    func sort() { groups.sort { (-bytes($0.files), $0.formats[0]) < (-bytes($1.files), $1.formats[0]) } }
    sort()
    while groups.count > 1, groups.reduce(0, { $0 + min($1.files.count, 2) }) > size {
      let last = groups.removeLast()
      groups[groups.count - 1].formats += last.formats
      groups[groups.count - 1].files = (groups[groups.count - 1].files + last.files).sorted()
      sort()
    }
    let parts = FileSample.allocation(
      size, counts: groups.map(\.files.count), bytes: groups.map { bytes($0.files) })
    var drawn: [Int] = []
    for (number, group) in groups.enumerated() {
      let places = FileSample.positions(
        groups.count == 1 ? size : parts[number], of: group.files.count,
        seed: seed &+ UInt64(number) &* 0xD1B5_4A32_D192_ED03)
      drawn += places.map { group.files[$0] }
    }
    entries = drawn.sorted().map { usable[$0] }
    kinds = groups.map { group in
      FileKind(
        count: group.files.count,
        bytes: group.files.reduce(0) { $0.addingReportingOverflow(usable[$1].fileBytes).partialValue },
        pixels: group.files.reduce(0) { $0 + Double(usable[$1].file.pixels) })
    }
    kindOfFormat = Dictionary(
      groups.enumerated().flatMap { number, group in group.formats.map { ($0, number) } },
      uniquingKeysWith: { first, _ in first })
  }

  func kind(of entry: CorpusEntry) -> Int { kindOfFormat[Self.format(entry)] ?? 0 }

  static func format(_ entry: CorpusEntry) -> String { entry.header?.format ?? "unknown" }
}

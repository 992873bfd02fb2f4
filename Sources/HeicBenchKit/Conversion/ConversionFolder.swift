import Analysis
import Model
import Pixels
import Reports
import Workers

struct ConversionFolder: Sendable {
  struct Format: Sendable {
    /// By content, such as `jpeg` or `heic`.
    var name: String
    var files: Int
    var bytes: Int
    var sample = 0
  }

  /// A kind of content beside the pictures, summed over all files, and the files that hold some of it by format.
  struct Content: Sendable {
    var kind: FileContents.Kind
    var files = 0
    var count = 0
    var bytes = 0
    var formats: [String: Int] = [:]

    /// The fates of the content, each with its formats, that of most files first.
    func fates(in variant: CodecVariant) -> [(fate: ConversionTool.Fate, formats: [String])] {
      var found: [ConversionTool.Fate: [String: Int]] = [:]
      for (format, files) in formats {
        let fate = ConversionTool.of(variant, from: format).fate(of: kind, from: format)
        found[fate, default: [:]][format] = files
      }
      let sorted = found.sorted { a, b in
        let (first, second) = (a.value.values.reduce(0, +), b.value.values.reduce(0, +))
        return (second, a.key.text) < (first, b.key.text)
      }
      return sorted.map { ($0.key, $0.value.keys.sorted()) }
    }

    /// `kept`, or `kept (jpeg), not opened (heic)` where it depends on the format.
    func fate(in variant: CodecVariant) -> String {
      let fates = fates(in: variant)
      guard fates.count > 1 else { return fates.first?.fate.text ?? "" }
      return fates.map { "\($0.fate.text) (\($0.formats.joined(separator: ", ")))" }.joined(separator: ", ")
    }
  }

  var name: String
  /// Most bytes first.
  var formats: [Format] = []
  /// Files with the content of another, which count once.
  var copies = 0
  /// Files that are in no figure because heicbench does not read them, or because they are no images.
  var skipped = PassedOver()
  /// Files that cannot be used and are in no figure.
  var unusable: [String] = []
  var contents: [Content] = []
  var sample: Int
  var seed: UInt64

  var files: Int { formats.reduce(0) { $0 + $1.files } }
  var bytes: Int { formats.reduce(0) { $0 +| $1.bytes } }

  mutating func survey(_ entries: [CorpusEntry], _ sample: FolderSample, notice: (String) -> Void) {
    let drawn = Dictionary(grouping: sample.entries, by: FolderSample.format)
    formats = Dictionary(grouping: entries, by: FolderSample.format).map { name, files in
      Format(
        name: name, files: files.count, bytes: files.reduce(0) { $0 +| $1.fileBytes },
        sample: drawn[name]?.count ?? 0)
    }.sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
    for entry in entries {
      switch entry.contents {
      case .success(let found)?: add(found, of: FolderSample.format(entry))
      case .failure(let failure)?:
        notice("what “\(entry.identity.name)” holds beside its picture cannot be told: \(failure.message)")
      case nil: break
      }
    }
  }

  mutating func add(_ file: FileContents, of format: String) {
    contents = FileContents.Kind.allCases.compactMap { kind in
      let known = contents.first { $0.kind == kind }
      guard let share = file.shares[kind] else { return known }
      var content = known ?? Content(kind: kind)
      content.files += 1
      content.count +|= share.count
      content.bytes +|= share.bytes
      content.formats[format, default: 0] += 1
      return content
    }
  }

  /// The programs that convert the folder's formats to a codec, those of most bytes first.
  func tools(for variant: CodecVariant) -> [ConversionTool] {
    formats.map { ConversionTool.of(variant, from: $0.name) }.reduce(into: []) {
      if !$0.contains($1) { $0.append($1) }
    }
  }
}

extension FileContents.Kind {
  var title: String {
    switch self {
    case .exif: "Exif metadata"
    case .xmp: "XMP metadata"
    case .furtherXMP: "extended XMP, further packets"
    case .textMetadata: "Exif, XMP as PNG text"
    case .iptc: "IPTC metadata"
    case .icc: "ICC profile"
    case .exifThumbnail: "thumbnail in Exif"
    case .thumbnail: "other thumbnails, previews"
    case .depth: "depth maps"
    case .gainMap: "gain maps (HDR)"
    case .auxiliary: "other auxiliary images"
    case .alpha: "transparency"
    case .pictures: "further pictures, bursts"
    case .sequence: "sequences, motion photos"
    case .deepSamples: "more than 8 bits"
    case .comment: "comments, text"
    case .other: "other data"
    }
  }
}

/// A sample with files of every kind in a folder, since savings depend on the format most of all.
struct FolderSample {
  let entries: [CorpusEntry]
  /// The order in which to measure them, as places in `entries`: as drawn, kind by kind in proportion, so that the files
  /// done at any time are a sample themselves. Of those that the first interval takes, the small ones come first.
  let order: [Int]
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
    var drawn: [(file: Int, turn: Double)] = []
    for (number, group) in groups.enumerated() {
      let places = FileSample.drawn(
        groups.count == 1 ? size : parts[number], of: group.files.count,
        seed: seed &+ UInt64(number) &* 0xD1B5_4A32_D192_ED03)
      // Two of each kind, and then all kinds by turns.
      drawn += places.enumerated().map { turn, place in
        (group.files[place], turn < 2 ? Double(turn - 2) : Double(turn) / Double(places.count))
      }
    }
    let sorted = drawn.map(\.file).sorted()
    entries = sorted.map { usable[$0] }
    let turns = drawn.sorted { ($0.turn, $0.file) < ($1.turn, $1.file) }.map(\.file)
    let first = turns.prefix(max(Bootstrap.minimumImages, 2 * groups.count)).sorted { a, b in
      (usable[a].pixels, a) < (usable[b].pixels, b)
    }
    let places = Dictionary(sorted.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    order = (first + turns.dropFirst(first.count)).compactMap { places[$0] }
    kinds = groups.map { group in
      FileKind(
        count: group.files.count,
        bytes: group.files.reduce(0) { $0 +| usable[$1].fileBytes },
        pixels: group.files.reduce(0) { $0 + Double(usable[$1].file.pixels) })
    }
    kindOfFormat = Dictionary(
      groups.enumerated().flatMap { number, group in group.formats.map { ($0, number) } },
      uniquingKeysWith: { first, _ in first })
  }

  func kind(of entry: CorpusEntry) -> Int { kindOfFormat[Self.format(entry)] ?? 0 }

  static func format(_ entry: CorpusEntry) -> String { entry.header?.format ?? "unknown" }
}

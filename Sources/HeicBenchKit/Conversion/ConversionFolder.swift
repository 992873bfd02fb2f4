import Analysis
import CodecKit
import Model
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

  /// A kind of content beside the pictures, summed over all files.
  struct Content: Sendable {
    var kind: FileContents.Kind
    var files = 0
    var count = 0
    var bytes = 0
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
  /// Bytes of metadata that a converter copies: Exif with its thumbnail, and XMP. Encoded files include profiles.
  var keptBytes: [ImageIdentity: Int] = [:]
  var sample: Int
  var seed: UInt64

  var files: Int { formats.reduce(0) { $0 + $1.files } }
  var bytes: Int { formats.reduce(0) { saturatingSum($0, $1.bytes) } }

  mutating func survey(
    _ entries: [CorpusEntry], _ sample: FolderSample, by describer: any FileDescriber,
    notice: (String) -> Void
  ) throws {
    let drawn = Dictionary(grouping: sample.entries, by: FolderSample.format)
    formats = Dictionary(grouping: entries, by: FolderSample.format).map { name, files in
      Format(
        name: name, files: files.count, bytes: files.reduce(0) { saturatingSum($0, $1.fileBytes) },
        sample: drawn[name]?.count ?? 0)
    }.sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
    let files = entries.map { FileToDescribe(path: $0.path, bytes: $0.fileBytes) }
    for (entry, file) in zip(entries, try describer.describe(files, as: .contents) { _ in }) {
      guard let found = file.contents else {
        let reason = file.problem?.message ?? "it cannot be read"
        notice("what “\(entry.identity.name)” holds beside its picture cannot be told: \(reason)")
        continue
      }
      add(found)
      let kept = [.exif, .exifThumbnail, .xmp].map(found.bytes(of:)).reduce(0, saturatingSum)
      keptBytes[entry.identity] = min(kept, file.fileBytes)
    }
  }

  mutating func add(_ file: FileContents) {
    contents = FileContents.Kind.allCases.compactMap { kind in
      let known = contents.first { $0.kind == kind }
      guard let share = file.shares[kind] else { return known }
      return Content(
        kind: kind, files: (known?.files ?? 0) + 1, count: saturatingSum(known?.count ?? 0, share.count),
        bytes: saturatingSum(known?.bytes ?? 0, share.bytes))
    }
  }
}

/// The fate of contents in a conversion with the usual tools. Each was tried; docs/convert-check.md lists the commands
/// and versions.
enum ConversionFate {
  static func tool(for variant: CodecVariant) -> String {
    if recompresses(variant) { return "cjxl, of JPEG alone" }
    switch variant.codec {
    case "heic", "avif": return "heif-enc"
    case "webp": return "cwebp"
    case "jxl": return "cjxl"
    case "jpeg": return "heif-convert, of HEIC alone"
    default: return variant.codec
    }
  }

  /// `kept`, `lost`, or what else becomes of it.
  static func of(_ kind: FileContents.Kind, in variant: CodecVariant) -> String {
    // Recompression restores the JPEG file bit for bit, with all its content.
    if recompresses(variant) { return "kept" }
    switch (variant.codec, kind) {
    case ("webp", .exif), ("webp", .exifThumbnail), ("webp", .xmp), ("webp", .icc):
      return "with -metadata all"
    case ("jxl", .exif), ("jxl", .exifThumbnail), ("jxl", .xmp): return "lost"
    case (_, .exif), (_, .exifThumbnail), (_, .xmp), (_, .icc): return "kept"
    case ("jpeg", .depth), ("jpeg", .auxiliary), ("jpeg", .gainMap):
      return "files of their own with --with-aux"
    case ("heic", .alpha), ("avif", .alpha), ("webp", .alpha), ("jxl", .alpha): return "kept"
    case ("heic", .deepSamples), ("avif", .deepSamples): return "10 bits"
    case ("jxl", .deepSamples): return "kept"
    default: return "lost"
    }
  }

  private static func recompresses(_ variant: CodecVariant) -> Bool {
    variant.settings["recompress"] == "true"
  }
}

extension FileContents.Kind {
  var title: String {
    switch self {
    case .exif: "Exif metadata"
    case .xmp: "XMP metadata"
    case .iptc: "IPTC metadata"
    case .icc: "ICC profile"
    case .exifThumbnail: "thumbnail in Exif"
    case .thumbnail: "other thumbnails, previews"
    case .depth: "depth maps"
    case .gainMap: "gain maps (HDR)"
    case .auxiliary: "other auxiliary images"
    case .alpha: "alpha images"
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
        bytes: group.files.reduce(0) { saturatingSum($0, usable[$1].fileBytes) },
        pixels: group.files.reduce(0) { $0 + Double(usable[$1].file.pixels) })
    }
    kindOfFormat = Dictionary(
      groups.enumerated().flatMap { number, group in group.formats.map { ($0, number) } },
      uniquingKeysWith: { first, _ in first })
  }

  func kind(of entry: CorpusEntry) -> Int { kindOfFormat[Self.format(entry)] ?? 0 }

  static func format(_ entry: CorpusEntry) -> String { entry.header?.format ?? "unknown" }
}

import CodecKit
import Model
import Reports
import Store
import Workers

/// Facts about every file of a folder, found without decoding.
struct ConversionFolder: Sendable {
  struct Format: Sendable {
    /// By content, such as `jpeg` or `heic`.
    var name: String
    var files = 0
    var bytes = 0
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
  /// Files that cannot be used and are in no figure.
  var unusable: [String] = []
  var contents: [Content] = []
  /// Bytes of metadata that a converter copies: Exif with its thumbnail, and XMP. Encoded files include profiles.
  var keptBytes: [ImageIdentity: Int] = [:]
  var sample: Int
  var seed: UInt64
  /// True if the work was interrupted; figures then cover only the files done and are not projected.
  var isUnfinished = false

  var files: Int { formats.reduce(0) { $0 + $1.files } }
  var bytes: Int { formats.reduce(0) { Self.sum($0, $1.bytes) } }

  mutating func survey(
    _ entries: [CorpusEntry], _ sample: FolderSample, registry: CodecRegistry, notice: (String) -> Void
  ) {
    var byFormat: [String: Format] = [:]
    for entry in entries {
      let name = FolderSample.format(entry)
      var format = byFormat[name] ?? Format(name: name)
      format.files += 1
      format.bytes = Self.sum(format.bytes, entry.fileBytes)
      byFormat[name] = format
      do {
        let file = try SourceFile.bytes(at: entry.path)
        let found = try registry.reader(for: file)?.contents(of: file) ?? FileContents()
        add(found)
        let kept = [.exif, .exifThumbnail, .xmp].map(found.bytes(of:)).reduce(0, +)
        keptBytes[entry.identity] = min(kept, file.count)
      } catch {
        notice("what “\(entry.identity.name)” holds beside its picture cannot be told: \(error)")
      }
    }
    for entry in sample.entries { byFormat[FolderSample.format(entry)]?.sample += 1 }
    formats = byFormat.values.sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
  }

  mutating func add(_ file: FileContents) {
    contents = FileContents.Kind.allCases.compactMap { kind in
      let known = contents.first { $0.kind == kind }
      guard let share = file.shares[kind] else { return known }
      return Content(
        kind: kind, files: (known?.files ?? 0) + 1, count: Self.sum(known?.count ?? 0, share.count),
        bytes: Self.sum(known?.bytes ?? 0, share.bytes))
    }
  }

  /// Sizes come from files and may add up to anything.
  private static func sum(_ a: Int, _ b: Int) -> Int {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? .max : sum
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
    case "jpeg": return "heif-convert"
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

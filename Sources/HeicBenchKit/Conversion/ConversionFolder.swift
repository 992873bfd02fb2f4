import Analysis
import Model
import Pixels
import Reports
import Workers

struct ConversionFolder: Sendable {
  struct Format: Sendable {
    /// The format found in the content, such as `jpeg` or `heic`.
    var name: String
    var files: Int
    var bytes: Int
    var sample = 0
  }

  /// A kind of content besides the pictures, summed over all files, and the number of files that have it, by format.
  struct Content: Sendable {
    var kind: FileContents.Kind
    var files = 0
    var count = 0
    var bytes = 0
    var formats: [String: Int] = [:]

    /// What becomes of the content: each fate with its formats, the fate of most files first.
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

    /// `kept`, or `kept (jpeg), not opened (heic)` if it depends on the format.
    func fate(in variant: CodecVariant) -> String {
      let fates = fates(in: variant)
      guard fates.count > 1 else { return fates.first?.fate.text ?? "" }
      return fates.map { "\($0.fate.text) (\($0.formats.joined(separator: ", ")))" }.joined(separator: ", ")
    }
  }

  var name: String
  /// Most bytes first.
  var formats: [Format] = []
  /// Files with the same content as another. They count once.
  var copies = 0
  /// Files that no figure includes, because heicbench does not read them or they are not images.
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
        notice("heicbench cannot list the other contents of “\(entry.identity.name)”: \(failure.message)")
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

  /// The programs that convert the folder's formats to a codec, most bytes first.
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

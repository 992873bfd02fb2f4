import Analysis
import Model
import Pixels

/// A program that converts files to a codec, and what it does with their contents. `ConversionToolTests` runs each with
/// a file of every format; docs/convert-check.md has the table.
struct ConversionTool: Sendable, Hashable {
  enum Fate: Sendable, Hashable {
    case kept, lost
    /// Kept with an option that is off by default.
    case with(String)
    /// Written to separate files with an option.
    case apart(String)
    case tenBits
    /// The program fails and writes no file.
    case fails
    /// The program does not read the source's format.
    case notOpened

    /// True if the converted file has the content.
    var isKept: Bool {
      switch self {
      case .kept, .with, .tenBits: true
      case .lost, .apart, .fails, .notOpened: false
      }
    }

    var text: String {
      switch self {
      case .kept: "kept"
      case .lost: "lost"
      case .with(let option): "with \(option)"
      case .apart(let option): "separate files with \(option)"
      case .tenBits: "10 bits"
      case .fails: "not converted: the program fails"
      case .notOpened: "not opened"
      }
    }
  }

  /// The program, with its Debian 12 release.
  let name, version: String
  /// An option that keeps more, for the printed command; nil if there is none.
  var option: String?
  /// Fates by the source's format. Content without an entry is lost, and a format without an entry is not opened.
  private let fates: [String: [FileContents.Kind: Fate]]

  func opens(_ format: String) -> Bool { fates[format] != nil }

  func fate(of kind: FileContents.Kind, from format: String) -> Fate {
    guard let known = fates[format] else { return .notOpened }
    return known[kind] ?? .lost
  }

  /// Bytes besides the picture that are kept in a converted file. heicbench's own encode has a profile unless it is
  /// sRGB.
  func keptBytes(of contents: FileContents, from format: String, hasOwnProfile: Bool) -> Int {
    contents.shares.reduce(0) { sum, share in
      let isCounted =
        switch share.key {
        case .exif, .exifThumbnail, .xmp, .textMetadata: true
        case .icc: copiesProfiles && !hasOwnProfile
        default: false
        }
      guard isCounted, fate(of: share.key, from: format).isKept else { return sum }
      return sum +| share.value.plainBytes
    }
  }

  /// True for programs that copy a profile byte for byte, even one that says sRGB.
  private let copiesProfiles: Bool

  private init(
    _ name: String, _ version: String, option: String? = nil, copiesProfiles: Bool = true,
    _ fates: [String: [FileContents.Kind: Fate]]
  ) {
    (self.name, self.version, self.option, self.copiesProfiles) = (name, version, option, copiesProfiles)
    self.fates = fates
  }
}

extension ConversionTool {
  /// The program for a codec and files of one format.
  static func of(_ variant: CodecVariant, from format: String) -> ConversionTool {
    if variant.recompresses { return recompression }
    return switch variant.codec {
    case "heic": heifEnc
    case "avif": heifEncToAVIF
    case "webp": cwebp
    case "jxl": cjxl
    case "jpeg": ["heic", "avif"].contains(format) ? heifConvert : cjpeg
    default: ConversionTool(variant.codec, "", [:])
    }
  }

  static let all = [heifEnc, heifEncToAVIF, heifConvert, cwebp, cjxl, recompression, cjpeg]

  static let heifEnc = libheif(deepSamples: .tenBits)
  /// Debian 12's release of aom fails with an assertion if heif-enc gives it 10 bits.
  static let heifEncToAVIF = libheif(deepSamples: .fails)

  private static func libheif(deepSamples: Fate) -> ConversionTool {
    ConversionTool(
      "heif-enc", "1.15.1",
      [
        "jpeg": [.exif: .kept, .exifThumbnail: .kept, .xmp: .kept, .icc: .kept],
        "png": [
          .exif: .kept, .exifThumbnail: .kept, .xmp: .kept, .icc: .kept, .alpha: .kept,
          .deepSamples: deepSamples,
        ],
      ])
  }

  static let heifConvert = ConversionTool(
    "heif-convert", "1.15.1",
    Dictionary(
      uniqueKeysWithValues: ["heic", "avif"].map { format in
        let apart = Fate.apart("--with-aux")
        return (
          format,
          [
            .exif: .kept, .exifThumbnail: .kept, .xmp: .kept, .icc: .kept, .depth: apart, .auxiliary: apart,
            .gainMap: apart,
          ]
        )
      }))

  static let cwebp: ConversionTool = {
    let all = Fate.with("-metadata all")
    return ConversionTool(
      "cwebp", "1.2.4", option: "-metadata all",
      [
        "jpeg": [.exif: all, .exifThumbnail: all, .xmp: all, .icc: all],
        // The program reads Exif that ImageMagick has written as text, but not Exif in PNG's own chunk.
        "png": [.xmp: all, .textMetadata: all, .icc: all, .alpha: .kept],
        "webp": [.exif: all, .exifThumbnail: all, .xmp: all, .icc: all, .alpha: .kept],
        "tiff": [.xmp: all, .icc: all, .alpha: .kept],
        "pnm": [.alpha: .kept],
      ])
  }()

  /// For pixels that are encoded again. The program claims to write Exif and XMP, but release 0.7 does not.
  static let cjxl = ConversionTool(
    "cjxl", "0.7.0", copiesProfiles: false,
    [
      "jpeg": [.icc: .kept], "png": [.icc: .kept, .alpha: .kept, .deepSamples: .kept],
      "pnm": [.alpha: .kept, .deepSamples: .kept],
    ])

  /// The file can be restored bit for bit, with all its content.
  static let recompression = ConversionTool(
    "cjxl", "0.7.0",
    ["jpeg": Dictionary(uniqueKeysWithValues: FileContents.Kind.allCases.map { ($0, .kept) })])

  static let cjpeg = ConversionTool("cjpeg", "2.1.5", ["pnm": [:]])
}

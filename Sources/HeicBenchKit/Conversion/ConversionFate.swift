import Model
import Reports

/// The fate of a kind of content in a conversion with the usual tools. Each was tried; docs/convert-check.md lists the
/// commands and versions.
enum ConversionFate: Sendable, Hashable {
  case kept
  /// In the new file only with this option.
  case option(String)
  /// Altered or moved elsewhere, as the text says.
  case partly(String)
  case lost

  var text: String {
    switch self {
    case .kept: "kept"
    case .option(let option): "with \(option)"
    case .partly(let text): text
    case .lost: "lost"
    }
  }

  /// The tool that makes a codec's files.
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

  static func of(_ kind: FileContents.Kind, in variant: CodecVariant) -> ConversionFate {
    // Recompression restores the JPEG file bit for bit, with all its content.
    if recompresses(variant) { return .kept }
    switch (variant.codec, kind) {
    case ("webp", .exif), ("webp", .exifThumbnail), ("webp", .xmp), ("webp", .icc):
      return .option("-metadata all")
    case ("jxl", .exif), ("jxl", .exifThumbnail), ("jxl", .xmp): return .lost
    case (_, .exif), (_, .exifThumbnail), (_, .xmp), (_, .icc): return .kept
    case ("jpeg", .depth), ("jpeg", .auxiliary), ("jpeg", .gainMap):
      return .partly("files of their own with --with-aux")
    case ("heic", .alpha), ("avif", .alpha), ("webp", .alpha), ("jxl", .alpha): return .kept
    case ("heic", .deepSamples), ("avif", .deepSamples): return .partly("10 bits")
    case ("jxl", .deepSamples): return .kept
    default: return .lost
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

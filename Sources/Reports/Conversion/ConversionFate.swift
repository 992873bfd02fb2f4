import Model

/// What becomes of a kind of content in a conversion, with the tools that people convert with. Each was tried: see
/// docs/convert-check.md for the commands and versions.
enum ConversionFate: Sendable, Hashable {
  /// It is in the new file.
  case kept
  /// It is in the new file with this option, and not without.
  case option(String)
  /// It is not, or not as it was: what becomes of it.
  case partly(String)
  /// It is not in the new file.
  case lost

  /// In a table.
  var text: String {
    switch self {
    case .kept: "kept"
    case .option(let option): "with \(option)"
    case .partly(let text): text
    case .lost: "lost"
    }
  }

  /// How a codec's files are made: by the library's own tool.
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

  /// What a conversion does to a kind.
  static func of(_ kind: FileContents.Kind, in variant: CodecVariant) -> ConversionFate {
    // The JPEG file comes back bit by bit, with all that was in it.
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
  /// The kind for people.
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

/// Formats of pictures and videos that heicbench does not read, so that it can name the files that it skips.
enum ForeignFormat {
  private struct Signature {
    let format: String
    let bytes: [UInt8]
    var offset = 0

    init(_ format: String, _ text: String, at offset: Int = 0) {
      self.init(format, Array(text.utf8), at: offset)
    }

    init(_ format: String, _ bytes: [UInt8], at offset: Int = 0) {
      (self.format, self.bytes, self.offset) = (format, bytes, offset)
    }
  }

  static let raw = "camera raw"
  private static let video = "video"
  private static let jpeg2000 = "JPEG 2000"
  private static let tiff = "TIFF"

  /// Longer signatures come before those that they start with.
  private static let signatures = [
    Signature(raw, "FUJIFILMCCD-RAW"), Signature(raw, "FOVb"), Signature(raw, [0, 0x4D, 0x52, 0x4D]),
    Signature(raw, "IIRO"), Signature(raw, "IIRS"), Signature(raw, "MMOR"),
    Signature(raw, [0x49, 0x49, 0x55, 0]),
    Signature(raw, "ftypcrx ", at: 4), Signature(raw, "HEAPCCDR", at: 6), Signature(raw, "ARRI"),
    Signature(tiff, [0x49, 0x49, 0x2A, 0]), Signature(tiff, [0x4D, 0x4D, 0, 0x2A]),
    Signature(tiff, [0x49, 0x49, 0x2B, 0]), Signature(tiff, [0x4D, 0x4D, 0, 0x2B]),
    Signature("JPEG XR", [0x49, 0x49, 0xBC]), Signature("Photoshop", "8BPS"), Signature("GIF", "GIF87a"),
    Signature("GIF", "GIF89a"), Signature("PDF", "%PDF-"), Signature("PostScript", "%!PS"),
    Signature("PostScript", [0xC5, 0xD0, 0xD3, 0xC6]),
    Signature(jpeg2000, [0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20]),
    Signature(jpeg2000, [0xFF, 0x4F, 0xFF, 0x51]),
    Signature("JPEG XL", [0, 0, 0, 0x0C] + Array("JXL ".utf8)), Signature("JPEG XL", [0xFF, 0x0A]),
    Signature("JPEG-LS", [0xFF, 0xD8, 0xFF, 0xF7]), Signature("WebP", "WEBP", at: 8),
    Signature("OpenEXR", [0x76, 0x2F, 0x31, 0x01]), Signature("Radiance HDR", "#?RADIANCE"),
    Signature("Radiance HDR", "#?RGBE"), Signature("DDS", "DDS "),
    Signature("KTX", [0xAB] + Array("KTX ".utf8)),
    Signature("icon", [0, 0, 1, 0]), Signature("icon", [0, 0, 2, 0]), Signature("icon", "icns"),
    Signature("GIMP", "gimp xcf"), Signature("DjVu", "AT&TFORM"), Signature("FITS", "SIMPLE  ="),
    Signature("DICOM", "DICM", at: 128), Signature("QOI", "qoif"),
    Signature("BPG", [0x42, 0x50, 0x47, 0xFB]),
    Signature("FLIF", "FLIF"), Signature("farbfeld", "farbfeld"), Signature("DPX", "SDPX"),
    Signature("DPX", "XPDS"),
    Signature("SGI image", [0x01, 0xDA, 0x00]), Signature("SGI image", [0x01, 0xDA, 0x01]),
    Signature("Sun raster", [0x59, 0xA6, 0x6A, 0x95]), Signature("PFM", "PF\n"), Signature("PFM", "Pf\n"),
    Signature("Windows metafile", [0xD7, 0xCD, 0xC6, 0x9A]), Signature("Windows metafile", " EMF", at: 40),
    Signature(video, "ftyp", at: 4), Signature(video, "moov", at: 4), Signature(video, "mdat", at: 4),
    Signature(video, "wide", at: 4), Signature(video, [0x1A, 0x45, 0xDF, 0xA3]),
    Signature(video, "AVI LIST", at: 8),
    Signature(video, [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]), Signature(video, "FLV\u{1}"),
    Signature(video, [0, 0, 1, 0xBA]), Signature(video, [0, 0, 1, 0xB3]),
  ]

  /// Formats by file name extension. Extensions of raw files come first, because most raw files begin like TIFF.
  private static let endings: [String: String] = Dictionary(
    [
      (
        raw,
        "dng cr2 cr3 crw nef nrw arw srf sr2 orf ori rw2 rwl raw raf pef ptx srw 3fr fff iiq cap mos mef mrw dcr kdc k25 "
          + "erf x3f gpr bay ari rwz"
      ), (tiff, "tif tiff btf tf8"), ("Photoshop", "psd psb"), ("BMP", "bmp dib"), ("GIF", "gif"),
      ("SVG", "svg svgz"), ("PDF", "pdf"), ("PostScript", "eps epsf ps ai"),
      (jpeg2000, "jp2 j2k jpf jpx j2c jpc jpm jph jhc"), ("JPEG XR", "jxr wdp hdp"), ("JPEG-LS", "jls"),
      ("TGA", "tga targa icb vda vst"), ("OpenEXR", "exr"), ("Radiance HDR", "hdr rgbe"), ("DDS", "dds"),
      ("KTX", "ktx ktx2"), ("icon", "ico cur icns"), ("GIMP", "xcf"), ("DjVu", "djvu djv"),
      ("FITS", "fits fit fts"),
      ("DICOM", "dcm dicom"), ("QOI", "qoi"), ("BPG", "bpg"), ("FLIF", "flif"), ("farbfeld", "ff"),
      ("DPX", "dpx cin"),
      ("SGI image", "sgi rgb rgba bw"), ("Sun raster", "ras"), ("PFM", "pfm"), ("PCX", "pcx dcx"),
      ("PICT", "pict pct"),
      ("Windows metafile", "wmf emf"),
      ("Affinity, Sketch or similar", "afphoto afdesign sketch kra clip procreate"),
      (
        video,
        "mov mp4 m4v avi mkv webm mpg mpeg mts m2ts m2t 3gp 3g2 wmv asf flv ogv insv lrv"
      ),
    ].flatMap { format, endings in endings.split(separator: " ").map { (String($0), format) } },
    uniquingKeysWith: { first, _ in first })

  /// The format of a file that no reader recognises, by its first bytes and its name; nil if it is neither a picture nor a
  /// video.
  static func format(_ head: [UInt8], path: [UInt8]) -> String? {
    guard !head.dropFirst(4).starts(with: Array("ftypM4A".utf8)) else { return nil }
    let named = ImageFileName.ending(of: path).flatMap { endings[$0] }
    if named == raw { return raw }
    return signatures.first { head.dropFirst($0.offset).starts(with: $0.bytes) }?.format ?? bitmap(head)
      ?? vectors(head) ?? named
  }

  /// True for a file that only its name distinguishes from a readable format, such as DNG or NEF from TIFF.
  static func isCameraRaw(_ path: [UInt8], for reader: any ImageReader) -> Bool {
    reader.formats.contains(tiff) && ImageFileName.ending(of: path).flatMap { endings[$0] } == raw
  }

  /// BMP: two letters, the file's length, and zeros.
  private static func bitmap(_ head: [UInt8]) -> String? {
    head.starts(with: Array("BM".utf8)) && head.dropFirst(6).starts(with: [0, 0, 0, 0]) ? "BMP" : nil
  }

  private static func vectors(_ head: [UInt8]) -> String? {
    let start = String(decoding: head, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    return start.hasPrefix("<svg") || start.hasPrefix("<?xml") && start.contains("<svg") ? "SVG" : nil
  }
}

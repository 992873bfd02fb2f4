package import Model

/// Explains why a file that has an image's name is not recognised by any reader.
package enum UnknownContent {
  /// The number of bytes at a file's beginning that `failure` inspects.
  package static let looksAt = 512
  /// Every format's signature and smallest header take at least this many bytes.
  private static let shortest = 12

  package static func failure(_ head: [UInt8], size: Int) -> Failure {
    Failure(kind: .source, message: "not an image: \(cause(head, size: size))")
  }

  private static func cause(_ head: [UInt8], size: Int) -> String {
    guard size > 0 else { return "the file is empty" }
    let text = text(head)
    if text?.hasPrefix("version https://git-lfs.github.com/spec/") == true {
      return "a Git LFS pointer instead of the image; run “git lfs pull” to fetch the image"
    }
    if let format = otherFormat(head) {
      return "\(format), which heicbench does not read; convert it to PNG"
    }
    guard size >= shortest else { return size == 1 ? "only 1 byte" : "only \(size) bytes" }
    guard let text else {
      let bytes = head.prefix(4).map(\.hexadecimal)
      return "unknown bytes, beginning with \(bytes.joined(separator: " "))"
    }
    let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.prefix(15).lowercased()
    if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") {
      return "an HTML page, probably from a failed download; fetch the image again"
    }
    return "it contains text"
  }

  private static func otherFormat(_ head: [UInt8]) -> String? {
    func has(_ bytes: [UInt8], at offset: Int = 0) -> Bool { head.dropFirst(offset).starts(with: bytes) }
    if has(Array("GIF8".utf8)) { return "a GIF image" }
    if has(Array("RIFF".utf8)), has(Array("WEBP".utf8), at: 8) { return "a WebP image" }
    if has([0x49, 0x49, 0x2A, 0]) || has([0x4D, 0x4D, 0, 0x2A]) {
      return "a TIFF image or a camera's raw file"
    }
    if has([0xFF, 0x0A]) || has([0, 0, 0, 0x0C] + Array("JXL ".utf8)) { return "a JPEG XL image" }
    if has(Array("BM".utf8)), has([0, 0, 0, 0], at: 6) { return "a BMP image" }
    if has(Array("ftypmif3".utf8), at: 4) { return "a HEIC or AVIF image with the short header “mini”" }
    if has(Array("ftyp".utf8), at: 4) { return "another kind of file from the HEIC and MP4 family" }
    return nil
  }

  /// The bytes as text; nil if they are not text. The last character may be incomplete.
  private static func text(_ head: [UInt8]) -> String? {
    for cut in 0...min(3, head.count) {
      guard let text = String(validating: head.dropLast(cut), as: UTF8.self) else { continue }
      let isText = text.unicodeScalars.allSatisfy { $0.value >= 32 || (9...13).contains($0.value) }
      return isText ? text : nil
    }
    return nil
  }
}

/// File name extensions of the image formats that heicbench reads.
///
/// Content decides what a file is. A name only shows that someone meant the file to be an image, so skipping it
/// silently would measure less than intended.
package enum ImageFileName {
  private static let endings: Set<String> = [
    "png", "apng", "jpg", "jpeg", "jpe", "jfif", "heic", "heics", "heif", "heifs", "hif", "avif", "avifs",
    "webp", "jxl", "tif", "tiff", "ppm", "pgm", "pnm", "pbm", "pam",
  ]

  package static func isOne(_ path: [UInt8]) -> Bool { ending(of: path).map(endings.contains) ?? false }

  /// The extension of a name, in lower case; nil without one.
  package static func ending(of path: [UInt8]) -> String? {
    let last = path.split(separator: UInt8(ascii: "/")).last ?? []
    guard let dot = last.lastIndex(of: UInt8(ascii: ".")), dot > last.startIndex else { return nil }
    return String(decoding: last[(dot + 1)...], as: UTF8.self).lowercased()
  }
}

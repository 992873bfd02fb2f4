/// Names under which people keep images of the formats that heicbench reads.
///
/// What a file is, its content decides. A name only says that someone took the file for an image, and so that
/// leaving it aside in silence would measure less than was meant.
enum ImageFileName {
  private static let endings: Set<String> = [
    "png", "apng", "jpg", "jpeg", "jpe", "jfif", "heic", "heics", "heif", "heifs", "hif", "avif", "avifs",
    "webp", "jxl", "ppm", "pgm", "pnm", "pbm", "pam",
  ]

  /// Whether the last component of a path ends as an image's name does, in capitals or not.
  static func isOne(_ path: [UInt8]) -> Bool {
    let last = path.split(separator: UInt8(ascii: "/")).last ?? []
    guard let dot = last.lastIndex(of: UInt8(ascii: ".")), dot > last.startIndex else { return false }
    return endings.contains(String(decoding: last[(dot + 1)...], as: UTF8.self).lowercased())
  }
}

/// File name endings of the image formats that heicbench reads.
///
/// Content decides what a file is. A name only shows that someone took the file for an image, so that leaving it aside
/// silently would measure less than was meant.
enum ImageFileName {
  private static let endings: Set<String> = [
    "png", "apng", "jpg", "jpeg", "jpe", "jfif", "heic", "heics", "heif", "heifs", "hif", "avif", "avifs",
    "webp", "jxl", "ppm", "pgm", "pnm", "pbm", "pam",
  ]

  /// True if the last component of a path ends like an image's name, in upper or lower case.
  static func isOne(_ path: [UInt8]) -> Bool {
    let last = path.split(separator: UInt8(ascii: "/")).last ?? []
    guard let dot = last.lastIndex(of: UInt8(ascii: ".")), dot > last.startIndex else { return false }
    return endings.contains(String(decoding: last[(dot + 1)...], as: UTF8.self).lowercased())
  }
}

import Model

/// The path of an encoded file below the folder of `--keep-encoded`.
enum EncodedFileName {
  /// The longest name of a file or folder that every common file system accepts, with room for a suffix.
  private static let longest = 200
  private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+=, ".utf8)

  /// A relative path that no other point has: `photos/beach.png/heic-chroma=444-q0.85.heic`.
  static func path(image: String, variant: CodecVariant, quality: Quality, fileExtension: String) -> String {
    let folders = image.split(separator: "/").map { component($0) }
    let settings = variant.settings.isEmpty ? "" : "-\(variant.canonicalSettings)"
    let file = component("\(variant.codecAndBuild)\(settings)-q\(quality)") + ".\(fileExtension)"
    return (folders + [file]).joined(separator: "/")
  }

  /// Escapes a name as one path component: unusual characters, and names made only of dots, as `%XX`. Long names are
  /// cut, and a hash of the whole name is appended.
  static func component(_ name: some StringProtocol) -> String {
    var text = ""
    let onlyDots = name.allSatisfy { $0 == "." }
    for byte in name.utf8 {
      if plain.contains(byte), !onlyDots {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        text += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    guard text.utf8.count > longest else { return text }
    let hash = SHA256.hexDigest(of: Array(name.utf8)).prefix(16)
    return "\(text.prefix(longest - 17))~\(hash)"
  }
}

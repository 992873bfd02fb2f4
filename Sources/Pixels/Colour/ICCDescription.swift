/// Reads an ICC profile's description and code points, in pure Swift, with every offset checked.
enum ICCDescription {
  /// The text of the tag `desc`, in ICC.1:2001 (`desc`) or ICC.1:2010 (`mluc`) form, if any.
  static func text(of profile: [UInt8]) -> String? {
    guard let start = start(of: "desc", in: profile) else { return nil }
    let tag = profile.dropFirst(start)
    return printable(
      tag.starts(with: "mluc".utf8) ? localised(profile, at: start) : ascii(profile, at: start))
  }

  /// The code points in the tag `cicp` (ICC.1:2022, 10.3), if any.
  static func codePoints(of profile: [UInt8]) -> CodePoints? {
    guard let start = start(of: "cicp", in: profile), start <= profile.count - 10,
      profile[start...].starts(with: "cicp".utf8)
    else { return nil }
    return CodePoints(primaries: Int(profile[start + 8]), transfer: Int(profile[start + 9]))
  }

  private static func start(of name: String, in profile: [UInt8]) -> Int? {
    guard let count = integer(profile, at: 128), count <= 1024 else { return nil }
    for entry in (0..<count).lazy.map({ 132 + 12 * $0 })
    where profile.dropFirst(entry).starts(with: name.utf8) {
      return integer(profile, at: entry + 4)
    }
    return nil
  }

  private static func ascii(_ profile: [UInt8], at start: Int) -> String? {
    guard let count = integer(profile, at: start + 8), count <= profile.count else { return nil }
    let bytes = profile.dropFirst(start + 12).prefix(count).prefix { $0 != 0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The first record of a multi-localised text.
  private static func localised(_ profile: [UInt8], at start: Int) -> String? {
    guard let length = integer(profile, at: start + 20), let offset = integer(profile, at: start + 24),
      length <= profile.count
    else { return nil }
    let bytes = Array(profile.dropFirst(start + offset).prefix(length))
    let units = stride(from: 0, to: bytes.count - 1, by: 2).map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
    return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
  }

  /// At most 80 characters without control characters; nil if empty.
  private static func printable(_ text: String?) -> String? {
    let characters = (text ?? "").unicodeScalars.filter { $0.properties.generalCategory != .control }
    let shown = String(String.UnicodeScalarView(characters).prefix(80))
    return shown.isEmpty ? nil : shown
  }

  private static func integer(_ profile: [UInt8], at offset: Int) -> Int? {
    guard offset >= 0, offset <= profile.count - 4 else { return nil }
    return profile[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }
}

extension ColorProfile {
  /// Name of the profile: `sRGB`, the description in the ICC profile, or `ICC profile`.
  package var title: String {
    switch self {
    case .sRGB: "sRGB"
    case .icc(let bytes): ICCDescription.text(of: bytes) ?? "ICC profile"
    case .light(let light): light.title
    }
  }
}

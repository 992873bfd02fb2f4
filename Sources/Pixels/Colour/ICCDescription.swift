/// Reads an ICC profile's description and code points, in pure Swift, with every offset checked.
enum ICCDescription {
  /// The text of the `desc` tag, in ICC.1:2001 (`desc`) or ICC.1:2010 (`mluc`) form, if any.
  static func text(of profile: [UInt8]) -> String? {
    let reader = ByteReader(profile)
    guard let start = start(of: "desc", in: reader) else { return nil }
    return printable(
      reader.has("mluc".utf8, at: start) ? localised(reader, at: start) : ascii(reader, at: start))
  }

  /// The code points in the `cicp` tag (ICC.1:2022, 10.3), if any.
  static func codePoints(of profile: [UInt8]) -> CodePoints? {
    let reader = ByteReader(profile)
    guard let start = start(of: "cicp", in: reader), reader.has("cicp".utf8, at: start),
      let primaries = reader.byte(at: start +| 8), let transfer = reader.byte(at: start +| 9)
    else { return nil }
    return CodePoints(primaries: primaries, transfer: transfer)
  }

  private static func start(of name: String, in profile: ByteReader) -> Int? {
    guard let count = profile.long(at: 128), count <= 1024 else { return nil }
    for entry in count.indices.lazy.map({ 132 +| 12 *| $0 }) where profile.has(name.utf8, at: entry) {
      return profile.long(at: entry +| 4)
    }
    return nil
  }

  private static func ascii(_ profile: ByteReader, at start: Int) -> String? {
    guard let count = profile.long(at: start +| 8), count <= profile.count,
      let bytes = profile.rest(from: start +| 12)
    else { return nil }
    return String(decoding: bytes.beginning(count).prefix { $0 != 0 }, as: UTF8.self)
  }

  /// The first record of a multi-localised text.
  private static func localised(_ profile: ByteReader, at start: Int) -> String? {
    guard let length = profile.long(at: start +| 20), let offset = profile.long(at: start +| 24),
      length <= profile.count, let bytes = profile.rest(from: start +| offset)?.beginning(length),
      let units = ByteReader(bytes).words(at: 0, count: bytes.count / 2)
    else { return nil }
    return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
  }

  /// At most 80 characters without control characters; nil if empty.
  private static func printable(_ text: String?) -> String? {
    let characters = (text ?? "").unicodeScalars.filter { $0.properties.generalCategory != .control }
    let shown = String(String.UnicodeScalarView(characters).prefix(80))
    return shown.isEmpty ? nil : shown
  }
}

extension ColorProfile {
  /// The name of the profile: `sRGB`, the description in the ICC profile, or `ICC profile`.
  package var title: String {
    switch self {
    case .sRGB: "sRGB"
    case .icc(let bytes): ICCDescription.text(of: bytes) ?? "ICC profile"
    case .light(let light): light.title
    }
  }
}

import CodecKit

/// What matters here in a packet of XMP: what further images are for. The text is searched and not parsed, so that
/// nothing in it can cost more than its length.
struct XMPText {
  /// The most of a packet that is searched; the parts that matter stand at its beginning.
  private static let searched = 1 << 16

  private let text: String

  /// Takes the bytes of a packet.
  init(_ bytes: ArraySlice<UInt8>) { text = String(decoding: bytes.prefix(Self.searched), as: UTF8.self) }

  /// Whether the picture with this packet is a gain map: by Adobe's and Google's parameters, or Apple's type. A first
  /// picture names the version too, but has a directory of what follows.
  var isGainMap: Bool {
    if text.contains("aux:hdrgainmap") { return true }
    return text.contains("hdrgm:GainMapMax") || (text.contains("hdrgm:Version") && semantics.isEmpty)
  }

  /// Whether the picture with this packet is a depth map, by the type of auxiliary image that Apple writes.
  var isDepthMap: Bool {
    guard let name = text.firstRange(of: "AuxiliaryImageType") else { return false }
    let type = text[name.upperBound...].prefix(64).lowercased()
    return ["depth", "disparity", "urn:mpeg:hevc:2015:auxid:2"].contains { type.contains($0) }
  }

  /// Whether the packet's extension holds a depth map, as Google's GDepth does.
  var holdsDepth: Bool { text.contains("GDepth:Mime") || text.contains("GDepth:Format") }

  /// What the pictures after the first are for, by the container directory of Ultra HDR and of dynamic depth.
  var semantics: [String] {
    var found: [String] = []
    var rest = text[...]
    while let range = rest.firstRange(of: "Item:Semantic=\""), found.count < 100 {
      rest = rest[range.upperBound...]
      found.append(String(rest.prefix { $0 != "\"" }))
    }
    return Array(found.drop { $0 == "Primary" })
  }
}

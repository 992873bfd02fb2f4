import CodecKit

/// Purposes of further images from a packet of XMP. Searches rather than parses it, which bounds the cost.
struct XMPText {
  /// Bytes searched; the relevant parts come first.
  private static let searched = 1 << 16

  private let text: String

  init(_ bytes: ArraySlice<UInt8>) { text = String(decoding: bytes.prefix(Self.searched), as: UTF8.self) }

  /// True for a gain map by Adobe's, Google's or Apple's marks. A first picture has the version too, and a directory.
  var isGainMap: Bool {
    if text.contains("aux:hdrgainmap") { return true }
    return text.contains("hdrgm:GainMapMax") || (text.contains("hdrgm:Version") && semantics.isEmpty)
  }

  /// True for a depth map, by the auxiliary image type that Apple writes.
  var isDepthMap: Bool {
    guard let name = text.firstRange(of: "AuxiliaryImageType") else { return false }
    let type = text[name.upperBound...].prefix(64).lowercased()
    return ["depth", "disparity", "urn:mpeg:hevc:2015:auxid:2"].contains { type.contains($0) }
  }

  /// True if the packet's extension holds a depth map, as in Google's GDepth.
  var holdsDepth: Bool { text.contains("GDepth:Mime") || text.contains("GDepth:Format") }

  /// Purposes of the pictures after the first, by the container directory of Ultra HDR and dynamic depth.
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

import CodecKit
import Foundation
import Pixels

// The binary form of ISO 21496-1, annex C.2, in a JPEG segment of the gain map, and, after a version byte of 0, in the
// data of a `tmap` item.
extension GainMapMetadata {
  static let isMultichannel = 0x80
  static let usesBase = 0x40
  /// Flags from an early draft, used in files of libultrahdr.
  private static let hasCommonDenominator = 0x08
  private static let isBackward = 0x04

  /// Reads the data of a `tmap` item.
  init(item: ArraySlice<UInt8>) throws(CodecError) {
    guard let version = item.first, version == 0 else {
      throw .unsupported("a tone-mapped image of version \(item.first ?? 0)")
    }
    try self.init(iso: item.dropFirst())
  }

  init(iso bytes: ArraySlice<UInt8>) throws(CodecError) {
    var reader = BoxScanner(bytes, fault: .malformed("the gain map's metadata end early"))
    let (minimum, writer) = (try reader.number(2), try reader.number(2))
    guard minimum == 0 else { throw .unsupported("a gain map of version \(minimum) of ISO 21496-1") }
    let flags = try reader.number(1)
    guard flags & Self.isBackward == 0 else {
      throw .unsupported("a gain map from HDR to SDR that follows a draft of ISO 21496-1")
    }
    let denominator = flags & Self.hasCommonDenominator == 0 ? nil : try reader.number(4)
    func fraction(_ name: String, isSigned: Bool = false) throws(CodecError) -> Double {
      let over = try reader.number(4)
      let under = if let denominator { denominator } else { try reader.number(4) }
      guard under > 0 else { throw .malformed("the gain map's \(name) has a denominator of 0") }
      return (isSigned ? Double(Int32(truncatingIfNeeded: over)) : Double(over)) / Double(under)
    }
    let (base, alternate) = (try fraction("base headroom"), try fraction("alternate headroom"))
    var channels: [Channel] = []
    for _ in (flags & Self.isMultichannel == 0 ? 1 : 3).indices {
      var channel = Channel()
      channel.minimum = try fraction("minimum", isSigned: true)
      channel.maximum = try fraction("maximum", isSigned: true)
      channel.gamma = try fraction("gamma")
      channel.baseOffset = try fraction("base offset", isSigned: true)
      channel.alternateOffset = try fraction("alternate offset", isSigned: true)
      channels.append(channel)
    }
    guard writer > 0 || reader.remaining == 0 else {
      throw .malformed("the gain map's metadata are \(reader.remaining) bytes too long")
    }
    self = try .checked(
      .iso, channels, base, alternate, usesBaseColours: flags & Self.usesBase != 0)
  }

  /// Returns metadata that can be applied. Throws `malformed` with the name of the first impossible value.
  static func checked(
    _ kind: Kind, _ channels: [Channel], _ base: Double, _ alternate: Double, usesBaseColours: Bool = true
  ) throws(CodecError) -> GainMapMetadata {
    do {
      return try GainMapMetadata(
        kind, channels: channels, baseHeadroom: base, alternateHeadroom: alternate,
        usesBaseColours: usesBaseColours)
    } catch { throw .malformed(error.description) }
  }
}

import CodecKit
import Pixels

/// Code points from a coded image's own headers, for files whose boxes state none; nil for headers too short or rare.
enum BitstreamColour {
  /// The code points in the sequence parameter sets of an `hvcC` box (ISO/IEC 14496-15, 8.3.3.1).
  static func codePoints(hvcC payload: ArraySlice<UInt8>) -> CodePoints? {
    var reader = BoxScanner(payload.dropFirst(22))
    guard let kinds = try? reader.number(1) else { return nil }
    for _ in kinds.indices {
      guard let type = try? reader.number(1), let count = try? reader.number(2) else { return nil }
      for _ in count.indices {
        guard let length = try? reader.number(2), let unit = try? reader.take(length) else { return nil }
        guard type & 63 == 33 else { continue }
        var bits = BitReader(unescaped(unit)[...])
        if let points = try? parameterSet(&bits) { return points }
      }
    }
    return nil
  }

  /// The code points in the first sequence header among OBUs (AV1, 5.3.2).
  static func codePoints(obus: ArraySlice<UInt8>) -> CodePoints? {
    var bits = BitReader(obus)
    while let header = try? bits.number(8) {
      if header & 4 != 0 { guard (try? bits.number(8)) != nil else { return nil } }
      let isSized = header & 2 != 0
      guard let size = isSized ? try? bits.leb128() : 0 else { return nil }
      if header >> 3 & 15 == 1 { return try? sequenceHeader(&bits) }
      guard isSized, (try? bits.skip(size *| 8)) != nil else { return nil }
    }
    return nil
  }

  // MARK: AV1

  /// Reads `sequence_header_obu` (AV1, 5.5.1) up to the colours.
  private static func sequenceHeader(_ bits: inout BitReader) throws(CodecError) -> CodePoints? {
    let profile = try bits.number(3)
    try bits.skip(1)
    let isReduced = try bits.flag()
    if isReduced {
      try bits.skip(5)
    } else {
      // Only video has timing information.
      guard try !bits.flag() else { return nil }
      let hasDelay = try bits.flag()
      for _ in (try bits.number(5) +| 1).indices {
        try bits.skip(12)
        if try bits.number(5) > 7 { try bits.skip(1) }
        if hasDelay, try bits.flag() { try bits.skip(4) }
      }
    }
    let (width, height) = (try bits.number(4), try bits.number(4))
    try bits.skip(width +| height +| 2)
    if !isReduced, try bits.flag() { try bits.skip(7) }
    try bits.skip(3)
    if !isReduced { try skipTools(&bits) }
    try bits.skip(3)
    let isHigh = try bits.flag()
    if profile == 2, isHigh { try bits.skip(1) }
    if profile != 1 { try bits.skip(1) }
    return try bits.flag() ? try bits.codePoints() : nil
  }

  /// Skips the tools that only a header of several frames lists.
  private static func skipTools(_ bits: inout BitReader) throws(CodecError) {
    try bits.skip(4)
    let hasOrder = try bits.flag()
    if hasOrder { try bits.skip(2) }
    let isChosen = try bits.flag()
    let hasScreenContent = isChosen ? true : try bits.flag()
    if hasScreenContent, try !bits.flag() { try bits.skip(1) }
    if hasOrder { try bits.skip(3) }
  }

  // MARK: HEVC

  /// Drops the emulation prevention bytes of a NAL unit (H.265, 7.3.1.1).
  private static func unescaped(_ unit: ArraySlice<UInt8>) -> [UInt8] {
    var (bytes, zeros): ([UInt8], Int) = ([], 0)
    for byte in unit {
      if zeros >= 2, byte == 3 {
        zeros = 0
      } else {
        bytes.append(byte)
        zeros = byte == 0 ? zeros +| 1 : 0
      }
    }
    return bytes
  }

  /// Reads `seq_parameter_set_rbsp` (H.265, 7.3.2.2) up to the colours.
  private static func parameterSet(_ bits: inout BitReader) throws(CodecError) -> CodePoints? {
    try bits.skip(20)
    let layers = try bits.number(3)
    try bits.skip(97)
    if layers > 0 {
      let present = try bits.number(16)
      for layer in layers.indices {
        try bits.skip(
          (present >> (15 -| 2 *| layer) & 1) *| 88 +| (present >> (14 -| 2 *| layer) & 1) *| 8)
      }
    }
    try bits.skipCodes(1)
    if try bits.code() == 3 { try bits.skip(1) }
    try bits.skipCodes(2)
    if try bits.flag() { try bits.skipCodes(4) }
    try bits.skipCodes(2)
    let orderBits = try bits.code() +| 4
    try bits.skipCodes(try bits.flag() ? 3 *| (layers +| 1) : 3)
    try bits.skipCodes(6)
    if try bits.flag(), try bits.flag() { try skipScalingLists(&bits) }
    try bits.skip(2)
    if try bits.flag() {
      try bits.skip(8)
      try bits.skipCodes(2)
      try bits.skip(1)
    }
    for set in try bits.code().indices {
      // Only video predicts sets from others.
      if set > 0, try bits.flag() { return nil }
      for _ in (try bits.code() +| bits.code()).indices {
        try bits.skipCodes(1)
        try bits.skip(1)
      }
    }
    if try bits.flag() { for _ in try bits.code().indices { try bits.skip(orderBits +| 1) } }
    try bits.skip(2)
    guard try bits.flag() else { return nil }
    return try usability(&bits)
  }

  private static func skipScalingLists(_ bits: inout BitReader) throws(CodecError) {
    for size in 0..<4 {
      for _ in (size == 3 ? 2 : 6).indices {
        try bits.skipCodes(try bits.flag() ? min(64, 16 << (2 *| size)) +| (size > 1 ? 1 : 0) : 1)
      }
    }
  }

  /// Reads `vui_parameters` (H.265, E.2.1) up to the colours.
  private static func usability(_ bits: inout BitReader) throws(CodecError) -> CodePoints? {
    if try bits.flag(), try bits.number(8) == 255 { try bits.skip(32) }
    if try bits.flag() { try bits.skip(1) }
    guard try bits.flag() else { return nil }
    try bits.skip(4)
    return try bits.flag() ? try bits.codePoints() : nil
  }
}

extension BitReader {
  /// An Exp-Golomb code (H.265, 9.2): n zeros, a one, then n bits.
  fileprivate mutating func code() throws(CodecError) -> Int {
    var zeros = 0
    while try !flag() { zeros +|= 1 }
    guard zeros <= 32 else { throw .malformed("a code of a header is too long") }
    return (1 << zeros) -| 1 +| (try number(zeros))
  }

  fileprivate mutating func skipCodes(_ count: Int) throws(CodecError) {
    for _ in count.indices { _ = try code() }
  }

  /// A number of seven bits a byte, least significant first (AV1, 4.10.5).
  fileprivate mutating func leb128() throws(CodecError) -> Int {
    var value = 0
    for shift in [0, 7, 14, 21, 28] {
      let byte = try number(8)
      value |= (byte & 127) << shift
      if byte & 128 == 0 { break }
    }
    return value
  }

  /// Colour primaries and transfer characteristics (H.273), a byte each.
  fileprivate mutating func codePoints() throws(CodecError) -> CodePoints {
    CodePoints(primaries: try number(8), transfer: try number(8))
  }
}

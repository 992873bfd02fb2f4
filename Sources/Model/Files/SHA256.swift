import CHashKernel

extension UnsafeRawBufferPointer {
  /// The bytes in base 16, in lower case.
  package var hexadecimal: String {
    String(unsafeUninitializedCapacity: 2 * count) { digits in
      for (index, byte) in enumerated() {
        digits[2 * index] = Self.digit(byte >> 4)
        digits[2 * index + 1] = Self.digit(byte & 15)
      }
      return 2 * count
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 { value + UInt8(ascii: value < 10 ? "0" : "W") }
}

extension UInt8 {
  package var hexadecimal: String { [self].hexadecimal }
}

extension [UInt8] {
  package var hexadecimal: String { withUnsafeBytes(\.hexadecimal) }

  /// The bytes that lower-case base-16 digits stand for; nil for other text.
  package init?(hexadecimal text: String) {
    self = []
    var high: UInt8?
    for digit in text.utf8 {
      let value: UInt8
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "W")
      default: return nil
      }
      if let first = high { append(first << 4 | value) }
      high = high == nil ? value : nil
    }
    guard high == nil else { return nil }
  }
}

/// SHA-256 (FIPS 180-4), which identifies image contents and encoded files in the results.
///
/// Implemented here because swift-crypto would add BoringSSL and double the build for this one function; the tests
/// check it against the standard's vectors.
package struct SHA256: Sendable {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  private var schedule = [UInt32](repeating: 0, count: 64)
  /// Input since the last whole block, fewer than 64 bytes.
  private var rest: [UInt8] = []
  private var totalBytes = 0
  private let usesInstructions: Bool

  /// Begins an incremental digest, for files too large to hold in memory.
  /// - Parameter usesInstructions: True to use the processor's SHA instructions if it has them.
  package init(usesInstructions: Bool = true) { self.usesInstructions = usesInstructions }

  package static func hexDigest(of bytes: [UInt8]) -> String {
    var hash = SHA256()
    hash.update(bytes)
    return hash.hexDigest
  }

  package mutating func update(_ piece: [UInt8]) {
    totalBytes += piece.count
    if rest.isEmpty { return take(piece) }
    // Fills the started block first, so that the piece itself is never copied as a whole.
    let missing = min(64 - rest.count, piece.count)
    let block = rest + piece[..<missing]
    rest = []
    take(block)
    if missing < piece.count { take(Array(piece[missing...])) }
  }

  /// The digest of all input so far, 64 lower-case hexadecimal digits.
  package var hexDigest: String {
    var hash = self
    hash.take(hash.padding(rest[...], totalBytes: totalBytes))
    return hash.state.map(\.bigEndian).withUnsafeBytes(\.hexadecimal)
  }

  private mutating func take(_ bytes: [UInt8]) {
    let whole = bytes.count / 64 * 64
    bytes.withUnsafeBufferPointer { buffer in
      let isDone =
        usesInstructions
        && state.withUnsafeMutableBufferPointer {
          hb_sha256_blocks($0.baseAddress, buffer.baseAddress, whole / 64) != 0
        }
      guard !isDone else { return }
      for start in stride(from: 0, to: whole, by: 64) { compress(UnsafeRawBufferPointer(buffer), at: start) }
    }
    rest = Array(bytes[whole...])
  }

  /// The last block or two: the remainder, a one bit, zeros, and the length in bits (section 5.1.1).
  private func padding(_ rest: ArraySlice<UInt8>, totalBytes: Int) -> [UInt8] {
    var block = Array(rest) + [0x80]
    while block.count % 64 != 56 { block.append(0) }
    let bits = UInt64(totalBytes) * 8
    for shift in stride(from: 56, through: 0, by: -8) {
      block.append(UInt8(truncatingIfNeeded: bits >> shift))
    }
    return block
  }

  /// Section 6.2.2, one block of 64 bytes.
  private mutating func compress(_ bytes: UnsafeRawBufferPointer, at start: Int) {
    for t in 0..<16 {
      schedule[t] = UInt32(
        bigEndian: bytes.loadUnaligned(fromByteOffset: start + t * 4, as: UInt32.self))
    }
    for t in 16..<64 {
      let s0 = rotate(schedule[t - 15], 7) ^ rotate(schedule[t - 15], 18) ^ (schedule[t - 15] >> 3)
      let s1 = rotate(schedule[t - 2], 17) ^ rotate(schedule[t - 2], 19) ^ (schedule[t - 2] >> 10)
      schedule[t] = schedule[t - 16] &+ s0 &+ schedule[t - 7] &+ s1
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for t in 0..<64 {
      let sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
      let t1 = h &+ sum1 &+ ((e & f) ^ (~e & g)) &+ Self.constants[t] &+ schedule[t]
      let sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
      let t2 = sum0 &+ ((a & b) ^ (a & c) ^ (b & c))
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ t1, c, b, a, t1 &+ t2)
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
  }

  private func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

  /// Section 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}

import Model
import Testing

/// Vectors of FIPS 180-4's examples and NIST's short-message set.
@Suite struct SHA256Tests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func matchesStandardVectors(text: String, digest: String) {
    #expect(SHA256.hexDigest(of: Array(text.utf8)) == digest)
  }

  @Test func hashesAMillionLetters() {
    #expect(
      SHA256.hexDigest(of: Array(repeating: UInt8(ascii: "a"), count: 1_000_000))
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test(arguments: [1, 7, 63, 64, 65, 200]) func piecesMakeUpAWhole(length: Int) {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 31) }
    var hash = SHA256()
    for start in stride(from: 0, to: bytes.count, by: length) {
      hash.update(Array(bytes[start..<min(start + length, bytes.count)]))
    }
    #expect(hash.hexDigest == SHA256.hexDigest(of: bytes))
    #expect(hash.hexDigest == hash.hexDigest)
  }

  /// The processor's instructions and our own rounds agree, whatever processor runs the test.
  @Test func instructionsChangeNothing() {
    for length in [0, 1, 55, 56, 63, 64, 65, 119, 128, 1000, 4096] {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 73 + $0 >> 8) }
      var (plain, fast) = (SHA256(usesInstructions: false), SHA256())
      plain.update(bytes)
      fast.update(bytes)
      #expect(plain.hexDigest == fast.hexDigest, "\(length)")
    }
  }

  @Test func everyLengthAroundABlockDiffers() {
    let digests = (50...130).map { SHA256.hexDigest(of: Array(repeating: 0, count: $0)) }
    #expect(Set(digests).count == digests.count)
    #expect(digests.allSatisfy { $0.count == 64 })
  }
}

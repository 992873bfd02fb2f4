import Foundation
import Model
import TestSupport
import Testing

@testable import Codecs

/// Streams of zlib, with the lengths that zlib itself found.
struct DeflatedLengthTests {
  /// A stream with dynamic codes: 900 random letters, 700 of them again, and z 600 times.
  private static let dynamic = """
    eNrtU1sS4zAIOyvCgC37BHv6lXKH/diZuq2bhAB64AZqs7KIW0v7y0D2rsI5iKpYlTjF94pVj+vWKV0qNOhCrMcEFuEqc/ZCK/PV\
    1i9Up1NFirkK5cSqZCFBaK+tLTcxulNc34jk2zXKvEqvaD7lq98FcPTWwtaeU2CsJEVgajZDTXh0LxrVmFTxoq/dGEwhyRh1XUYR\
    Zt1PIcWbgqjMo2dOCWEUVYBX9HdlMs6qO3lDpN+TCOqvbZF5sIyeQ0oql6GZWj/fNYHtuh2wTDBAcNc9ddVIn0djmaXq9XqMF8aw\
    pfb79Gqaj7VfUNGMbXFFTjktB6pjngLrGBcjxdPqXfUazvfwQsgyDbkR+ABK1LTuI1zTkjOeVdMLSrFVRN9nXybiKiBt1FKeieLe\
    uHaAcVX/2D5wyZS6rqjX1VvE1MeO7vlE2/g04Bob4dKC0NIDZpKHyKvpkus2BS2nthieEfuvNe2/ozLp+5NKkHVP+ipiddvD5DH1\
    oIXNcVKJm0Ckbdd6TyNk+S2sgPXFh0deSCN6TtzI6RqauMvsVXVdHE6udn2bGdZWCEJCS8G25j4/UV8d+cfzFfso4cM7XEYB9O8M\
    /s7gf3oG//zWb/2D9RdvGJlV
    """

  @Test(arguments: [("eNrLSM3JyVfIQCcBaAMIsQ==", 23), (dynamic, 2200)]) func codes(
    base64: String, length: Int
  ) throws {
    let stream = [UInt8](try #require(Data(base64Encoded: base64)))
    #expect(DeflatedLength.bytes(ofZlib: stream[...]) == length)
    for end in 0..<stream.count - 5 { #expect(DeflatedLength.bytes(ofZlib: stream[..<end]) == nil) }
  }

  @Test(arguments: [1, 100, 70_000]) func storedBytes(count: Int) {
    let text = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) }
    #expect(DeflatedLength.bytes(ofZlib: PNGFile.stored(text)[...]) == count)
  }

  @Test func brokenStreamsDoNoHarm() throws {
    let stream = [UInt8](try #require(Data(base64Encoded: Self.dynamic)))
    var generator = SeededGenerator(seed: 9)
    for _ in 0..<500 {
      let broken = stream.damaged(at: 3, using: &generator)
      #expect(DeflatedLength.bytes(ofZlib: broken[...]) ?? 0 <= 258 * 8 * stream.count)
    }
  }
}

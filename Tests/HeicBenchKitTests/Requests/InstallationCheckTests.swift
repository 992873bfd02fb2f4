import CodecKit
import Codecs
import Pixels
import TestSupport
import Testing

@testable import HeicBenchKit

struct InstallationCheckTests {
  @Test("a codec whose library is there but cannot encode is missing, with the reason") func plugin() throws {
    let pixels = PixelSupport(alpha: false, maximumBitDepth: 8, maximumSide: 16)
    let codec = SupportOnlyCodec(id: "lacking", pixels: pixels)
    #expect(InstallationCheck.refusal(of: codec) == "encodes nothing")
    for codec in CodecRegistry.standard.codecs where codec.traits.absence == nil && !codec.traits.isHidden {
      #expect(InstallationCheck.refusal(of: codec) == nil, "\(codec.traits.id)")
    }
  }
}

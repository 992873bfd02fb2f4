import Model
import Testing

@testable import Codecs

struct HEIFLibrariesTests {
  @Test(
    arguments: [
      ("x265 HEVC encoder (3.5+1-f0c1022b6)", "x265 3.5+1-f0c1022b6"),
      ("libde265 HEVC decoder, version 1.0.11", "libde265 1.0.11"),
      ("AOMedia Project AV1 Encoder v3.6.0", "aom 3.6.0"),
      ("AOMedia Project AV1 Encoder 3.12.1", "aom 3.12.1"),
      ("FFMPEG HEVC decoder 5.1.9-0+deb12u1", "ffmpeg 5.1.9-0+deb12u1"),
      ("SomeCodec", "SomeCodec unknown"),
    ])
  func readsPluginNames(name: String, expected: String) {
    #expect(HEIFLibraries.version(in: name)?.description == expected)
  }

  @Test func readsNoVersionFromNothing() {
    #expect(HEIFLibraries.version(in: "") == nil)
  }
}

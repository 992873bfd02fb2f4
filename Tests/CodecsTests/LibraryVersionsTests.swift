import BenchModel
import CodecKit
import Codecs
import Testing

@Suite struct LibraryVersionsTests {
  @Test func librariesReportThemselves() {
    #expect(LibraryVersions.readers.map(\.name) == ["libpng", "Little CMS"])
    #expect(LibraryVersions.readers[0].version.hasPrefix("1."))
    #expect(LibraryVersions.readers[1].version.hasPrefix("2."))
    #expect(JPEGCodec().traits.libraries.map(\.name) == ["libjpeg-turbo"])
  }
}

import CodecKit
import Foundation
import Model
import Testing

@testable import Codecs

/// The record of a library describes the file that the process has mapped.
@Suite struct LoadedLibraryTests {
  @Test func theMappedFileIsFound() throws {
    let library = try #require(LoadedLibrary("libjpeg"))
    #expect(library.path.contains("/libjpeg") && library.path.contains(".so"))
    #expect(FileManager.default.fileExists(atPath: library.path))
    #expect(LoadedLibrary("libjpe") == nil, "a stem is not a prefix")
    #expect(LoadedLibrary("libnothing") == nil)
  }

  /// The file has the same build id as memory: bytes after the note's name.
  @Test func theBuildIsTheFiles() throws {
    for stem in ["libjpeg", "libheif"] {
      _ = HEIFLibraries.heic
      let library = try #require(LoadedLibrary(stem))
      let build = try #require(library.build)
      #expect(build.count == 8)
      let digest = try #require(UInt32(build, radix: 16)).bigEndian
      let note: [UInt8] =
        [4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0] + Array("GNU\0".utf8)
        + withUnsafeBytes(of: digest) { Array($0) }
      let file = try Data(contentsOf: URL(filePath: library.path))
      #expect(file.range(of: Data(note)) != nil, "\(stem)")
    }
  }

  @Test func theNameComesFromTheLibraryItself() throws {
    let text = try #require(LoadedLibrary.text(in: "libjpeg", beginning: "libjpeg-turbo version "))
    let words = text.split(separator: " ")
    #expect(words.count == 5 && words[3] == "(build")
    #expect(JPEGLibrary.loaded.version == String(words[2]))
    #expect(JPEGLibrary.loaded.build == LoadedLibrary("libjpeg")?.build)
    #expect(LoadedLibrary.text(in: "libjpeg", beginning: "no such text in it") == nil)
  }

  @Test func everyLibraryOfEveryCodecHasABuild() {
    for codec in CodecRegistry.standard.codecs where !codec.traits.isHidden {
      for library in codec.traits.libraries {
        #expect(library.build != nil, "\(library)")
      }
    }
  }

  /// A read records the library that read it, even for formats that no codec writes.
  @Test func everyFormatNamesWhatReadsIt() throws {
    let registry = CodecRegistry.standard
    for format in ["png", "pnm"]
      + registry.codecs.filter({ $0.traits.absence == nil && !$0.traits.isHidden }).map(\.traits.id)
    {
      #expect(!registry.libraries(of: format).isEmpty && !registry.decoder(of: format).isEmpty, "\(format)")
    }
    let png = registry.libraries(of: "png")
    #expect(
      png.contains { $0.name == "libpng" && $0.build == LoadedLibrary("libpng16")?.build && $0.build != nil })
    #expect(png.contains { $0.name == "ISA-L" } == (LoadedLibrary("libisal") != nil))
    #expect(png.contains { $0.name == "zlib" && $0.version.contains(".") })
    #expect(registry.libraries(of: "nothing").isEmpty)
  }
}

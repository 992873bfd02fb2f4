import Model
import Pixels
import TestSupport
import Testing

@testable import CodecKit

/// Descriptions of files as received from a worker, which is not trusted.
@Suite struct FileDescriptionTests {
  private static var descriptions: [FileDescription] {
    var image = FileDescription()
    (image.isRecognised, image.fileBytes, image.camera) = (true, 1 << 40, "A camera “ü”")
    image.contentHash = SHA256.hexDigest(of: [1, 2, 3])
    image.header = ImageHeader(
      format: "heic", width: 4032, height: .max, bitDepth: 10, layout: .grayAlpha, isLossy: true,
      hdr: CodePoints(primaries: 9, transfer: 16))
    var contents = FileContents()
    contents.add(.exif, bytes: 300)
    contents.add(.deepSamples, bytes: 0)
    image.contents = .success(contents)
    var other = FileDescription()
    (other.obstacle, other.foreignFormat) = (.notAnImage, "GIF")
    other.problem = Failure(kind: .source, message: "not an image: it contains text")
    var deep = FileDescription()
    deep.contents = .failure(Failure(kind: .source, message: "boxes within boxes"))
    return [image, other, deep, FileDescription()]
  }

  private static func packed() -> [UInt8] {
    descriptions.reduce(into: BytePacker()) { $1.pack(into: &$0) }.bytes
  }

  private static func unpacked(_ bytes: [UInt8]) throws -> [FileDescription] {
    var unpacker = ByteUnpacker(bytes)
    return try descriptions.map { _ in try FileDescription(from: &unpacker) }
  }

  @Test func comesOutAsItWentIn() throws {
    #expect(try Self.unpacked(Self.packed()) == Self.descriptions)
  }

  /// Whatever a worker says is refused or possible, and never a trap.
  @Test func nothingImpossibleIsBelieved() {
    let bytes = Self.packed()
    for end in bytes.indices {
      #expect(throws: ByteUnpacker.Invalid.self) { try Self.unpacked(Array(bytes[..<end])) }
    }
    for place in bytes.indices {
      for value in [0, 1, 0x7f, 0x80, 0xff] as [UInt8] {
        var damaged = bytes
        damaged[place] = value
        for file in (try? Self.unpacked(damaged)) ?? [] {
          #expect(file.fileBytes >= 0 && file.contentHash?.utf8.count ?? 64 == 64)
          #expect(file.header.map { $0.width > 0 && $0.height > 0 } ?? true)
          let texts = [file.camera, file.problem?.message, file.header?.format].compactMap(\.self)
          #expect(texts.allSatisfy { text in !text.unicodeScalars.contains { $0.value < 32 } })
        }
      }
    }
    #expect(throws: ByteUnpacker.Invalid.self) {
      var unpacker = ByteUnpacker([UInt8](repeating: 0xff, count: 20))
      _ = try unpacker.number()
    }
  }
}

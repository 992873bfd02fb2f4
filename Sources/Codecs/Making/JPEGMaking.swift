import CodecKit
package import Model

extension JPEGReader {
  /// Reads Exif data, comments and the frame header.
  package func making(of bytes: [UInt8]) -> FileMaking {
    var making = FileMaking()
    let reader = ByteReader(bytes)
    guard reader.word(at: 0) == 0xFFD8 else { return making }
    var comment: String?
    var position = 2
    while reader.byte(at: position) == 0xFF, let marker = reader.byte(at: position + 1), marker != 0xDA,
      marker != 0xD9
    {
      // A fill byte.
      if marker == 0xFF {
        position += 1
        continue
      }
      guard let length = reader.word(at: position + 2), length >= 2,
        let segment = reader.part(at: position + 4, length: length - 2)
      else { break }
      position += 2 + length
      switch marker {
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        Self.describe(frame: ByteReader(segment), marker, in: &making)
      case 0xE1 where segment.starts(with: "Exif\0\0".utf8):
        ExifText.describe(segment.dropFirst(6), in: &making)
      case 0xFE: comment = comment ?? ExifText.clean(segment)
      default: break
      }
    }
    making.software = making.software ?? comment
    return making
  }

  private static func describe(frame: ByteReader, _ marker: Int, in making: inout FileMaking) {
    guard making.coding == nil, let bits = frame.byte(at: 0), let components = frame.byte(at: 5) else {
      return
    }
    making.bitDepth = bits
    making.coding =
      switch marker {
      case 0xC0: "JPEG baseline"
      case 0xC2: "JPEG progressive"
      case 0xC3: "JPEG lossless"
      default: "JPEG"
      }
    let sampling = (0..<components).compactMap { frame.byte(at: 7 + 3 * $0) }
    guard sampling.count == components else { return }
    guard components == 3 else {
      making.chroma = components == 1 ? "4:0:0" : nil
      return
    }
    making.chroma =
      switch (sampling[0], sampling[1], sampling[2]) {
      case (0x11, 0x11, 0x11): "4:4:4"
      case (0x21, 0x11, 0x11): "4:2:2"
      case (0x12, 0x11, 0x11): "4:4:0"
      case (0x22, 0x11, 0x11): "4:2:0"
      case (0x41, 0x11, 0x11): "4:1:1"
      default: nil
      }
  }
}

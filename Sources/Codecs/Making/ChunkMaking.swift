import CodecKit
package import Model

extension WebPReader {
  /// Reads Exif data and the type of the picture's chunk (RFC 9649, 2).
  package func making(of bytes: [UInt8]) -> FileMaking {
    var making = FileMaking()
    let reader = ByteReader(bytes[...], isLittleEndian: true)
    var position = 12
    while let kind = reader.part(at: position, length: 4), let length = reader.long(at: position + 4) {
      switch Array(kind) {
      case Array("EXIF".utf8):
        guard var tiff = reader.part(at: position + 8, length: length) else { break }
        if tiff.starts(with: "Exif\0\0".utf8) { tiff = tiff.dropFirst(6) }
        ExifText.describe(tiff, in: &making)
      case Array("VP8 ".utf8): (making.coding, making.chroma, making.bitDepth) = ("VP8", "4:2:0", 8)
      case Array("VP8L".utf8): (making.coding, making.bitDepth) = ("VP8 lossless", 8)
      default: break
      }
      // Chunks begin at even offsets.
      position += 8 + length + length % 2
    }
    return making
  }
}

extension PNGReader {
  /// Reads Exif data and the text “Software” (PNG, 11.3.3).
  package func making(of bytes: [UInt8]) -> FileMaking {
    var making = FileMaking()
    making.coding = "PNG"
    let reader = ByteReader(bytes)
    var position = 8
    while let length = reader.long(at: position), let kind = reader.part(at: position + 4, length: 4),
      let data = reader.part(at: position + 8, length: length)
    {
      switch Array(kind) {
      case Array("eXIf".utf8): ExifText.describe(data, in: &making)
      case Array("tEXt".utf8) where data.starts(with: "Software\0".utf8):
        making.software = making.software ?? ExifText.clean(data.dropFirst(9))
      case Array("IHDR".utf8): making.bitDepth = ByteReader(data).byte(at: 8)
      default: break
      }
      position += 12 + length
    }
    return making
  }
}

extension JPEGXLReader {
  /// Reads the container's Exif box (ISO/IEC 18181-2, 9.4); a bare stream has none.
  package func making(of bytes: [UInt8]) -> FileMaking {
    var making = FileMaking()
    making.coding = "JPEG XL"
    guard let boxes = try? HEIFBox.list(in: bytes[...], isTruncationAllowed: true),
      boxes.first?.type == "JXL ", let exif = boxes.first("Exif")
    else { return making }
    var reader = BoxScanner(exif.payload)
    guard let offset = reader.number(4), reader.take(offset) != nil else { return making }
    ExifText.describe(reader.rest, in: &making)
    return making
  }
}

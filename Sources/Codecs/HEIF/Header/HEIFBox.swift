import CodecKit

/// A box of the ISO base media file format (ISO/IEC 14496-12, 4.2).
struct HEIFBox {
  let type: FourCC
  /// The bytes after size and type.
  let payload: ArraySlice<UInt8>

  /// Most sibling boxes read; a real file has a few hundred properties.
  static let maximumCount = 20_000

  /// Sibling boxes in `bytes`. A box longer than the bytes left is truncated if `isTruncationAllowed`, for the last box
  /// of a cut-off file, else refused.
  static func list(
    in bytes: ArraySlice<UInt8>, isTruncationAllowed: Bool = false
  ) throws(CodecError) -> [HEIFBox] {
    var boxes: [HEIFBox] = []
    var reader = BoxScanner(bytes)
    while reader.remaining >= 8 {
      guard boxes.count < maximumCount else { throw .limitExceeded("more than \(maximumCount) boxes") }
      let (available, start) = (reader.remaining, reader.position)
      var size = try reader.number(4)
      let type = try reader.code()
      if size == 1 {
        guard let large = try? reader.number(8) else {
          throw .malformed("the size of box “\(type)” is broken")
        }
        size = large
      } else if size == 0 {
        size = available
      }
      let headerSize = reader.position - start
      guard size >= headerSize else { throw .malformed("box “\(type)” is shorter than its own header") }
      guard size <= available || isTruncationAllowed else {
        throw .malformed("box “\(type)” is longer than what holds it")
      }
      boxes.append(HEIFBox(type: type, payload: try reader.take(min(size, available) - headerSize)))
    }
    return boxes
  }

  var reader: BoxScanner { BoxScanner(payload, fault: broken) }

  /// Returns version, flags and a reader of the rest of a full box.
  func full() throws(CodecError) -> (version: Int, flags: Int, reader: BoxScanner) {
    var reader = reader
    return (try reader.number(1), try reader.number(3), reader)
  }

  /// Error for a payload that ends too early or contradicts itself.
  var broken: CodecError { .malformed("box “\(type)” is broken") }
}

extension [HEIFBox] {
  func first(_ type: FourCC) -> HEIFBox? { first { $0.type == type } }
}

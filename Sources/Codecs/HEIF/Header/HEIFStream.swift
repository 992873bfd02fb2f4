import CodecKit
import Pixels

/// What an image's coded data states, whatever its properties say.
struct HEIFStream {
  /// The headers in its configuration and in the available part of its data.
  var headers: [BitstreamHeader] = []
  /// The number of pictures in HEVC data.
  var pictures = 0
  /// The number of units examined.
  var units = 0
  /// True if an AV1 frame differs in size from its sequence.
  var isResized = false

  /// The code points in the headers, which libheif does not expose; an unknown transfer function counts as unspecified.
  var knownPoints: CodePoints? {
    var points = headers.lazy.compactMap(\.points).first
    if let known = points, (try? SourceColour.check(known)) == nil { points?.transfer = 2 }
    return points
  }

  /// Throws `malformed` if a decoder would give a picture with a size other than the file states.
  ///
  /// Padding may add up to one coding block. A tile must not be smaller than stated, since it would leave a gap.
  func check(width: Int, height: Int, isTile: Bool) throws(CodecError) {
    for header in headers {
      let (wider, higher) = (header.width -| width, header.height -| height)
      let isFitting = max(abs(wider), abs(higher)) <= header.block && !(isTile && min(wider, higher) < 0)
      guard isFitting else {
        throw .malformed(
          "the stream is \(header.width)×\(header.height), but the file says \(width)×\(height)")
      }
    }
    if let hidden = headers.map(\.hidden).max(), hidden > 128 {
      throw .malformed("the stream hides \(hidden) columns or rows of the coded picture")
    }
    guard pictures <= 1 else { throw .unsupported("an image that is coded as \(pictures) pictures") }
    guard !isTile || !isResized else { throw .unsupported("a tile whose frames differ in size") }
  }
}

extension HEIFItems {
  /// The headers of a coded image.
  func stream(of item: Int) -> HEIFStream {
    var stream = HEIFStream()
    let data = data(of: item, count: .max) ?? []
    for box in propertyBoxes[item] ?? [] {
      switch box.type {
      case "hvcC":
        let found = BitstreamHeader.stream(units: data, lengthBytes: 4)
        stream.headers.append(contentsOf: BitstreamHeader.headers(hvcC: box.payload))
        stream.headers.append(contentsOf: found.headers)
        (stream.pictures, stream.units) = (found.pictures, found.units)
      case "av1C":
        let found = BitstreamHeader.stream(obus: data)
        stream.headers.append(contentsOf: BitstreamHeader.stream(obus: box.payload.dropFirst(4)).headers)
        stream.headers.append(contentsOf: found.headers)
        (stream.isResized, stream.units) = (found.isResized, found.units)
      default: break
      }
    }
    return stream
  }
}

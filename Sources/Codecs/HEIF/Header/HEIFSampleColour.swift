import CodecKit
import Pixels

/// The colours that an image's samples mean, by its colour box, or without one by its own headers.
struct HEIFSampleColour {
  /// Matrix coefficients (H.273), if stated.
  var matrix: Int?
  /// True if samples use the full range, from 0 up; nil if nothing states it.
  var isFullRange: Bool?
  /// Positions of the bits in the file that state the range.
  var rangeBits: [Int] = []

  /// True for RGB coded directly, without a matrix (H.273, 8.3).
  var isIdentity: Bool { matrix == 0 }
}

extension HEIFItems {
  /// The colours from an image's first `nclx` box.
  func boxColour(of item: Int) -> HEIFSampleColour? {
    for box in propertyBoxes[item] ?? [] where box.type == "colr" {
      var reader = box.reader
      guard (try? reader.code()) == "nclx", (try? reader.take(4)) != nil, let matrix = try? reader.number(2)
      else { continue }
      let bit = (box.payload.startIndex +| reader.position) *| 8
      guard let flags = try? reader.number(1) else { continue }
      return HEIFSampleColour(matrix: matrix, isFullRange: flags & 128 != 0, rangeBits: [bit])
    }
    return nil
  }

  func sampleColour(of item: Int, _ stream: HEIFStream) -> HEIFSampleColour {
    if let colour = boxColour(of: item) { return colour }
    let stated = stream.headers.filter { $0.isFullRange != nil }
    return HEIFSampleColour(
      matrix: stated.last?.matrix, isFullRange: stated.last?.isFullRange,
      rangeBits: stated.compactMap(\.rangeBit))
  }

  /// The first image with alpha among an image and those that it assembles unchanged, such as a grid's tiles.
  func alphaCarrier(of item: Int, depth: Int = 0) -> Int? {
    if !alphas(of: item).isEmpty { return item }
    guard depth < HEIFDerivationWalk.maximumDepth, let type = types[item], type == "grid" || type == "iden"
    else { return nil }
    return sources(of: item).lazy.compactMap { alphaCarrier(of: $0, depth: depth +| 1) }.first
  }

  /// The first coded image that an image is assembled from.
  func firstCoded(of item: Int, depth: Int = 0) -> Int? {
    guard depth < HEIFDerivationWalk.maximumDepth else { return nil }
    guard let source = sources(of: item).first else { return item }
    return firstCoded(of: source, depth: depth +| 1)
  }
}

import Analysis
import Metrics
import Model
import Store

/// A field of a batch under the name that codec-compare knows.
struct CodecCompareField: Sendable {
  /// The name by which the viewer recognises the field.
  let name: String
  let meaning: String
  /// The value; empty if the row lacks it.
  let cell: @Sendable (ResultRow) -> Cell

  /// The fields that every measured row of the source fills.
  static func fields(of source: RowSource) throws -> [CodecCompareField] {
    let candidates = always + source.metrics.map(metric)
    var isComplete = [Bool](repeating: true, count: candidates.count)
    try source.forEachRow { row in
      guard row.status == .measured else { return }
      for index in candidates.indices where isComplete[index] && candidates[index].cell(row) == .empty {
        isComplete[index] = false
      }
    }
    return candidates.indices.filter { isComplete[$0] }.map { candidates[$0] }
  }

  private static let always = [
    CodecCompareField(name: "original name", meaning: "Name of the source image") { .text($0.image) },
    CodecCompareField(name: "width", meaning: "Columns") { Cell(integer: $0.width) },
    CodecCompareField(name: "height", meaning: "Rows") { Cell(integer: $0.height) },
    CodecCompareField(name: "quality", meaning: "Quality on the codec's own scale") {
      Cell(integer: $0.nativeQuality)
    },
    CodecCompareField(name: "encoded size", meaning: "Bytes of the encoded file") {
      Cell(integer: $0.encodedBytes)
    },
    CodecCompareField(name: "bpp", meaning: "Encoded bits per pixel") {
      Cell(number: $0.bitsPerPixel, decimals: 4)
    },
    CodecCompareField(name: "encoding time", meaning: "CPU time of the encode in seconds") {
      Cell(number: $0[.encode, .cpu].map { $0.median / 1000 }, decimals: 6)
    },
    CodecCompareField(name: "decoding time", meaning: "CPU time of the decode in seconds") {
      Cell(number: $0[.decode, .cpu].map { $0.median / 1000 }, decimals: 6)
    },
  ]

  private static func metric(_ traits: MetricTraits) -> CodecCompareField {
    let unit = traits.unit.isEmpty ? "" : " in \(traits.unit)"
    let name = traits.rules?.codecCompareName ?? traits.column
    return CodecCompareField(name: name, meaning: traits.title + unit) {
      Cell(number: $0.scores[traits.id].flatMap { $0.isFinite ? $0 : nil }, decimals: traits.decimals)
    }
  }
}

import CodecKit
import HeicBenchKit
import Metrics
import Model
import Reports

/// The scores of one image against the original.
struct ScoreRow {
  let reference: String
  let distorted: String
  /// Score by metric identifier; a metric that is not defined for the image is absent.
  let scores: [String: Double]
  /// Why there are none.
  let error: String?

  /// Reads and scores an image.
  init(reference: String, distorted: String, path: [UInt8], _ suite: PreparedSuite) {
    self.reference = ImageName.printable(Array(reference.utf8))
    self.distorted = ImageName.printable(path)
    do {
      scores = try suite.score(try ImageInput.read(path))
      error = nil
    } catch {
      scores = [:]
      self.error = (error as? Failure)?.message ?? "\(error)"
    }
  }

  /// Names and scores, under the names that measurements.csv has for them.
  static func columns(metrics: [MetricTraits]) -> [Column<ScoreRow>] {
    [
      Column("reference", title: "reference", alignment: .leading) { Cell(text: $0.reference) },
      Column("distorted", title: "distorted", alignment: .leading) { Cell(text: $0.distorted) },
    ]
      + metrics.map { metric in
        Column(metric.column, title: metric.title, unit: metric.unit) {
          Cell(number: $0.scores[metric.id], decimals: metric.decimals)
        }
      } + [Column("error", title: "error", alignment: .leading) { Cell(text: $0.error) }]
  }
}

import CodecKit
import Metrics
import Model
package import Pixels
import Reports
import Store
import Workers

/// Scores image files against an original, without a sweep. All are read upright, at full depth and with their colour
/// profiles.
public struct ScoreRequest: ShortRequest {
  /// The original image.
  public var reference: InputPath
  /// The images to score.
  public var images: [InputPath]
  /// Identifiers of the metrics; by default the usual ones.
  public var metrics: [String] = MetricTraits.usual.map(\.id)

  /// The light of samples, for HDR scores; nil for SDR scores.
  package var light: HDRViewing?

  /// Settings of the processes that read and score images.
  public var workers = WorkerSettings()

  /// Creates a request to score images with the usual metrics.
  public init(reference: InputPath, images: [InputPath]) {
    self.reference = reference
    self.images = images
  }

  /// Reads and scores the images. An image that cannot be scored is not an error; its row gives the reason.
  /// - Throws: `HeicBenchError` if the original cannot be read, or a metric does not exist.
  public func run() throws -> ScoreTable {
    try HeicBenchError.mapping {
      let isUsual = light != nil && MetricTraits.isUnspecific(metrics)
      let suite =
        try light == nil
        ? MetricSuite(sdr: metrics) : MetricSuite(isUsual ? MetricTraits.hdr.map(\.id) : metrics)
      let name = ImageName.printable(reference.bytes)
      var configuration = try workers.configuration(limits: ReadLimits())
      configuration.jobs = max(1, min(configuration.jobs, images.count))
      let scoring = try ImageScoring(
        configuration, metrics: suite.traits.map(\.id), light: light)
      do {
        let files = try scoring.files(([reference] + images).map(\.bytes))
        let scores = try scoring.scores(of: Array(files.dropFirst()), against: files[0])
        let remarks = configuration.remarks
        return ScoreTable(
          rows: zip(images, scores).map { image, result in
            let problem: String? = if case .failure(let failure) = result { failure.message } else { nil }
            return ScoreTable.Row(
              reference: name, image: ImageName.printable(image.bytes), scores: (try? result.get()) ?? [:],
              remarks: remarks?[file: ImageName.printable(image.bytes)] ?? [], problem: problem)
          },
          metrics: suite.traits, notices: remarks?.tally.lines ?? [])
      } catch let failure as Failure {
        throw HeicBenchError(.noInput, "“\(name)”: \(failure.message)")
      }
    }
  }
}

/// Scores of images, one row each.
public struct ScoreTable: Sendable {
  /// The scores of one image against the original.
  public struct Row: Sendable, Hashable {
    /// The original's name.
    public let reference: String
    /// The image's name.
    public let image: String
    /// Scores by metric identifier; a metric that is not defined for the image is absent.
    public let scores: [String: Double]
    /// The reader's remarks on the image, one short phrase each.
    public let remarks: [String]
    /// The reason for missing scores; nil if there are some.
    public let problem: String?
  }

  /// The rows, in the order in which images were named.
  public let rows: [Row]
  /// Remarks on the images including the original, one line for each kind.
  package let notices: [String]
  /// Names and scores, with the column names of measurements.csv.
  private let columns: [Column<Row>]

  init(rows: [Row], metrics: [MetricTraits], notices: [String]) {
    (self.rows, self.notices) = (rows, notices)
    columns =
      [.text("reference", "reference") { $0.reference }, .text("distorted", "distorted") { $0.image }]
      + metrics.map { metric in
        Column(metric.column, title: metric.title, unit: metric.unit) {
          Cell(number: $0.scores[metric.id], decimals: metric.decimals)
        }
      } + [
        .text("remarks", "remarks") { $0.remarks.isEmpty ? nil : $0.remarks.joined(separator: "; ") },
        .text("error", "error") { $0.problem },
      ]
  }

  package var hasProblems: Bool { rows.contains { $0.problem != nil } }
  /// The table, folded to this many columns of a terminal.
  package func text(width: Int) -> String { TextTableWriter(columns).table(rows, width: width) }
  package var csv: String { RowWriter(csv: columns).text(rows) }
  package var json: String { RowWriter(json: columns).text(rows) + "\n" }
}

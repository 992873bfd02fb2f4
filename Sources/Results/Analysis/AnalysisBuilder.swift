public import BenchModel

/// Why rows cannot be analysed.
public enum AnalysisError: Error, Sendable, Hashable, CustomStringConvertible {
  /// An image's rows do not stand together: the rows have to be in plan order, or sorted by image.
  case scatteredImage(String)

  /// The reason as a sentence.
  public var description: String {
    switch self {
    case .scatteredImage(let image):
      "the rows of “\(image)” do not stand together: sort the rows by image"
    }
  }
}

/// Turns a stream of rows into an analysis. Rows of one image have to stand together, as plan order has them;
/// once an image is complete only its figures stay in memory.
public struct AnalysisBuilder {
  private var analysis: Analysis

  /// Starts an analysis.
  ///
  /// - Parameters:
  ///   - variants: The variants in the order of the run; the first is the reference. Others that the rows
  ///     bring follow in the order of their appearance.
  ///   - metrics: The metrics of the run. Scores of others are left alone.
  ///   - options: What is asked for.
  public init(variants: [CodecVariant] = [], metrics: [MetricTraits], options: AnalysisOptions = .init()) {
    analysis = Analysis(options: options, variants: variants, metrics: metrics)
  }

  /// Takes the next row.
  public mutating func add(_ row: ResultRow) throws(AnalysisError) {}

  /// The analysis of all rows so far.
  public consuming func finish() -> Analysis { analysis }
}

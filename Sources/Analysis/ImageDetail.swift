package import Model

/// One image of the analysis with its points and figures, for plots and per-image tables.
package struct ImageDetail: Sendable, Hashable {
  package struct Point: Sendable, Hashable {
    package var quality: Quality?
    /// Name of an imported file; nil for a codec's point.
    package var file: String?
    package var bytes: Int
    package var score: Double?
  }

  package struct Variant: Sendable, Hashable {
    package var variant: CodecVariant
    package var points: [Point]
    /// Change in bytes against the reference in percent, one for each of `AnalysisOptions.targets`.
    package var changeAtTargets: [Double?]
  }

  package var image: String
  package var width: Int?
  package var height: Int?
  package var isSmall = false
  /// In the order of the run, without those that lack any row of this image.
  package var variants: [Variant]
}

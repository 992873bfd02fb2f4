/// Which pictures a worker draws of the points that it measures, while it has their pixels: to draw them later takes another
/// decode and another walk of SSIMULACRA 2.
package enum PointDrawing: String, Codable, Sendable {
  /// None.
  case nothing
  /// What is dear to draw later, for pages that may show the point: its error map, and its pixels where they took longer to
  /// decode than they take to be packed.
  case dear
  /// All, for pages that show the point.
  case all
}

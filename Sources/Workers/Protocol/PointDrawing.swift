/// The pictures that a worker draws of the points it measures, while it has their pixels: drawing them later takes
/// another decode and another walk of SSIMULACRA 2.
package enum PointDrawing: String, Codable, Sendable {
  case nothing
  /// The expensive ones, for pages that may show the point: its error map, and its pixels if decoding takes longer than
  /// packing them.
  case dear
  case all
}

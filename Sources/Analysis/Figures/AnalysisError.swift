package enum AnalysisError: Error, Sendable, Hashable, CustomStringConvertible {
  /// An image's rows are not contiguous; they must be in plan order or sorted by image.
  case scatteredImage(String)

  package var description: String {
    switch self {
    case .scatteredImage(let image):
      "the rows of “\(image)” are not contiguous: sort the rows by image"
    }
  }
}

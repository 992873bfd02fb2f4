/// Why rows cannot be analysed.
package enum AnalysisError: Error, Sendable, Hashable, CustomStringConvertible {
  /// An image's rows do not stand together: the rows have to be in plan order, or sorted by image.
  case scatteredImage(String)

  /// The reason as a sentence.
  package var description: String {
    switch self {
    case .scatteredImage(let image):
      "the rows of “\(image)” do not stand together: sort the rows by image"
    }
  }
}

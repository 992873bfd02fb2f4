import Model

/// Where a point stands among those of its image and variant: at a quality, or in a file of somebody else's making, of
/// which nobody knows any.
enum PointPlace: Sendable, Hashable {
  /// The quality that a codec was asked for.
  case quality(Quality)
  /// The name of an imported file.
  case file(String)

  /// The quality; nil for a file.
  var quality: Quality? { if case .quality(let quality) = self { quality } else { nil } }
  /// The file's name; nil for a quality.
  var file: String? { if case .file(let name) = self { name } else { nil } }

  /// The place of a row; nil for one that is not about a point.
  init?(quality: Quality?, file: String?) {
    if let quality {
      self = .quality(quality)
    } else if let file {
      self = .file(file)
    } else {
      return nil
    }
  }
}

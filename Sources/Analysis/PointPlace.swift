package import Model

/// Place of a point among those of its image and variant: a quality, an imported file of unknown quality, or a way of
/// reading or cutting.
package enum PointPlace: Sendable, Hashable {
  case quality(Quality)
  case file(String)
  case way(String)

  package var quality: Quality? { if case .quality(let quality) = self { quality } else { nil } }
  package var file: String? { if case .file(let name) = self { name } else { nil } }
  package var way: String? { if case .way(let name) = self { name } else { nil } }
  /// Name of a file or a way.
  var name: String? { file ?? way }

  /// Returns nil for a row without a point.
  package init?(quality: Quality?, file: String?) {
    if let quality {
      self = .quality(quality)
    } else if let file {
      self = .file(file)
    } else {
      return nil
    }
  }
}

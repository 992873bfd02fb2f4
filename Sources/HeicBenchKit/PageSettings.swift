import Reports

/// What the page shows beside plots and tables.
public struct PageSettings: Sendable, Hashable {
  /// How many images are shown, the extremes and the median by saving first; nil for all of them.
  public var images: Int? = 3
  /// Whether the pictures go into the page itself; nil for up to 20 MB, else into a folder beside it.
  public var embedsImages: Bool?
  /// The page's title; nil names the codecs.
  public var title: String?

  /// Three images.
  public init() {}

  /// All of it, as text that tells one page from another.
  var spelling: String {
    [images.map(String.init), embedsImages.map { $0 ? "in" : "beside" }, title].map { $0 ?? "-" }
      .joined(separator: "\n")
  }

  /// Which images are shown.
  var selection: ImageSelection { images.map { $0 > 0 ? .count($0) : .none } ?? .all }
}

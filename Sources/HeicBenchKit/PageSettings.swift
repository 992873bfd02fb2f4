/// The contents of the page besides plots and tables.
public struct PageSettings: Sendable, Hashable {
  /// Number of images shown, the extremes and the median by saving first; nil for all.
  public var images: Int? = 3
  /// True if pictures go into the page itself; nil for up to 20 MB, else into a folder beside it.
  public var embedsImages: Bool?
  /// The page's title; nil names the codecs.
  public var title: String?

  /// Creates the default settings, with three images.
  public init() {}

  /// All settings as text that tells one page from another.
  var spelling: String {
    [images.map(String.init), embedsImages.map { $0 ? "in" : "beside" }, title].map { $0 ?? "-" }
      .joined(separator: "\n")
  }
}

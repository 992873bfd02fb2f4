/// A size in pixels.
public struct PixelSize: Sendable, Hashable, CustomStringConvertible {
  /// Number of columns.
  public var width: Int
  /// Number of rows.
  public var height: Int

  /// Creates a size from columns and rows.
  public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  /// The size as `1920x1080`.
  public var description: String { "\(width)x\(height)" }
}

/// Columns and rows, pixels.
public struct PixelSize: Sendable, Hashable, CustomStringConvertible {
  /// Columns.
  public var width: Int
  /// Rows.
  public var height: Int

  /// Takes columns and rows as they are.
  public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  /// `1920x1080`.
  public var description: String { "\(width)x\(height)" }
}

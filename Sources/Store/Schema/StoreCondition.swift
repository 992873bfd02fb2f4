/// SQL conditions on the values that heicbench writes into columns.
enum StoreCondition {
  private static let longestManifest = 1 << 24
  private static let longestText = 1 << 20
  /// A gigapixel picture has several hundred thousand tiles of 64 pixels on all its levels.
  static let longestDetail = 1 << 26

  static func whole(_ column: String, _ low: Int, _ high: Int = .max) -> String {
    "typeof(\(column)) = 'integer' AND \(column) >= \(low)" + (high < .max ? " AND \(column) <= \(high)" : "")
  }

  static func text(_ column: String) -> String {
    "typeof(\(column)) = 'text' AND length(\(column)) <= \(column == "manifest" ? longestManifest : longestText)"
  }

  static func optional(_ column: String, _ condition: String) -> String {
    "(\(column) IS NULL OR \(condition))"
  }
}

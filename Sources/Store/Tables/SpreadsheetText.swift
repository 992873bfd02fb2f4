/// Guards text fields of CSV files against evaluation as formulas.
///
/// Spreadsheets evaluate a field that begins with `=`, `+`, `-` or `@` (or a tab or carriage return before it),
/// quoted or not, so a file name could run code on the reader's machine. The usual remedy is a leading apostrophe
/// (OWASP, “CSV Injection”). Text that already looks guarded gets another one, so that guarding can always be undone.
/// Numbers are never guarded.
enum SpreadsheetText {
  static func guarded(_ text: String) -> String {
    isRisky(text.utf8) ? "'" + text : text
  }

  /// The original text of a field. An unguarded field, such as `-dash.png` from another program, stays unchanged.
  static func unguarded(_ field: String) -> String {
    field.utf8.first == apostrophe && isRisky(field.utf8.dropFirst()) ? String(field.dropFirst()) : field
  }

  private static let apostrophe = UInt8(ascii: "'")

  /// True if a formula character follows optional apostrophes and then optional spaces.
  private static func isRisky(_ text: some Collection<UInt8>) -> Bool {
    let start = text.drop { $0 == apostrophe }.drop { $0 == UInt8(ascii: " ") }.first
    switch start {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0A, 0x0D:
      return true
    default: return false
    }
  }
}

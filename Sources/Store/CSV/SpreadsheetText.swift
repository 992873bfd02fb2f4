/// Text fields of a CSV file that a spreadsheet must not take for formulas.
///
/// Spreadsheets evaluate a field that begins with `=`, `+`, `-` or `@` (or a tab or carriage return before
/// it), quoted or not, so a file name could run code on the machine of whoever opens the results. The usual
/// remedy is an apostrophe in front (OWASP, “CSV Injection”). Text that would read as guarded already gets
/// one more, so that `unguarded(guarded(text)) == text` for every text. Numbers are never guarded.
package enum SpreadsheetText {
  /// The field to write for `text`.
  package static func guarded(_ text: String) -> String {
    isRisky(text.utf8) ? "'" + text : text
  }

  /// The text that a field stands for. A field that nobody guarded, such as `-dash.png` in a file made by
  /// another program, stays as it is.
  package static func unguarded(_ field: String) -> String {
    field.utf8.first == apostrophe && isRisky(field.utf8.dropFirst()) ? String(field.dropFirst()) : field
  }

  private static let apostrophe = UInt8(ascii: "'")

  /// Whether apostrophes and then spaces, none of either included, lead to a character that starts a formula.
  private static func isRisky(_ text: some Collection<UInt8>) -> Bool {
    let start = text.drop { $0 == apostrophe }.drop { $0 == UInt8(ascii: " ") }.first
    switch start {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0A, 0x0D:
      return true
    default: return false
    }
  }
}

/// Returns `, did you mean “heic”?` for a word close to a known one, or an empty string.
package func suggestion(for word: String, among known: [String]) -> String {
  let nearest = known.map { (word: $0, distance: editDistance(word, $0)) }.min { $0.distance < $1.distance }
  guard let nearest, nearest.distance <= max(1, min(3, nearest.word.count / 2)) else { return "" }
  return ", did you mean “\(nearest.word)”?"
}

/// Levenshtein distance, ignoring case.
func editDistance(_ a: String, _ b: String) -> Int {
  let (a, b) = (Array(a.lowercased()), Array(b.lowercased()))
  var row = Array(0...b.count)
  for (i, left) in a.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for (j, right) in b.enumerated() {
      let replaced = diagonal + (left == right ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
    }
  }
  return row[b.count]
}

/// In which order images are begun where all of them are measured coarsely first.
enum CoarseOrder {
  /// The smallest first, so that there are figures of many images early. But an image's points follow from each other, so that
  /// few of them can be measured side by side: one that alone keeps a worker busy for as long as all others together keep
  /// the other workers is begun before them. Last, it would keep one worker busy while the others have nothing left to do,
  /// for a time that nobody could tell before.
  static func order(ofPixels pixels: [Int], jobs: Int) -> [Int] {
    var rest = pixels.indices.sorted { (pixels[$0], $0) < (pixels[$1], $1) }[...]
    var others = pixels.reduce(0.0) { $0 + Double($1) }
    var (early, workers) = ([Int](), jobs)
    while rest.count > 1, workers > 1, let largest = rest.last {
      others -= Double(pixels[largest])
      guard others > 0, Double(pixels[largest]) * Double(workers - 1) > others else { break }
      early.append(largest)
      rest.removeLast()
      workers -= 1
    }
    return early + rest
  }
}

/// The order in which images are begun if all are measured coarsely first.
enum CoarseOrder {
  /// Smallest first, so that many images have figures early. But an image's points follow from each other, so few can
  /// be measured side by side: an image that would keep one worker busy as long as all others keep the rest is begun
  /// before them. Begun last, it would leave the other workers idle.
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

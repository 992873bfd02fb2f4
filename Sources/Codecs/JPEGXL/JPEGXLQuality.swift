/// The quality axis as libjxl's own measure, the Butteraugli distance.
enum JPEGXLQuality {
  /// The distance that `cjxl -q` takes for a quality from 0 to 100 in libjxl 0.8 and later
  /// (`JxlEncoderDistanceFromQuality`): 0.1 at 100, 1.0 at 90, 25 at 0. Older versions differ below 30.
  static func distance(forQuality quality: Int) -> Float {
    let quality = Float(quality)
    guard quality < 30 else { return 0.1 + (100 - quality) * 0.09 }
    return min(53 / 3000 * quality * quality - 23 / 20 * quality + 25, 25)
  }
}

import Model

/// The noise of an image sensor: a constant floor, and shot noise that grows with the root of the light. The three
/// channels share a part of it, as after demosaicing.
struct SensorNoise {
  /// Standard deviation in the dark, on the scale 0 to 1.
  var floor: Double
  /// Standard deviation added by full light.
  var shot: Double

  func add(to canvas: inout FloatCanvas, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    canvas.paint { _, _, colour in
      let common = normal(&generator)
      let noisy = [colour.red, colour.green, colour.blue].map { value in
        let variance = floor * floor + shot * shot * max(value, 0)
        return value + variance.squareRoot() * (0.7 * common + 0.7 * normal(&generator))
      }
      return Colour(noisy[0], noisy[1], noisy[2])
    }
  }

  /// Approximates a standard normal: the sum of four uniform numbers, scaled to variance one.
  private func normal(_ generator: inout SeededGenerator) -> Double {
    let sum = generator.unit() + generator.unit() + generator.unit() + generator.unit()
    return (sum - 2) * 3.0.squareRoot()
  }
}

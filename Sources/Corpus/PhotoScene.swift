import Model

/// A photo-like scene: a backdrop of light, leaves in front, lens blur, sensor noise.
struct PhotoScene {
  var width: Int
  var height: Int
  var seed: UInt64
  var backdrop: (top: Colour, bottom: Colour)
  var clouds: Double
  /// Layers of leaves, from far to near, each with a horizon as a share of the height, which the layer does not rise
  /// above.
  var layers: [(leaves: DeadLeaves, horizon: Double)]
  var blur: Int
  var noise: SensorNoise

  func paint() -> FloatCanvas {
    var canvas = FloatCanvas(width: width, height: height)
    let sky = FractalNoise(seed: seed, octaves: 6, coarsest: Double(width) / 2)
    canvas.paint { x, y, _ in
      backdrop.top.mixed(with: backdrop.bottom, Double(y) / Double(height))
        .scaled(1 + clouds * sky.value(Double(x), Double(y)))
    }
    for (index, layer) in layers.enumerated() {
      paint(layer.leaves, below: layer.horizon, on: &canvas, seed: seed &+ UInt64(index + 1) &* 7919)
    }
    canvas.soften(passes: blur)
    noise.add(to: &canvas, seed: seed ^ 0x5EED)
    return canvas
  }

  /// Scatters a layer's leaves below a wavy horizon.
  private func paint(_ leaves: DeadLeaves, below horizon: Double, on canvas: inout FloatCanvas, seed: UInt64)
  {
    guard horizon > 0 else { return leaves.scatter(on: &canvas, seed: seed) }
    var layer = canvas
    leaves.scatter(on: &layer, seed: seed)
    let ridge = FractalNoise(seed: seed ^ 0x41D6E, octaves: 6, coarsest: Double(width) / 3)
    canvas.paint { x, y, old in
      let edge = (horizon + 0.25 * ridge.value(Double(x), 0)) * Double(height)
      return old.mixed(with: layer[x, y], min(max(Double(y) - edge, 0), 1))
    }
  }
}

/// The noise of an image sensor: a constant floor, and shot noise that grows with the square root of the light. The
/// three channels share a part of it, as after demosaicing.
struct SensorNoise {
  /// Standard deviation in the dark, on a scale from 0 to 1.
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

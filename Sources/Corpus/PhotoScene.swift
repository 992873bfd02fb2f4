import Model

/// A photo-like scene: a backdrop of light, leaves in front, lens blur, sensor noise.
struct PhotoScene {
  var width: Int
  var height: Int
  var seed: UInt64
  var backdrop: (top: Colour, bottom: Colour)
  var clouds: Double
  /// Layers of leaves, from far to near, each with the share of the height above which it does not reach.
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

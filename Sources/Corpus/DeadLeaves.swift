import Model

/// The dead-leaves model: opaque shapes of all sizes piled on top of each other until they cover everything.
///
/// With radii drawn from r⁻³ the pile looks the same at every scale and has the edges, occlusions and spectrum of
/// photographs (Lee, Mumford and Huang, 2001), so codecs treat it like one.
struct DeadLeaves {
  /// The radii, in pixels.
  var radii: ClosedRange<Double>
  var count: Int
  var palette: [Colour]
  /// Deviation of a shape's colour from the palette, 0 to 1.
  var variety: Double
  var texture: Double
  /// The width of the softest edges, in pixels; half of the shapes have hard edges.
  var softness: Double

  func scatter(on canvas: inout FloatCanvas, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let grain = FractalNoise(seed: seed ^ 0xA5A5, octaves: 5, coarsest: 24)
    for _ in 0..<count {
      let leaf = Leaf(model: self, canvas: canvas, generator: &generator)
      leaf.draw(on: &canvas, grain: grain, texture: texture)
    }
  }
}

/// One shape: an ellipse, lit from one side, with a texture.
private struct Leaf {
  let (x, y): (Double, Double)
  let radius: Double
  /// Cosine and sine of the rotation, and the ratio of length to width.
  let (cosine, sine, slenderness): (Double, Double, Double)
  let edge: Double
  let colour: Colour
  /// Change of light across the shape, from −shade to +shade.
  let shade: Double

  init(model: DeadLeaves, canvas: FloatCanvas, generator: inout SeededGenerator) {
    x = generator.unit() * Double(canvas.width)
    y = generator.unit() * Double(canvas.height)
    // The inverse of the distribution function of r⁻³ between the two radii.
    let (low, high) = (model.radii.lowerBound, model.radii.upperBound)
    let u = generator.unit()
    radius = 1 / (1 / (low * low) - u * (1 / (low * low) - 1 / (high * high))).squareRoot()
    // A random direction without using the sine: a point in the square from −1 to 1, scaled to length one.
    let (a, b) = (generator.unit() * 2 - 1, generator.unit() * 2 - 1)
    let length = max((a * a + b * b).squareRoot(), 0.01)
    (cosine, sine) = (a / length, b / length)
    slenderness = 1 + generator.unit() * 2
    edge = generator.unit() < 0.5 ? 1 : 1 + generator.unit() * model.softness
    let base = model.palette[Int(generator.unit() * Double(model.palette.count))]
    let light = 1 + (generator.unit() - 0.5) * 1.2 * model.variety
    colour = Colour(
      base.red * light + (generator.unit() - 0.5) * 0.3 * model.variety,
      base.green * light + (generator.unit() - 0.5) * 0.3 * model.variety,
      base.blue * light + (generator.unit() - 0.5) * 0.3 * model.variety)
    shade = generator.unit() * 0.35
  }

  func draw(on canvas: inout FloatCanvas, grain: FractalNoise, texture: Double) {
    let reach = Int(radius + edge) + 1
    let (centreX, centreY) = (Int(x), Int(y))
    for row in max(0, centreY - reach)...max(0, min(canvas.height - 1, centreY + reach)) {
      for column in max(0, centreX - reach)...max(0, min(canvas.width - 1, centreX + reach)) {
        let (dx, dy) = (Double(column) - x, Double(row) - y)
        let along = dx * cosine + dy * sine
        let across = (dy * cosine - dx * sine) * slenderness
        let distance = (along * along + across * across).squareRoot()
        let coverage = (radius - distance) / edge + 0.5
        guard coverage > 0 else { continue }
        let light = 1 + shade * along / radius + texture * grain.value(along * 3 + x, across * 3 + y)
        canvas.blend(column, row, colour.scaled(light), coverage: coverage)
      }
    }
  }
}

/// Value noise in octaves, each twice as fine and half as strong: its power spectrum falls as 1/f², the average of
/// photographs (Field, 1987).
struct FractalNoise {
  private let seed: UInt64
  private let octaves: Int
  private let coarsest: Double

  init(seed: UInt64, octaves: Int, coarsest: Double) {
    self.seed = seed
    self.octaves = octaves
    self.coarsest = coarsest
  }

  /// The noise at a point, about −1 to 1.
  func value(_ x: Double, _ y: Double) -> Double {
    var sum = 0.0
    var amplitude = 0.5
    var scale = 1 / coarsest
    for octave in 0..<octaves {
      sum += amplitude * smooth(x * scale, y * scale, octave: octave)
      amplitude *= 0.5
      scale *= 2
    }
    return sum
  }

  /// One octave: lattice values −1 to 1, joined by smoothstep.
  private func smooth(_ x: Double, _ y: Double, octave: Int) -> Double {
    let (column, row) = (x.rounded(.down), y.rounded(.down))
    let (u, v) = (ease(x - column), ease(y - row))
    let (i, j) = (Int(column), Int(row))
    let top = lattice(i, j, octave) + (lattice(i + 1, j, octave) - lattice(i, j, octave)) * u
    let bottom =
      lattice(i, j + 1, octave) + (lattice(i + 1, j + 1, octave) - lattice(i, j + 1, octave)) * u
    return top + (bottom - top) * v
  }

  private func ease(_ t: Double) -> Double { t * t * (3 - 2 * t) }

  private func lattice(_ i: Int, _ j: Int, _ octave: Int) -> Double {
    var z = seed &+ UInt64(bitPattern: Int64(i)) &* 0x9E37_79B9_7F4A_7C15
    z ^= UInt64(bitPattern: Int64(j)) &* 0xC2B2_AE3D_27D4_EB4F
    z &+= UInt64(octave) &* 0x1656_67B1_9E37_79F9
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1
  }
}

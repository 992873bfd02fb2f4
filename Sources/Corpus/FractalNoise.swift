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

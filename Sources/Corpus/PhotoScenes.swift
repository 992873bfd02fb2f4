enum PhotoScenes {
  private static let greens = [
    Colour(0.20, 0.34, 0.12), Colour(0.33, 0.45, 0.15), Colour(0.12, 0.22, 0.10), Colour(0.48, 0.52, 0.24),
    Colour(0.30, 0.26, 0.14),
  ]
  private static let stone = [
    Colour(0.52, 0.48, 0.43), Colour(0.38, 0.36, 0.35), Colour(0.66, 0.61, 0.53), Colour(0.24, 0.23, 0.24),
    Colour(0.45, 0.36, 0.30),
  ]
  private static let stalls = [
    Colour(0.80, 0.22, 0.14), Colour(0.88, 0.62, 0.12), Colour(0.26, 0.48, 0.20), Colour(0.55, 0.16, 0.34),
    Colour(0.90, 0.84, 0.70), Colour(0.18, 0.26, 0.48), Colour(0.35, 0.22, 0.14),
  ]
  private static let skin = [
    Colour(0.78, 0.58, 0.47), Colour(0.85, 0.68, 0.58), Colour(0.55, 0.38, 0.30), Colour(0.30, 0.22, 0.20),
  ]

  static let coast = PhotoScene(
    width: 640, height: 448, seed: 11, backdrop: (Colour(0.45, 0.62, 0.84), Colour(0.86, 0.88, 0.88)),
    clouds: 0.16,
    layers: [
      (DeadLeaves(radii: 2...60, count: 14000, palette: stone, variety: 0.5, texture: 0.3, softness: 4), 0.55)
    ],
    blur: 1, noise: SensorNoise(floor: 0.004, shot: 0.010))

  static let foliage = PhotoScene(
    width: 512, height: 448, seed: 23, backdrop: (Colour(0.30, 0.36, 0.22), Colour(0.14, 0.18, 0.10)),
    clouds: 0.3,
    layers: [
      (DeadLeaves(radii: 3...70, count: 9000, palette: greens, variety: 0.8, texture: 0.4, softness: 5), 0),
      (DeadLeaves(radii: 2...30, count: 2500, palette: greens, variety: 0.9, texture: 0.5, softness: 2), 0.4),
    ],
    blur: 1, noise: SensorNoise(floor: 0.005, shot: 0.014))

  static let market = PhotoScene(
    width: 512, height: 384, seed: 37, backdrop: (Colour(0.55, 0.50, 0.45), Colour(0.35, 0.30, 0.28)),
    clouds: 0.2,
    layers: [
      (
        DeadLeaves(radii: 4...90, count: 3500, palette: stalls, variety: 0.5, texture: 0.2, softness: 3),
        0
      )
    ],
    blur: 1, noise: SensorNoise(floor: 0.004, shot: 0.012))

  /// A few large soft shapes with little detail, as with a shallow depth of field: the easiest scene.
  static let portrait = PhotoScene(
    width: 384, height: 512, seed: 53, backdrop: (Colour(0.34, 0.36, 0.34), Colour(0.20, 0.20, 0.22)),
    clouds: 0.25,
    layers: [
      (
        DeadLeaves(radii: 20...140, count: 260, palette: greens, variety: 0.4, texture: 0.10, softness: 60), 0
      ),
      (
        DeadLeaves(radii: 4...110, count: 420, palette: skin, variety: 0.4, texture: 0.25, softness: 20), 0.45
      ),
    ],
    blur: 1, noise: SensorNoise(floor: 0.005, shot: 0.011))

  static let night = PhotoScene(
    width: 512, height: 384, seed: 71, backdrop: (Colour(0.10, 0.11, 0.20), Colour(0.32, 0.22, 0.14)),
    clouds: 0.4,
    layers: [
      (
        DeadLeaves(
          radii: 3...50, count: 1600,
          palette: [Colour(0.16, 0.15, 0.18), Colour(0.26, 0.21, 0.17), Colour(0.07, 0.07, 0.11)],
          variety: 0.6, texture: 0.3, softness: 6), 0.4
      ),
      (
        DeadLeaves(
          radii: 2...14, count: 60, palette: [Colour(0.98, 0.86, 0.55), Colour(0.85, 0.92, 1.0)],
          variety: 0.2, texture: 0.05, softness: 12), 0.3
      ),
    ],
    blur: 1, noise: SensorNoise(floor: 0.016, shot: 0.028))

  /// Stones and walls: textures of medium contrast; painted gray.
  static let ruins = PhotoScene(
    width: 448, height: 336, seed: 89, backdrop: (Colour(0.75, 0.75, 0.75), Colour(0.6, 0.6, 0.6)),
    clouds: 0.2,
    layers: [
      (DeadLeaves(radii: 3...80, count: 3600, palette: stone, variety: 0.6, texture: 0.4, softness: 4), 0.2)
    ],
    blur: 1, noise: SensorNoise(floor: 0.004, shot: 0.010))
}

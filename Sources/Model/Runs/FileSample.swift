/// A sample of a folder, drawn from what the first bytes of its files show.
package struct DrawnSample: Sendable, Hashable, Codable {
  package var images: Int
  /// Total pixels of the drawn images, and of all images whose first bytes show their size.
  package var pixels: Double
  /// The number of images in the folder.
  package var population: Int
  package var populationPixels: Double
  /// The number of pixels of the largest image in the folder; nil in results of earlier versions.
  package var largestPixels: Int?
  package var seed: UInt64

  package init(
    images: Int, pixels: Double, population: Int, populationPixels: Double, largestPixels: Int? = nil,
    seed: UInt64
  ) {
    (self.images, self.pixels, self.largestPixels, self.seed) = (images, pixels, largestPixels, seed)
    (self.population, self.populationPixels) = (population, populationPixels)
  }
}

/// Random samples without replacement.
package enum FileSample {
  /// Ascending positions of `size` files spread evenly over `count` ordered files: neighbours in that order form
  /// strata, and each stratum contributes its share (implicit stratification; Cochran, Sampling Techniques, 1977,
  /// chapter 8).
  ///
  /// Steps around the files by the golden ratio from a random start: any number of steps leaves them evenly spread
  /// (Knuth, The Art of Computer Programming, volume 3, 6.4, theorem S), all files are equally likely to be drawn, and
  /// a larger sample contains the smaller ones.
  package static func spread(_ size: Int, of count: Int, seed: UInt64) -> [Int] {
    var generator = SeededGenerator(seed: seed)
    var position = generator.unit()
    var drawn: Set<Int> = []
    while drawn.count < min(size, count) {
      drawn.insert(min(Int(position * Double(count)), count - 1))
      position += 0.618_033_988_749_894_8
      position -= position.rounded(.down)
    }
    return drawn.sorted()
  }

  /// Positions of `size` of `count` files in the order of drawing; all of them if there are not more.
  ///
  /// All sets of files of the same size are equally likely. A sample is the start of a shuffle (Fisher and Yates)
  /// determined by `seed` and `count`, so a larger sample begins with the smaller ones.
  package static func drawn(_ size: Int, of count: Int, seed: UInt64) -> [Int] {
    let size = min(max(size, 0), max(count, 0))
    var generator = SeededGenerator(seed: seed)
    var order = Array(0..<max(count, 0))
    for place in 0..<size {
      order.swapAt(place, place + min(Int(generator.unit() * Double(count - place)), count - place - 1))
    }
    return Array(order.prefix(size))
  }
}

extension FileSample {
  /// Positions of names in a random order that depends only on the names. The first ones are a sample, which grows with
  /// the number taken and keeps most of its files when the folder changes. The order uses FNV-1a (Fowler, Noll and Vo)
  /// of the name's UTF-8, mixed by the generator.
  package static func order(of names: [String]) -> [Int] {
    let ranks = names.map { name -> Double in
      let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
      var generator = SeededGenerator(seed: hash)
      return generator.unit()
    }
    return names.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
  }
}

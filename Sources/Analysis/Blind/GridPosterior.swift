/// The posterior of a quantity over a grid with equal steps, together with nuisance parameters.
struct GridPosterior: Sendable, Hashable {
  /// The grid's values of the quantity, ascending.
  let places: [Double]
  /// The number of cells for the other parameters at each place.
  let cells: Int
  /// By place, then by cell.
  private(set) var weights: [Double]

  /// Starts with all cells equally likely.
  init(_ places: [Double], cells: Int) {
    (self.places, self.cells) = (places, cells)
    let count = places.count * cells
    weights = [Double](repeating: 1 / Double(count), count: count)
  }

  /// Enters an observation by its chance in each cell. Returns the chance expected before it.
  @discardableResult
  mutating func enter(_ chances: (Int) -> Double) -> Double {
    var sum = 0.0
    for cell in weights.indices {
      weights[cell] *= chances(cell)
      sum += weights[cell]
    }
    for cell in weights.indices { weights[cell] /= sum }
    return sum
  }

  /// The posterior of the quantity alone.
  var marginal: [Double] {
    places.indices.map { place in weights[place * cells..<(place + 1) * cells].reduce(0, +) }
  }

  var mean: Double { zip(marginal, places).reduce(0) { $0 + $1.0 * $1.1 } }

  var deviation: Double {
    let mean = mean
    return zip(marginal, places).reduce(0) { $0 + $1.0 * ($1.1 - mean) * ($1.1 - mean) }.squareRoot()
  }

  /// A quantile of the quantity, linear within the steps of the grid.
  func quantile(_ share: Double) -> Double {
    let step = places[1] - places[0]
    var below = 0.0
    for (weight, place) in zip(marginal, places) where weight > 0 {
      if below + weight >= share { return place + step * ((share - below) / weight - 0.5) }
      below += weight
    }
    return places[places.count - 1] + step / 2
  }
}

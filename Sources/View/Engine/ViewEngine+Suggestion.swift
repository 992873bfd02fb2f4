import CodecKit
import Model
import Pixels
import Synchronization
import Workers

extension ViewEngine {
  /// Finds the part of a picture that a coarse encode changes most, and sends its place.
  func suggest(_ index: Int, _ width: Int, _ height: Int) {
    guard let picture = cached(index, preparation),
      let variant = configuration.variants.first(where: { resolver.traits(of: $0)?.isFast == true })
        ?? configuration.variants.first
    else { return }
    jobs.add([
      job(.picture(index), .whole, build: variant.build) { [self] worker in
        do throws(Failure) {
          let seconds = Self.deadline(pixels: picture.raster.pixelCount)
          let coded = try roundTrip(picture.raster, variant, 0.5, worker, within: seconds).rgba
          let errors = ErrorMap(picture.screen, coded)
          let corner = errors.largest(width: width, height: height)
          send(
            BlindEvent.Suggested(picture: index, view: [corner.x, corner.y, width, height]),
            for: .picture(index))
        } catch {
          fail(.picture(index), error, by: worker)
        }
      }
    ])
  }
}

/// Squared differences of a picture from its original, summed over squares.
struct ErrorMap {
  private static let side = 32
  private let columns, rows: Int
  private var sums: [Int]

  /// Compares pixels of four bytes; ignores alpha.
  init(_ original: Outbox.Pixels, _ coded: [UInt8]) {
    columns = max(1, original.width / Self.side)
    rows = max(1, original.height / Self.side)
    sums = [Int](repeating: 0, count: columns * rows)
    // Every fourth pixel of every fourth row is enough for a sum over hundreds of thousands.
    for y in stride(from: 0, to: min(original.height, rows * Self.side), by: 4) {
      for x in stride(from: 0, to: min(original.width, columns * Self.side), by: 4) {
        let start = (y * original.width + x) * 4
        var sum = 0
        for channel in start..<start + 3 {
          let difference = Int(original.rgba[channel]) - Int(coded[channel])
          sum += difference * difference
        }
        sums[y / Self.side * columns + x / Self.side] += sum
      }
    }
  }

  /// The corner of the part with the largest sum.
  func largest(width: Int, height: Int) -> (x: Int, y: Int) {
    let (across, down) = (min(columns, max(1, width / Self.side)), min(rows, max(1, height / Self.side)))
    var best = (sum: -1, x: 0, y: 0)
    for row in 0...rows - down {
      for column in 0...columns - across {
        var sum = 0
        for y in row..<row + down { for x in column..<column + across { sum += sums[y * columns + x] } }
        if sum > best.sum { best = (sum, column * Self.side, row * Self.side) }
      }
    }
    return (best.x, best.y)
  }
}

/// Decides which images may be worked on side by side, so that together they stay within the memory there is.
///
/// It plans with what a worker is expected to need for an image, and learns from what workers did need. An
/// image that is expected to need more than there is gets its turn when nothing else runs.
package struct MemoryBudget {
  /// What a worker takes whatever the image: the program, its libraries, and what x265 leaks before renewal.
  package static let perWorker = 64 << 20

  private let total: Double
  private let workers: Double
  private var bytesPerPixel: Double
  private var reserved: [Int: Double] = [:]

  /// A budget of `total` bytes, with what is expected of each pixel: JPEG, HEIC, AVIF and PSNR stay under 40
  /// bytes. An image is open in so many workers at a time.
  package init(total: Int, bytesPerPixel: Double = 40, workers: Int = 1) {
    self.total = Double(total)
    self.workers = Double(max(1, workers))
    self.bytesPerPixel = bytesPerPixel
  }

  /// Bytes that the workers of a slot are expected to need for an image.
  package func expectation(pixels: Int) -> Double {
    workers * (Double(Self.perWorker) + bytesPerPixel * Double(pixels))
  }

  /// Whether an image of so many pixels may be started by `slot`, whose own reservation it would replace.
  package func admits(pixels: Int, slot: Int) -> Bool {
    let others = reserved.filter { $0.key != slot }.values
    return others.isEmpty || others.reduce(expectation(pixels: pixels), +) <= total
  }

  /// Sets memory aside for the image that `slot` is at.
  package mutating func reserve(pixels: Int, slot: Int) { reserved[slot] = expectation(pixels: pixels) }

  /// Gives it back, with the worker that used it gone or idle.
  package mutating func release(slot: Int) { reserved[slot] = nil }

  /// Learns from a worker's peak. Small images say little, since the worker itself is most of theirs.
  package mutating func learn(peakBytes: Int, pixels: Int) {
    let beyond = Double(peakBytes) - Double(Self.perWorker)
    guard pixels >= 500_000, beyond > 0 else { return }
    bytesPerPixel = max(bytesPerPixel, beyond / Double(pixels))
  }
}

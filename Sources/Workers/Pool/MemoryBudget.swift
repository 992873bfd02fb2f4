/// Decides which images may be processed at the same time within the available memory.
///
/// It plans with an expected need per image and learns from what workers actually need. An image expected to exceed the
/// budget gets its turn when nothing else runs.
package struct MemoryBudget {
  /// A worker's fixed need: the program, its libraries, and x265's leaks before renewal.
  static let perWorker = 64 << 20

  private let total: Double
  private let workers: Double
  private var bytesPerPixel: Double
  private var reserved: [Int: Double] = [:]

  /// A budget of `total` bytes. JPEG, HEIC, AVIF and PSNR take less than 40 bytes per pixel. `workers` share an image.
  package init(total: Int, bytesPerPixel: Double = 40, workers: Int = 1) {
    self.total = Double(total)
    self.workers = Double(max(1, workers))
    self.bytesPerPixel = bytesPerPixel
  }

  /// The bytes that the workers of a slot are expected to need for an image.
  package func expectation(pixels: Int) -> Double {
    workers * (Double(Self.perWorker) + bytesPerPixel * Double(pixels))
  }

  /// Replaces the slot's reservation by one for an image; false, leaving the slot without any, if there is too little.
  package mutating func reserve(pixels: Int, slot: Int) -> Bool {
    let (need, others) = (expectation(pixels: pixels), reserved.filter { $0.key != slot }.values)
    let fits = others.isEmpty || others.reduce(need, +) <= total
    reserved[slot] = fits ? need : nil
    return fits
  }

  package mutating func release(slot: Int) { reserved[slot] = nil }

  /// Learns from a worker's peak. Small images say little, since the worker itself dominates them.
  package mutating func learn(peakBytes: Int, pixels: Int) {
    let beyond = Double(peakBytes) - Double(Self.perWorker)
    guard pixels >= 500_000, beyond > 0 else { return }
    bytesPerPixel = max(bytesPerPixel, beyond / Double(pixels))
  }
}

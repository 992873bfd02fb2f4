package import Model
package import Store

/// The work for a whole folder, projected from a sample of it.
package struct SampleOutlook: Sendable, Hashable {
  package let sample: DrawnSample
  /// CPU seconds of encodes, decodes and scores of all images, by their pixels, with the ends of its 95 % interval; nil
  /// if the sample cannot show it: a run with missing points, or times from different processors.
  package private(set) var seconds: Double?
  package private(set) var secondsRange: ClosedRange<Double>?
  /// Bytes of the store for all images.
  package let bytes: Double
  /// Cores of the machine that measured the sample.
  package let cores: Int

  package init(_ sample: DrawnSample, cost: RunCost, cores: Int, isFinished: Bool) {
    (self.sample, self.cores) = (sample, cores)
    bytes = Double(cost.storeBytes) * Double(sample.population) / Double(max(sample.images, 1))
    guard isFinished, cost.processors.count == 1 else { return }
    let files = cost.images.map { RatioEstimate.File(known: Double($0.pixels), measured: $0.seconds) }
    // A file's first bytes may not contain the picture's size, so sums of known sizes are compared only with each
    // other.
    let known = files.reduce(0) { $0 + $1.known } * sample.populationPixels / max(sample.pixels, 1)
    let estimate = RatioEstimate(files, count: sample.population, known: known)
    seconds = estimate?.total
    secondsRange = estimate?.interval.map { $0.lower...$0.upper }
  }

  /// The factor by which an interval over `images` of the sample narrows with a sample of `size` images.
  package func narrowing(_ size: Int, images: Int) -> Double {
    let (n, more, all) = (Double(images), Double(size), Double(sample.population))
    guard n > 0, more < all, n < all else { return 0 }
    return (n / more * (1 - more / all) / (1 - n / all)).squareRoot()
  }
}

public import BenchModel

/// What a point may cost before something is taken to be wrong, by the size of its image.
public struct PointBudget: Sendable, Hashable {
  /// Seconds that every point gets.
  public var baseSeconds: Double
  /// Seconds for each megapixel beyond that. Slow presets need under ten on a machine of 2015; the rest is
  /// for machines that are busy.
  public var secondsPerMegapixel: Double
  /// Bytes that a child takes before it has seen an image: program, libraries and their tables.
  public var baseBytes: Int
  /// Bytes for each pixel of the source: its raster, the decoded one, and what encoder and metrics allocate.
  public var bytesPerPixel: Int

  /// Sets a budget; the defaults are for JPEG, HEIC and AVIF with all metrics.
  public init(
    baseSeconds: Double = 60, secondsPerMegapixel: Double = 30, baseBytes: Int = 60 << 20,
    bytesPerPixel: Int = 160
  ) {
    self.baseSeconds = baseSeconds
    self.secondsPerMegapixel = secondsPerMegapixel
    self.baseBytes = baseBytes
    self.bytesPerPixel = bytesPerPixel
  }

  /// How long a point may take, repeats included, before its child is taken to hang.
  public func timeout(for header: ImageHeader, repeats: Int = 1) -> Duration {
    let megapixels = Double(header.pixelCount) / 1_000_000
    let seconds = (baseSeconds + secondsPerMegapixel * megapixels) * Double(max(1, repeats))
    // A week, which no honest point takes and a Duration can hold.
    return .seconds(min(seconds, 604_800))
  }

  /// Bytes that a child will take at most for points of this image, as far as one can tell beforehand.
  public func memoryEstimate(for header: ImageHeader) -> Int {
    let (pixels, overflow) = header.pixelCount.multipliedReportingOverflow(by: bytesPerPixel)
    let (sum, tooMuch) = pixels.addingReportingOverflow(baseBytes)
    return overflow || tooMuch ? .max : sum
  }
}

import Model
import Pixels
import Synchronization
import Workers

/// A sweep whose points are made up: two variants at ten qualities, five metrics.
struct SyntheticSweep {
  let manifest: RunManifest
  let images: [ImageIdentity]
  let preparation: String

  private static let metrics = ["psnr-y", "psnr-rgb", "ssim", "ms-ssim", "ssimulacra2"]

  /// Makes the images of a sweep of at least `points` points.
  init(points: Int) {
    let variants = ["jpeg", "heic"].map { codec in
      VariantDescription(
        variant: CodecVariant(codec: codec),
        libraries: [LibraryVersion(name: "lib\(codec)", version: "1.15.1")], threads: 1)
    }
    let qualities = (1...10).compactMap { Quality(thousandths: $0 * 100) }
    manifest = RunManifest(
      version: "0", started: "2026-01-01T00:00:00Z", command: [], roots: ["corpus"],
      machine: MachineDescription(host: "bench", system: "", processor: "", cores: 2, memoryBytes: 0),
      variants: variants, qualities: qualities, preparation: Preparation(),
      metrics: Self.metrics.map { MetricTraits(id: $0, column: $0, title: $0, decimals: 2) }, jobs: 2,
      repeats: 1)
    preparation = manifest.preparation.canonicalSpelling
    let count = max(points / (variants.count * qualities.count), 2)
    images = (0..<count).map { number in
      let name = "camera/\(1000 + number / 1000)/IMG_\(10_000_000 + number).png"
      return ImageIdentity(name: name, contentHash: SHA256.hexDigest(of: Array(name.utf8)))
    }
  }

  /// How many points there are.
  var pointCount: Int { images.count * manifest.variants.count * manifest.qualities.count }

  /// The points of an image, as a plan has them.
  func points(of image: ImageIdentity) -> [PointKey] {
    manifest.variants.flatMap { description in
      let libraries = description.libraries.canonicalSpelling
      return manifest.qualities.map { quality in
        PointKey(
          image: image, preparation: preparation, variant: description.variant, quality: quality,
          libraries: libraries)
      }
    }
  }

  /// A usable image of 12 megapixels.
  func record(of image: ImageIdentity) -> ImageRecord {
    ImageRecord(
      identity: image, preparation: preparation, fileBytes: 20_000_000,
      header: ImageHeader(
        format: "png", width: 4_000, height: 3_000, bitDepth: 8, layout: .rgb, isLossy: false),
      preparedWidth: 4_000, preparedHeight: 3_000, preparedFormat: PixelFormat(layout: .rgb), profile: "sRGB")
  }

  /// A measured point, with values that depend on its key alone.
  func measured(_ key: PointKey) -> SweepRecord {
    var generator = SeededGenerator(
      seed: UInt64(key.image.name.utf8.reduce(0) { $0 &* 31 &+ Int($1) } & 0xffff_ffff))
    let sample = { (scale: Double) in
      TimingSample(
        wallNanoseconds: Int64(scale * (1 + generator.unit())),
        cpuNanoseconds: Int64(scale * (1 + generator.unit())))
    }
    let bytes = 100_000 + key.quality.thousandths * 2_000 + Int(generator.next() % 100_000)
    let hash = String(key.image.contentHash.reversed())
    let timing = TimingSeries(conditions: .contended, encode: [sample(4e8)], decode: [sample(1e8)])
    return .point(
      PointRecord(
        key: key,
        outcome: .measured(
          Measurement(
            nativeQuality: key.quality.nativeValue(in: 0...100), encodedBytes: bytes, encodedHash: hash,
            timing: timing, figures: [.peakMemory: 200_000_000 + bytes],
            scores: Dictionary(uniqueKeysWithValues: Self.metrics.map { ($0, generator.unit() * 100) }),
            scoringCPUNanoseconds: 900_000_000))))
  }
}

/// The first error of several threads.
final class Failures: Sendable {
  private let errors = Mutex<[any Error]>([])

  func add(_ error: any Error) { errors.withLock { $0.append(error) } }
  var first: (any Error)? { errors.withLock { $0.first } }
}

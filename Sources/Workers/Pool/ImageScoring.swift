package import CodecKit
package import Model
package import Pixels

/// Scores image files against an original in a pool's workers, upright, at full depth and with their alpha.
package struct ImageScoring: Sendable {
  private let pool: WorkerPool
  private let registry: CodecRegistry
  private let jobs: Int

  /// - Parameter light: the light of samples, for metrics of HDR; nil for those of SDR.
  package init(
    _ configuration: RunnerConfiguration, metrics: [String], registry: CodecRegistry, light: HDRViewing? = nil
  ) throws {
    pool = WorkerPool(
      configuration, preparation: Preparation(keepsAlpha: true, maximumBitDepth: 16, light: light),
      metrics: metrics, bytesPerPixel: 110)
    self.registry = registry
    jobs = configuration.jobs
  }

  /// The scores of each file by metric identifier, or the reason why there are none. Paths are bytes. Throws a
  /// `Failure` if the original is unusable, `WorkerStartError` or `CancellationError`.
  package func scores(
    of distorted: [[UInt8]], against original: [UInt8]
  ) throws -> [Result<[String: Double], Failure>] {
    let reference = ImageFile(unhashed: original, registry: registry)
    let isOneEach = distorted.count <= jobs
    let hasCores = 2 * distorted.count <= MachineCores.count
    return try pool.map(distorted, pixels: { _ in reference.pixels }) { worker, path in
      let file = ImageFile(unhashed: path, registry: registry)
      let scores =
        isOneEach
        ? try worker.score(file, against: reference, usesTwoThreads: hasCores)
        : try worker.compare(file, with: reference)
      switch scores {
      case .answered(let scores): return .success(scores)
      case .unusable(let record): throw record.problem ?? CancellationError() as any Error
      case .failed, .cancelled:
        guard let failure = scores.failure else { throw CancellationError() }
        return .failure(failure)
      }
    }
  }

  package func cancel() { pool.cancel() }
}

extension ImageFile {
  /// Bytes read for the header, which only determines the memory estimate.
  private static let headLength = 1 << 16

  /// A file without a hash: its content at the time of reading counts.
  package init(unhashed path: [UInt8], registry: CodecRegistry) {
    var head: [UInt8] = []
    var size = 0
    if let file = try? FileSystem.open(path), let status = try? file.status(), status.kind == .file {
      size = status.size
      try? file.read(min(size, Self.headLength), into: &head)
    }
    self.init(
      path: path, identity: ImageIdentity(name: ImageName.printable(path), contentHash: ""), fileBytes: size,
      header: try? registry.reader(for: head)?.header(of: head))
  }
}

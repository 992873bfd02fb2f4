import CodecKit
package import Model
package import Pixels

/// Scores image files against an original in a pool's workers, upright, at full depth and with their alpha.
package struct ImageScoring: Sendable {
  private let pool: WorkerPool
  private let jobs: Int

  /// - Parameter light: The light of samples, for HDR metrics; nil for SDR metrics.
  package init(
    _ configuration: RunnerConfiguration, metrics: [String], light: HDRViewing? = nil
  ) throws {
    pool = WorkerPool(
      configuration, preparation: Preparation(keepsAlpha: true, maximumBitDepth: 16, light: light),
      metrics: metrics, bytesPerPixel: 110)
    jobs = configuration.jobs
  }

  /// Has the scoring workers describe files first. Paths are bytes.
  package func files(_ paths: [[UInt8]]) throws -> [ImageFile] {
    let sizes = paths.map { (try? FileSystem.status(of: $0))?.size ?? 0 }
    let files = zip(paths, sizes).map { FileToDescribe(path: $0, bytes: $1) }
    return zip(paths, try WorkerDescriber(pool).describe(files, as: .glance)).map { path, description in
      ImageFile(
        path: path, identity: ImageIdentity(name: ImageName.printable(path), contentHash: ""),
        fileBytes: description.fileBytes, header: description.header)
    }
  }

  /// The scores of each file by metric identifier, or the reason why there are none. A file is scored as it is when it
  /// is read. Throws a `Failure` if the original is unusable, `WorkerStartError` or `CancellationError`.
  package func scores(
    of distorted: [ImageFile], against reference: ImageFile
  ) throws -> [Result<[String: Double], Failure>] {
    let isOneEach = distorted.count <= jobs
    let hasCores = 2 * distorted.count <= MachineCores.count
    return try pool.map(distorted, pixels: { _ in reference.pixels }) { worker, file in
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

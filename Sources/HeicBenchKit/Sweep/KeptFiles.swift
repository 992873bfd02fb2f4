import CodecKit
import Codecs
import Foundation
import Model
import Store
import Synchronization
import Workers

/// Keeps a run's records in its store and its encoded files in the folder of `--keep-encoded`.
///
/// Workers write only into a scratch folder there; a file gets its name once its point is in the store and its content
/// is known to be what was measured. A point without its file counts as missing, so repeating the command adds the
/// file.
final class KeptFiles: RecordSink, FinishedPoints {
  let scratch: String
  private let files: OwnedFolder
  private let store: ResultStore
  private let others = Mutex<[String]>([])

  /// Opens or creates the folder; throws if something in it is in the way of a point's file. Files that earlier
  /// versions wrote for this store are recognised by content.
  init(folder: String, store: ResultStore, plan: SweepPlan) throws {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw HeicBenchError(
        .resultsUnusable, "“\(folder)” cannot be created; choose another folder with --keep-encoded")
    }
    let files = try OwnedFolder(folder)
    for key in plan.entries.lazy.filter({ $0.problem == nil }).flatMap({ plan.points(of: $0) }) {
      guard let name = EncodedFiles.name(of: key, registry: .standard) else { continue }
      try files.refuseObstacles(among: CollectionOfOne(name), reads: false) { name in
        let known = try? store.encodedHashes(
          image: key.image.name, variant: key.variant, quality: key.quality)
        guard let hash = files.digest(of: name), known?.contains(hash) == true else { return false }
        return (try? files.adopt(name)) != nil
      }
    }
    (self.files, self.store) = (files, store)
    scratch = try files.makeScratch()
  }

  /// Files not kept because their content differed from what the worker reported.
  var notKept: [String] { others.withLock { $0 } }

  func append(_ record: SweepRecord) throws {
    try store.append(record)
    guard case .point(let point) = record, case .measured(let measurement) = point.outcome,
      let name = EncodedFiles.name(of: point.key, registry: .standard)
    else { return }
    let source = scratch + "/" + name
    guard FileManager.default.fileExists(atPath: source) else {
      let reason = measurement.remarks.first { $0.contains("could not be kept") }
      throw HeicBenchError(
        .resultsUnusable,
        "“\(files.path)/\(name)” was not written\(reason.map { " (\($0))" } ?? ""). Free some space and run the "
          + "command again; finished measurements are kept.")
    }
    if try !files.move(source, to: name, hash: measurement.encodedHash) {
      others.withLock { $0.append(name) }
    }
  }

  func finished(
    _ image: ImageIdentity, preparation: String, metric: String?
  ) throws -> FinishedImage {
    let finished = try store.finished(image, preparation: preparation, metric: metric)
    let encoded = try store.points(of: image, preparation: preparation)
    return finished.filter { setup, quality, _ in
      let key = Case(
        image: image, preparation: preparation, variant: setup.variant, quality: quality,
        libraries: setup.libraries)
      guard let file = encoded[key]?.figures, let name = EncodedFiles.name(of: key, registry: .standard)
      else {
        return true
      }
      return files.holds(name, hash: file.encodedHash, bytes: file.encodedBytes)
    }
  }

  func close() {
    files.removeScratch()
  }
}

import Foundation
import GRDB
import Model

/// What merging did.
package struct MergeReport: Sendable, Hashable {
  /// The run that shows everything merged.
  package var run: RunID
  /// Its images.
  package var images = 0
  /// Points that were new.
  package var added = 0
  /// Points that took the place of a failed one, or that brought scores that were missing.
  package var improved = 0
  /// Points that were there already, with equal values.
  package var present = 0
  /// Images that the stores have with different contents: the latest run's stand.
  package var replacedImages: [String] = []
}

extension ResultStore {
  /// Brings the latest runs of other stores, and every point those stores hold, into this one, and begins a
  /// run that shows them together with this store's latest run, with the images in the order of their names.
  ///
  /// Merging twice is merging once. A point that both sides measured has to have equal size, hash and scores
  /// (to one part in 10⁹, since mathematics libraries differ in the last bit): then the first one stands. The
  /// database does the work, so memory does not grow with the stores. Each store is merged whole or not at all.
  /// - Throws: `.conflict` with both hosts and the point, `.unmergeable` for runs that answer other questions.
  @discardableResult
  package func merge(_ folders: [String]) throws(StoreError) -> MergeReport {
    var manifest = try latestRun()?.manifest
    var isFinished = try latestRun().map { $0.finished != nil } ?? true
    for folder in folders {
      manifest = try manifestMerged(manifest, with: folder)
      isFinished = try ResultStore(reading: folder).latestRun()?.finished != nil && isFinished
    }
    guard let manifest else { throw .missing(path: path) }
    var report = MergeReport(run: RunID(rawValue: 0))
    var lists: [Int64] = try read { db in
      try Int64.fetchAll(db, sql: "SELECT list FROM run ORDER BY id DESC LIMIT 1")
    }
    for folder in folders {
      let source = folder + "/" + Self.fileName
      let list = try Self.translating(path) {
        try database.writeWithoutTransaction { db in
          try StoreMerger(path: source, here: path).run(db, &report)
        }
      }
      lists.append(list)
    }
    let (run, images, replaced) = try write { db in try StoreMerger.beginRun(manifest, lists: lists, db) }
    report.run = RunID(rawValue: run)
    // A part that was cut off leaves the whole unfinished, until all of its points have come from somewhere.
    if let progress = try progress(of: report.run), isFinished || progress.isComplete {
      try finish(report.run, at: manifest.started)
    }
    report.images = images
    report.replacedImages = replaced
    return report
  }

  /// Looks at a store before anything is changed: whether it is one, and answers the same question.
  private func manifestMerged(
    _ manifest: RunManifest?, with folder: String
  ) throws(StoreError) -> RunManifest? {
    let source = try ResultStore(reading: folder)
    guard
      URL(filePath: source.path).resolvingSymlinksInPath() != URL(filePath: path).resolvingSymlinksInPath()
    else { throw .unmergeable(path: source.path, reason: "it is the store that is merged into") }
    guard let other = try source.latestRun()?.manifest else {
      throw .unmergeable(path: source.path, reason: "it has no run")
    }
    guard let manifest else { return other }
    do {
      return try MergedManifest.merge(manifest, other)
    } catch {
      throw .unmergeable(path: source.path, reason: error.reason)
    }
  }
}

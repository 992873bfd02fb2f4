import Foundation
import GRDB
import GRDBSQLite
import Model
import TestSupport
import Testing

@testable import Store

/// The cost of merging, in the database steps that SQLite itself counts.
@Suite struct MergeEffortTests {
  /// A store with this many images with refined points and one read of each. If `fails`, half of both failed.
  private func store(_ path: String, images count: Int, fails: Bool) throws -> ResultStore {
    let store = try ResultStore(folder: path)
    let images = (0..<count).map { StoreFixture.image("\($0).png") }
    let run = try store.begin(StoreFixture.manifest(), images: images)
    let problem = Failure(kind: .codec, message: "no")
    for (number, image) in images.enumerated() {
      let isFailed = fails && number % 2 == 0
      try store.append(.image(StoreFixture.record(of: image, problem: isFailed ? problem : nil)))
      for quality in [300, 600, 900] {
        let outcome = isFailed ? PointOutcome.failed(problem) : .measured(StoreFixture.measurement())
        let key = StoreFixture.key(image, StoreFixture.jpeg, quality)
        try store.append(.point(CaseRecord(key: key, outcome: outcome, origin: fails ? .grid : .refined)))
      }
      var measured = Figures(format: "png", fileBytes: 9, width: 2, height: 2, touchedBytes: 9)
      (measured[.decodedWidth], measured[.decodedHeight]) = (2, 2)
      (measured[.deliveredWidth], measured[.deliveredHeight]) = (2, 2)
      measured.timing.decode = [TimingSample(wallNanoseconds: 2, cpuNanoseconds: 1)]
      try store.append(
        CaseRecord(
          key: Case(image: image, encoding: nil, format: "png", route: .full, wanted: .all),
          outcome: isFailed ? .failed(problem) : .measured(measured)))
    }
    try store.finish(run, at: "2026-01-02T05:00:00Z")
    return store
  }

  /// How many hundreds of steps it takes to merge one store into another with the same images.
  private func effort(images: Int) throws -> Int {
    let folder = try TemporaryFolder()
    let source = folder.path + "/source"
    _ = try store(source, images: images, fails: false)
    let merged = try store(folder.path + "/merged", images: images, fails: true)
    let steps = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    steps.initialize(to: 0)
    defer { steps.deallocate() }
    merged.database.writeWithoutTransaction { db in
      let count: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { place in
        place?.assumingMemoryBound(to: Int.self).pointee += 1
        return 0
      }
      sqlite3_progress_handler(db.sqliteConnection, 100, count, steps)
    }
    let report = try merged.merge([source])
    #expect(report.improved > 0)
    merged.database.writeWithoutTransaction { db in
      sqlite3_progress_handler(db.sqliteConnection, 0, nil, UnsafeMutableRawPointer?.none)
    }
    #expect(try merged.reads().allSatisfy { if case .measured = $0.outcome { true } else { false } })
    // The points that one store measured for its refinement serve the other's.
    let origins = try merged.finished(
      StoreFixture.image("1.png"), preparation: Preparation().canonicalSpelling, metric: nil)
    #expect(
      origins[StoreFixture.key(StoreFixture.image("1.png"), StoreFixture.jpeg, 600)]?.origins == [.refined])
    return steps.pointee
  }

  @Test("Merging four times as much takes about four times as long")
  func growth() throws {
    let (few, many) = (try effort(images: 40), try effort(images: 160))
    #expect(few > 0 && Double(many) < 5.5 * Double(few), "\(few) and \(many) hundred steps")
  }
}

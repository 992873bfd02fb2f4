import CodecKit
import Foundation
import HeicBenchKit
import Model
import TestSupport
import Workers

/// A sweep of scripted images with scripted codecs, carried out by real worker processes.
struct ScriptedSweep {
  let folder: TemporaryFolder
  let sink: RecordingSink
  var plan: SweepPlan
  var configuration: RunnerConfiguration

  /// A plan over images of the given accidents (`nothing` for a sound one) and variants of the scripted codec.
  init(
    images: [String] = ["nothing"], variants: [String] = ["scripted"], qualities: String = "0.1...1.0",
    side: Int = 16, jobs: Int = 2, sink: RecordingSink = RecordingSink()
  ) throws {
    folder = try TemporaryFolder()
    self.sink = sink
    var entries: [CorpusEntry] = []
    for (index, accident) in images.enumerated() {
      let bytes = ScriptedReader.file(width: side, height: side + index, accident: accident)
      let path = "\(folder.path)/image \(index)"
      try Data(bytes).write(to: URL(filePath: path))
      entries.append(
        CorpusEntry(
          identity: ImageIdentity(name: "image \(index)", contentHash: SHA256.hexDigest(of: bytes)),
          path: Array(path.utf8), fileBytes: bytes.count, header: try ScriptedReader().header(of: bytes)))
    }
    let registry = CodecRegistry.scripted
    plan = SweepPlan(
      entries: entries,
      variants: try variants.map {
        VariantDescription(
          variant: try registry.variant($0), libraries: registry.codecs[0].traits.libraries, threads: 1)
      },
      qualities: try QualityList(parsing: qualities).qualities, preparation: Preparation(), metrics: [])
    configuration = RunnerConfiguration(jobs: jobs, timeout: 30, workerExecutable: Self.worker)
    configuration.memoryBudget = 1 << 30
  }

  /// The program beside the test bundle that serves as a worker.
  static let worker: String = {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let folders = [URL(filePath: own), Bundle.main.bundleURL, URL(filePath: CommandLine.arguments[0])]
      .map { $0.deletingLastPathComponent() }
    return folders.map { $0.appending(path: "worker-fixture").path }
      .first { FileManager.default.isExecutableFile(atPath: $0) } ?? "worker-fixture"
  }()

  /// The worker's program under a name of its own, so that its processes can be told from those of other tests.
  static func copyOfWorker(in folder: TemporaryFolder) throws -> String {
    let copy = "\(folder.path)/worker"
    try self.copy(worker, to: copy)
    return copy
  }

  /// Copies a program in another process: what this one has open for writing, those that other tests fork have as well for a
  /// moment, and nobody can start it meanwhile.
  private static func copy(_ program: String, to path: String) throws {
    let process = try ProcessTable.start(["/bin/cp", "-p", program, path])
    var status: Int32 = 0
    guard waitpid(process, &status, 0) == process, status == 0 else { throw POSIXError(.EIO) }
  }

  /// A runner, for tests that cancel it.
  func runner(progress: @escaping @Sendable (SweepProgress) -> Void = { _ in }) -> SweepRunner {
    SweepRunner(plan: plan, configuration: configuration, sink: sink, finished: sink, progress: progress)
  }

  /// Has all encodes hang for longer than any test, each of which leaves a mark as it begins. Returns their variant.
  @discardableResult mutating func letEncodesHang() -> CodecVariant {
    let variant = CodecVariant(
      codec: "scripted", settings: ["do": "hang", "file:mark": folder.path + "/mark"])
    plan.variants = plan.variants.prefix(1).map {
      VariantDescription(variant: variant, libraries: $0.libraries, threads: 1)
    }
    configuration.keepFolder = folder.path
    configuration.timeout = 3600
    return variant
  }

  /// Whether so many encodes hang.
  func areHanging(_ count: Int) -> Bool {
    FileManager.default.contents(atPath: folder.path + "/mark")?.count == count
  }

  /// A shell script in the sweep's folder, to stand in for the worker's program.
  func program(_ name: String, _ script: String) throws -> String {
    let path = folder.path + "/" + name
    let text = path + ".text"
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: text))
    guard chmod(text, 0o755) == 0 else { throw POSIXError(.EIO) }
    try Self.copy(text, to: path)
    return path
  }

  /// Carries the sweep out.
  func run() throws -> SweepSummary { try runner().run() }
}

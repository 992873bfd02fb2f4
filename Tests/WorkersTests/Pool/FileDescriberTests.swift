import CodecKit
import Foundation
import Model
import Synchronization
import TestSupport
import Testing
import Workers

/// Files that make a parser trap or hang: each fails alone.
@Suite struct FileDescriberTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ bytes: [UInt8], to name: String) throws -> FileToDescribe {
    try Data(bytes).write(to: folder.url.appending(path: name))
    return FileToDescribe(path: Array("\(folder.path)/\(name)".utf8), bytes: bytes.count)
  }

  private func describer(timeout: Double = 60, jobs: Int = 1) -> WorkerDescriber {
    var configuration = RunnerConfiguration(jobs: jobs, workerExecutable: ScriptedWorker.program)
    configuration.describingTimeout = timeout
    return WorkerDescriber(configuration)
  }

  private static func script(_ accident: String) -> [UInt8] {
    ScriptedReader.file(width: 8, height: 8, accident: accident)
  }

  @Test(arguments: FileDescription.Depth.allCases)
  func aTrapCostsItsOwnFile(depth: FileDescription.Depth) throws {
    let lost = [3, 270, 271]
    let files = try (0..<300).map { number in
      try write(Self.script(lost.contains(number) ? "trap" : "nothing"), to: "\(number)")
    }
    let done = Mutex<[Int]>([])
    let described = try describer(jobs: 2).describe(files, as: depth) { count in
      done.withLock { $0.append(count) }
    }
    #expect(described.count == 300 && described.allSatisfy(\.isRecognised))
    #expect(done.withLock { $0.last } == 300)
    // The first bytes alone do not make it trap.
    let expected = depth == .signature ? [] : lost
    #expect(described.indices.filter { described[$0].problem != nil } == expected)
    for number in expected {
      let problem = described[number].problem
      #expect(problem?.kind == .crash && problem?.message == "killed by SIGILL while reading its header")
    }
    #expect(described[4].header?.width == (depth == .signature ? nil : 8))
    #expect(described[4].contents == (depth == .contents ? .success(FileContents()) : nil))
  }

  @Test func aTrapInItsContentsCostsThemAlone() throws {
    let scripts = ["nothing", "trap-in-contents", "nothing"]
    let files = try scripts.map { try write(Self.script($0), to: $0) }
    let described = try describer().describe(files, as: .contents)
    #expect(described.allSatisfy { $0.problem == nil && $0.header?.width == 8 })
    #expect(described.map(\.contentHash) == scripts.map { SHA256.hexDigest(of: Self.script($0)) })
    let crash = Failure(kind: .crash, message: "killed by SIGILL while reading its contents")
    let nothing: Result<FileContents, Failure> = .success(FileContents())
    #expect(described.map(\.contents) == [nothing, .failure(crash), nothing])
  }

  @Test func aHangCostsItsOwnFile() throws {
    let files = try ["nothing", "hang-early", "nothing"].map { try write(Self.script($0), to: $0) }
    let described = try describer(timeout: 0.5).describe(files, as: .digest)
    #expect(described.map(\.problem?.kind) == [nil, .timeout, nil])
    #expect(described.map { $0.header == nil } == [false, true, false])
  }
}

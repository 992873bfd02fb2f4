import Foundation
import Model
import Synchronization
import TestSupport
import Testing

@testable import Workers

/// A number that the worker repeats, followed by this many bytes.
private struct RepeatNumber: Question {
  var number: Int

  func reply(in _: WorkerSession, _: [UInt8]) -> Attached<Int> { Attached(number, []) }
  func remarks(in _: Attached<Int>) -> [String: [String]] { [:] }
  func verify(_ answer: inout Attached<Int>, by check: AnswerCheck) throws(AnswerCheck.Invalid) {
    try check.require(answer.body == number, "the number")
  }
  func attachment(of answer: Attached<Int>, by _: AnswerCheck) -> ClosedRange<Int> { 0...answer.body }
}

/// The run's end of a worker. A shell script at the other end answers as the test needs.
@Suite(.timeLimit(.minutes(30))) struct WorkerProcessTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A worker from a script. `begins` makes it get ready first, so that the script starts after the setup.
  private func worker(
    _ script: String, begins: Bool = true, requiresSandbox: Bool = false
  ) throws -> WorkerProcess {
    let ready = #"printf '{"answer":{"attachment":0}}\n\#(Self.readiness())\n'"#
    let lines = (begins ? ["read -r setup", ready] : []) + [script]
    let program = try ScriptedWorker.script(lines.joined(separator: "\n"), named: "program", in: folder)
    var configuration = RunnerConfiguration(jobs: 1, workerExecutable: program)
    configuration.requiresSandbox = requiresSandbox
    let setup = configuration.setup(preparation: Preparation(), metrics: ["psnr-y"])
    let worker = try WorkerProcess(configuration, setup, build: nil)
    if begins { try worker.begin() }
    return worker
  }

  private static func readiness(
    version: Int = WorkerProtocol.version, landlock: Int = 1, seccomp: Bool = true
  ) -> String {
    #"{"sandbox":{"landlock":\#(landlock),"seccomp":\#(seccomp)},"version":\#(version)}"#
  }

  /// A script that answers a question with these texts.
  private static func answer(_ lines: String...) -> String {
    "read -r head; read -r question\n" + lines.map { "printf '\($0)'" }.joined(separator: "\n")
  }

  private static func heads(_ attachment: Int, _ body: Int) -> String {
    #"{"answer":{"attachment":\#(attachment)}}\n{"body":\#(body)}\n"#
  }

  /// True once no process of a test's script is left.
  private func isGone() -> Bool {
    ProcessTable.wait { ProcessTable.mentioning(folder.path + "/program").isEmpty }
  }

  @Test func theFirstLineIsTheSetup() throws {
    let worker = try worker(
      """
      read -r setup; printf '%s' "$setup" > '\(folder.path)/setup'
      printf '{"answer":{"attachment":0}}\\n\(Self.readiness(landlock: 3))\\n'
      read -r end
      """, begins: false)
    try worker.begin()
    #expect(worker.sandbox == SandboxStatus(landlock: 3, seccomp: true))
    let line = try #require(FileManager.default.contents(atPath: folder.path + "/setup"))
    let setup = try WorkerProtocol.message(WorkerSetup.self, from: Array(line))
    #expect(setup.metrics == ["psnr-y"] && setup.version == WorkerProtocol.version)
  }

  private static let answered = #"printf '{"answer":{"attachment":0}}\n"#
  private static let beginnings: [(script: String, reason: String, wasKilled: Bool)] = [
    ("\(answered)\(readiness(version: 1))\\n'", "the worker speaks version 1 instead of", false),
    (
      "\(answered)\(readiness(landlock: 5000))\\n'",
      "gave an answer that does not match the request: its sandbox",
      false
    ),
    ("\(answered)[]\\n'", "did not start: gave an unreadable answer", false),
    (#"printf '{"refusal":{"_0":"no \\u001b[2Jfolder"}}\n'"#, "did not start: no  [2Jfolder", false),
    ("echo no room >&2; exit 3", "did not start: ended with status 3; it said “no room”", false),
    ("kill -KILL $$", "did not start: killed by SIGKILL", true),
  ]

  @Test(arguments: beginnings.indices) func aWorkerThatDoesNotBeginSaysWhy(_ index: Int) throws {
    let (script, reason, wasKilled) = Self.beginnings[index]
    let worker = try worker("read -r setup\n\(script)\nread -r end", begins: false)
    let error = #expect(throws: WorkerStartError.self) { try worker.begin() }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    // Another worker may have more luck only if this one was killed.
    #expect(error?.wasKilled == wasKilled && error?.isShortage == false)
  }

  @Test func anIncompleteSandboxIsRefusedWhereOneIsRequired() throws {
    let script = """
      read -r setup
      printf '{"answer":{"attachment":0}}\\n\(Self.readiness(seccomp: false))\\n'
      read -r end
      """
    let strict = try worker(script, begins: false, requiresSandbox: true)
    let error = #expect(throws: WorkerStartError.self) { try strict.begin() }
    #expect(error?.isShortage == true && error?.description.contains("without seccomp,") == true)
    let other = try worker(script, begins: false)
    try other.begin()
    #expect(other.sandbox.lacking == "seccomp")
  }

  @Test(arguments: [nil, "", "/own", "/own:", ":/own"]) func aBuildsFolderComesFirst(inherited: String?) {
    var environment = ["PATH": "/bin", "SECRET": "x"]
    environment["LD_LIBRARY_PATH"] = inherited
    let build = LibraryBuild(name: "new", folder: "/nowhere")
    let variables = WorkerEnvironment.variables(of: environment, build: build)
    // An empty part, as after a colon at the end, would be the current folder.
    let path = inherited?.contains("/own") == true ? "/nowhere:/own" : "/nowhere"
    #expect(variables.contains("LD_LIBRARY_PATH=\(path)") && variables.contains("PATH=/bin"))
    #expect(!variables.contains { $0.hasPrefix("SECRET") })
    // A libavif in the user's own path belongs to no build.
    #expect(variables.contains("LIBAVIF_FOLDER=/nowhere"))
    environment["LIBAVIF_FOLDER"] = "/own"
    #expect(!WorkerEnvironment.variables(of: environment).contains { $0.hasPrefix("LIBAVIF_FOLDER") })
  }

  @Test func aProgramThatIsNotThereIsNamed() throws {
    let missing = folder.path + "/missing"
    let configuration = RunnerConfiguration(jobs: 1, workerExecutable: missing)
    let setup = configuration.setup(preparation: Preparation(), metrics: [])
    let error = #expect(throws: WorkerStartError.self) {
      try WorkerProcess(configuration, setup, build: nil)
    }
    #expect(error?.description.hasPrefix("cannot start a worker from \(missing): ") == true)
    #expect(error?.isShortage == false)
  }

  @Test func afterAFailedQuestionTheWorkerAnswersTheNext() throws {
    let worker = try worker(
      [
        Self.answer(#"{"failure":{"_0":{"kind":"codec","message":"it said no\\u001b"}}}\n"#),
        // The bytes of one answer end where the next begins.
        Self.answer(Self.heads(3, 5), "abc"), Self.answer(Self.heads(0, 6)), "read -r end",
      ].joined(separator: "\n"))
    let failed = try worker.ask(RepeatNumber(number: 4), within: 60)
    #expect(failed.failure == Failure(kind: .codec, message: "it said no "))
    let whole = try worker.ask(RepeatNumber(number: 5), within: 60)
    #expect(whole.value?.body == 5 && whole.value?.bytes == Array("abc".utf8))
    #expect(try worker.ask(RepeatNumber(number: 6), within: 60).value?.bytes == [])
  }

  private static let endings: [(script: String, seconds: Double, failure: Failure)] = [
    (
      answer(heads(0, 8)), 60,
      Failure(kind: .broken, message: "gave an answer that does not match the request: the number")
    ),
    (
      answer(heads(8, 7)), 60,
      Failure(
        kind: .broken, message: "gave an answer that does not match the request: 8 bytes after its answer")
    ),
    (
      answer(#"{"refusal":{"_0":"no image"}}\n"#), 60,
      Failure(kind: .broken, message: "gave an answer that does not match the request: no image")
    ),
    (answer("]]]\\n"), 60, Failure(kind: .broken, message: "gave an unreadable answer")),
    (
      "echo first >&2; echo 'last words' >&2; exit 7", 60,
      Failure(kind: .broken, message: "ended with status 7; it said “last words”")
    ),
    ("kill -SEGV $$", 60, Failure(kind: .crash, message: "killed by SIGSEGV")),
    (
      "read -r head\nexec 0<&- 1>&-", 60,
      Failure(kind: .broken, message: "closed its output and kept running")
    ),
    ("", 1.5, Failure(kind: .timeout, message: "no answer in 1.5 s")),
  ]

  @Test(arguments: endings.indices) func whatGoesWrongEndsTheWorkerForGood(_ index: Int) throws {
    let (script, seconds, failure) = Self.endings[index]
    let worker = try worker("\(script)\nwhile :; do sleep 1000; done")
    let error = #expect(throws: Failure.self) {
      try worker.ask(RepeatNumber(number: 7), within: seconds)
    }
    #expect(error == failure)
    #expect(isGone())
    #expect(throws: Failure.self) { try worker.ask(RepeatNumber(number: 7), within: 60) }
    worker.kill()
  }

  @Test("a worker that does not read does not block the writer") func fullSocket() throws {
    let worker = try worker("while :; do sleep 1000; done")
    let error = #expect(throws: Failure.self) {
      try worker.ask(RepeatNumber(number: 1), [UInt8](repeating: 0, count: 1 << 24), within: 1)
    }
    #expect(error == Failure(kind: .timeout, message: "no answer in 1 s"))
  }

  @Test("a kill from another thread ends the question, the worker and its processes") func killing()
    throws
  {
    let mark = folder.path + "/program-child"
    let worker = try worker(
      "read -r head\nsh -c 'while :; do sleep 1000; done' '\(mark)' &\nwait")
    let killer = DispatchSemaphore(value: 0)
    try PlainThread.start {
      _ = ProcessTable.wait { !ProcessTable.mentioning(mark).isEmpty }
      worker.kill()
      killer.signal()
    }
    let error = #expect(throws: Failure.self) { try worker.ask(RepeatNumber(number: 1), within: 300) }
    killer.wait()
    #expect(error == Failure(kind: .crash, message: "killed by SIGKILL"))
    #expect(isGone())
  }

  @Test func aWorkerGoesWithItsObject() throws {
    do {
      let worker = try worker(Self.answer(Self.heads(0, 1)) + "\nwhile :; do sleep 1000; done")
      #expect(try worker.ask(RepeatNumber(number: 1), within: 60).value != nil)
      withExtendedLifetime(worker) {
        #expect(!ProcessTable.mentioning(folder.path + "/program").isEmpty)
      }
    }
    #expect(isGone())
  }
}

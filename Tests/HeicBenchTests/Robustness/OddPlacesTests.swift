import Foundation
import Model
import TestSupport
import Testing

/// The commands other than the sweep, with unusable inputs and outputs, and when killed.
@Suite("odd inputs, outputs and endings of all commands", .timeLimit(.minutes(30)))
struct OddPlacesTests {
  private let user: UserFolder

  init() throws {
    user = try UserFolder()
    for name in ["a.ppm", "b.ppm"] {
      var image = try ProgramDesk.image(width: 160, height: 120, seed: 3)
      try Data(image).write(to: place("images/" + name))
      image[image.count - 1] ^= 1
      try Data(image).write(to: place("others/" + name))
    }
  }

  private func place(_ name: String) throws -> URL {
    let file = user.folder.url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    return file
  }

  /// The commands, with INPUT and OUTPUT to be filled in.
  private static let commands = [
    "decode INPUT -o OUTPUT --quiet", "tiles INPUT --codec jpeg -o OUTPUT --quiet",
    "tiles export INPUT OUTPUT", "tiles export INPUT OUTPUT --rewrap", "thumbnails INPUT OUTPUT",
    "generations INPUT --codec jpeg -o OUTPUT --quiet", "import --reference INPUT x=others -o OUTPUT",
    "import --reference images x=INPUT -o OUTPUT",
    "INPUT --codec jpeg --qualities 0.3,0.5,0.7,0.9 --metrics psnr-y -o OUTPUT",
  ]

  private func words(_ command: String, input: String = "images", output: String = "out") -> [String] {
    command.split(separator: " ").map {
      String($0).replacing("INPUT", with: input).replacing("OUTPUT", with: output)
    }
  }

  @Test(
    "an input that is not a file is an error at once",
    arguments: commands + ["tiles pack INPUT out.heic --columns 1", "convert-check INPUT"])
  func refusesOddInputs(command: String) throws {
    try #require(mkfifo(user.path("fifo"), 0o600) == 0)
    for input in ["fifo", "/dev/zero", "missing"] {
      let run = try user.program.run(words(command, input: input), in: user.folder.url)
      #expect([66, 74].contains(run.status), "\(input): \(run.status) \(run.errors)")
      #expect(run.errors.contains(input))
    }
    // Five bytes of a JPEG, followed by three gigabytes of nothing.
    let sparse = try FileHandle(forWritingTo: emptyFile("sparse.jpg"))
    try sparse.write(contentsOf: Data([0xff, 0xd8, 0xff, 0xe0, 0]))
    try sparse.truncate(atOffset: 3 << 30)
    let run = try user.program.run(words(command, input: "sparse.jpg"), in: user.folder.url)
    #expect([3, 64, 66].contains(run.status), "\(run.status) \(run.errors)")
  }

  private func emptyFile(_ name: String) throws -> URL {
    let file = try place(name)
    try Data().write(to: file)
    return file
  }

  @Test("commands do not replace other things by folders, or write through links", arguments: commands)
  func outputs(command: String) throws {
    try #require(mkfifo(user.path("fifo"), 0o600) == 0)
    let taken = try user.program.run(words(command, output: "fifo"), in: user.folder.url)
    #expect([66, 74].contains(taken.status), "\(taken.status) \(taken.errors)")
    try Data("precious".utf8).write(to: try place("mine.txt"))
    _ = try place("out/x")
    for name in [".heicbench-files", ".heicbench.lock", "heicbench.sqlite"] {
      try FileManager.default.createSymbolicLink(
        atPath: user.path("out/" + name), withDestinationPath: user.path("mine.txt"))
    }
    let linked = try user.program.run(words(command), in: user.folder.url)
    #expect([66, 74].contains(linked.status), "\(linked.status) \(linked.errors)")
    #expect(try user.text("mine.txt") == "precious")
  }

  /// A PPM file leaves nothing to take over.
  @Test(
    "a killed command leaves no process, and running it again finishes",
    arguments: commands.filter { !$0.contains("--rewrap") && !$0.contains("x=INPUT") })
  func goesOnAfterKills(command: String) throws {
    if command.hasPrefix("import") {
      let sweep = "INPUT --codec jpeg --qualities 0.3,0.5,0.7,0.9 --metrics psnr-y --images none -o OUTPUT"
      #expect(try user.program.run(words(sweep), in: user.folder.url).status == 0)
    }
    var generator = SeededGenerator(seed: UInt64(command.utf8.count))
    for signal in [SIGKILL, SIGTERM, SIGINT] {
      let process = user.program.process(
        words(command), in: user.folder.url, environment: ["TMPDIR": user.folder.path])
      try process.run()
      usleep(UInt32.random(in: 1000...800_000, using: &generator))
      if process.isRunning { kill(process.processIdentifier, signal) }
      process.waitUntilExit()
      #expect(ProcessTable.wait { user.processes().isEmpty })
    }
    let last = try user.program.run(words(command), in: user.folder.url)
    #expect([0, 3].contains(last.status), "\(last.status) \(last.errors)")
    let left = try FileManager.default.subpathsOfDirectory(atPath: user.folder.path)
      .filter { $0.hasSuffix(".parts") || $0.hasSuffix(".tmp") || $0.contains("heicbench-metric-") }
    #expect(left.isEmpty, "\(left)")
  }

  @Test("two runs into one folder do not take each other's files for foreign") func twoAtOnce() throws {
    let processes = ["images/a.ppm", "images/b.ppm"].map { image in
      user.program.process(["tiles", "export", image, "out"], in: user.folder.url)
    }
    for process in processes { try process.run() }
    for process in processes {
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
    let again = try user.run("tiles", "export", "images", "out")
    #expect(again.status == 0, "\(again.errors)")
  }

  @Test(
    "a folder that cannot be written ends a command before it measures",
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self"), "SKIPPED: needs /proc"),
    arguments: ["tiles", "generations"])
  func nowhereToWrite(command: String) throws {
    let run = try user.run(command, "images", "--codec", "jpeg", "-o", "/proc")
    #expect(run.status == 74 && run.errors.contains("“/proc"), "\(run.errors)")
    #expect(!run.errors.contains(" %"), "\(run.errors)")
  }
}

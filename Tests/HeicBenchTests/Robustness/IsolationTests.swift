import Foundation
import TestSupport
import Testing

/// A worker that goes wrong fails only its own point, with the cause.
@Suite("isolation, through the program")
struct IsolationTests {
  let user: UserFolder

  init() throws { user = try UserFolder() }

  /// A way to go wrong, with the failed point's message and options that make it short.
  struct Fault: Sendable, CustomTestStringConvertible {
    let name: String
    let cause: String
    var options: [String] = []
    var testDescription: String { name }
  }

  private static let faults = [
    Fault(name: "crash", cause: "killed by SIGSEGV"),
    Fault(name: "abort", cause: "killed by SIGABRT"),
    Fault(name: "exit", cause: "ended with status 7"),
    Fault(name: "error", cause: "null: requested fault"),
    // Long enough for the other points on a machine that runs other tests.
    Fault(name: "hang", cause: "no answer in 8 s", options: ["--timeout", "8"]),
    Fault(name: "memory", cause: "over 192 MiB", options: ["--memory-per-job", "192MiB"]),
  ]

  @Test(
    "a fault fails only its points and is reported with a command", .timeLimit(.minutes(30)),
    arguments: faults)
  func faultCostsItsOwnPoints(fault: Fault) throws {
    try user.writeImage("a.ppm")
    try user.writeImage("b.ppm", seed: 2)
    let sweep = try user.program.run(
      ["a.ppm", "b.ppm", "--codec", "null", "--codec", "null:fault=\(fault.name)", "--qualities", "0.5"]
        + ["--metrics", "none", "--jobs", "2"] + fault.options, in: user.folder.url)
    #expect(sweep.status == 3, "\(sweep.errors)")
    let rows = try user.rows()
    #expect(rows.count == 4)
    #expect(rows.count { $0.contains(",null,,0.5,50,measured,") } == 2)
    let failed = rows.filter { $0.contains(",null,fault=\(fault.name),0.5,") && $0.contains(",failed,") }
    #expect(failed.count == 2)
    #expect(failed.allSatisfy { $0.contains(fault.cause) }, "\(failed)")
    let listing = try user.run("report", "--failures")
    #expect(listing.status == 0)
    let options = fault.options.map { $0 + " " }.joined()
    for image in ["a.ppm", "b.ppm"] {
      #expect(listing.output.contains("\(image) null:fault=\(fault.name) at 0.5: \(fault.cause)"))
      #expect(
        listing.output.contains(
          "heicbench \(image) --codec null --codec null:fault=\(fault.name) --qualities 0.5 --metrics none "
            + "\(options)--fresh --output reproduced"), "\(listing.output)")
    }
    // A failure is not tried again unless the user asks for it.
    let second = try user.program.run(
      ["a.ppm", "b.ppm", "--codec", "null", "--codec", "null:fault=\(fault.name)", "--qualities", "0.5"]
        + ["--metrics", "none"], in: user.folder.url)
    #expect(second.status == 3)
    #expect(second.errors.contains("0 encodes in"))
  }

  @Test("a worker that prints garbage or is slow still succeeds", arguments: ["garbage", "slow"])
  func harmlessFaults(fault: String) throws {
    try user.writeImage("a.ppm")
    let sweep = try user.run(
      "a.ppm", "--codec", "null:fault=\(fault)", "--qualities", "0.5", "--metrics", "none")
    #expect(sweep.status == 0, "\(sweep.errors)")
    #expect(try user.rows().count == 1)
  }

  @Test("an image that is too large to decode is refused from its header", .timeLimit(.minutes(30)))
  func hugeImage() throws {
    try user.writeImage("images/good.ppm")
    try Data(HugePNG.bytes(width: 60_000, height: 60_000))
      .write(to: user.folder.url.appending(path: "images/huge.png"))
    // A worker that began to decode it would need 10.8 GB.
    let sweep = try user.run(
      "images", "--codec", "jpeg", "--qualities", "0.5", "--metrics", "none", "--memory-per-job", "512MiB")
    #expect(sweep.status == 3, "\(sweep.errors)")
    let listing = try user.run("report", "--failures")
    #expect(listing.output.contains("huge.png: "))
    #expect(listing.output.contains("60000×60000"))
    #expect(listing.output.contains("--max-pixels"))
    #expect(try user.rows().count == 2)
  }

  @Test("a memory limit too small for any worker is refused, and the smallest allowed one suffices")
  func leastMemory() throws {
    try user.writeImage("a.ppm")
    let sweep = ["a.ppm", "--codec", "jpeg", "--qualities", "0.5", "--metrics", "none", "--memory-per-job"]
    for bytes in ["1", "33554431"] {
      let refused = try user.program.run(sweep + [bytes], in: user.folder.url)
      #expect(refused.status == 64 && refused.errors.contains("must be at least 32 MiB"), "\(refused.errors)")
    }
    let least = try user.program.run(sweep + ["32MiB"], in: user.folder.url)
    #expect(least.status == 0, "\(least.errors)")
  }

  #if os(Linux)
    @Test("no worker outlives a run that is killed", .timeLimit(.minutes(30)))
    func killedRun() throws {
      try user.writeImage("a.ppm")
      let process = user.program.process(
        [
          "a.ppm", "--codec", "null:fault=hang", "--qualities", "0.1,0.2", "--metrics", "none", "--jobs", "2",
        ],
        in: user.folder.url, environment: ["TMPDIR": user.folder.path])
      process.standardError = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      // The run and its two workers.
      #expect(ProcessTable.wait { user.processes().count >= 3 })
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      #expect(ProcessTable.wait { user.processes().isEmpty }, "\(user.processes())")
      // The run can be resumed from what it left.
      let next = try user.run("a.ppm", "--codec", "null", "--qualities", "0.1", "--metrics", "none")
      #expect(next.status == 0, "\(next.errors)")
    }
  #endif
}

/// A PNG file with a correct header and no pixels.
enum HugePNG {
  static func bytes(width: UInt32, height: UInt32) -> [UInt8] {
    let header = bytes(width) + bytes(height) + [8, 2, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
      + chunk("IDAT", [0x78, 0x9C])
      + chunk("IEND", [])
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + data
    return bytes(UInt32(data.count)) + body + bytes(checksum(body))
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian, Array.init)
  }

  /// The CRC of PNG (ISO/IEC 15948, annex D).
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(0xFFFF_FFFF as UInt32) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
  }
}

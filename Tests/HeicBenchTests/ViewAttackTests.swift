import Foundation
import TestSupport
import Testing

/// The server of `heicbench view` against another program on the machine, or a page of another site.
@Suite("view, attacked")
struct ViewAttackTests {
  let desk: ProgramDesk

  init() throws { desk = try ProgramDesk() }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test(arguments: [1 << 18, 1 << 22])
  func aLineWithoutEndIsShut(length: Int) throws {
    let view = try RunningView(desk, [])
    let clients = try (0..<2).map { _ in try view.client() }
    for client in clients {
      client.write(bytes("GET / HTTP/1.1\r\nX: ") + [UInt8](repeating: 97, count: length))
    }
    #expect(try view.code() == 200)
    for client in clients { #expect(client.isHungUpOn()) }
    view.end()
  }

  @Test(arguments: ["GET /\(String(repeating: "a", count: 9000))", "GET / HTTP/1.1\r\nX: "])
  func aLineHas8KB(start: String) throws {
    let view = try RunningView(desk, [])
    let client = try view.client()
    client.write(bytes(start) + [UInt8](repeating: 97, count: 9000))
    #expect(client.answer().code == 400)
    #expect(client.isHungUpOn())
    view.end()
  }

  @Test func headsOfManyShortLinesAreShut() throws {
    let view = try RunningView(desk, [])
    let client = try view.client()
    client.write(
      bytes("GET / HTTP/1.1\r\n") + Array(repeatElement(bytes("A: b\r\n"), count: 20_000).joined()))
    #expect(client.isHungUpOn())
    let second = try view.client()
    second.write(bytes("GET / HTTP/1.1\r\n") + Array(repeatElement(bytes("A: b\r\n"), count: 300).joined()))
    #expect(second.answer().code == 400)
    view.end()
  }

  @Test func manyWhoWaitDoNotShutThePageOut() throws {
    let view = try RunningView(desk, [])
    let waiting = try (0..<70).map { _ in
      let client = try view.client()
      client.write(bytes("G"))
      return client
    }
    // Browsers do this: they connect before they know what to request.
    let page = try view.client()
    #expect(waiting[0].isHungUpOn(), "the oldest is closed")
    #expect(page.ask("GET", "/\(view.token)/", headers: view.headers).code == 200)
    view.end()
  }

  @Test func aHeaderThatDecidesIsThereOnce() throws {
    let view = try RunningView(desk, [])
    for evil in ["Host: evil.example", "Origin: http://evil.example"] {
      #expect(try view.code(headers: [evil] + view.headers) == 403)
      #expect(try view.code(headers: view.headers + [evil]) == 403)
      #expect(view.upgrade(try view.client(), headers: [evil]) == 403)
    }
    view.end()
  }

  @Test(arguments: [
    // A frame without a mask, one with the first reserved bit, one with an unknown opcode, and a part of a text.
    [0x81, 2, 0x7B, 0x7D], [0xC1, 0x82, 0, 0, 0, 0, 0x7B, 0x7D], [0x8F, 0x80, 0, 0, 0, 0],
    [0x01, 0x80, 0, 0, 0, 0],
  ])
  func aFrameThatNoBrowserSendsIsTheEnd(frame: [UInt8]) throws {
    let view = try RunningView(desk, [])
    let (client, _) = try view.connect()
    client.write(frame)
    #expect(client.isHungUpOn())
    for _ in 0..<8 { #expect(try view.code() == 200) }
    view.end()
  }

  #if os(Linux)
    @Test func aHugeFrameIsNotBuffered() throws {
      let view = try RunningView(desk, [])
      let (client, _) = try view.connect()
      let before = try highWater(of: view.process)
      client.write([0x81, 0xFF, 0, 0, 0, 1, 0, 0, 0, 0, 1, 2, 3, 4])
      let part = [UInt8](repeating: 0, count: 1 << 20)
      let taken = (0..<256).prefix { _ in client.write(part) }.count
      #expect(taken < 256, "only what the system holds for a connection")
      #expect(try highWater(of: view.process) < before + 64 << 20)
      view.end()
    }

    @Test func theBodyOfARefusedRequestIsNotRead() throws {
      let view = try RunningView(desk, [])
      let client = try view.client()
      client.write(bytes("PUT / HTTP/1.1\r\nHost: \(view.host)\r\nContent-Length: 1000000000000\r\n\r\n"))
      #expect(client.answer().code == 404)
      let part = [UInt8](repeating: 0, count: 1 << 20)
      let taken = (0..<256).prefix { _ in client.write(part) }.count
      #expect(taken < 256, "only what the system holds for a connection")
      #expect(try seconds(of: view.process) < 2, "the body is not parsed as another request")
      view.end()
    }

    /// The CPU time of a process, seconds.
    private func seconds(of process: Process) throws -> Double {
      let line = try String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)
      let fields = try #require(line.split(separator: ")").last).split(separator: " ")
      return try #require(Double(fields[11])) / 100 + (try #require(Double(fields[12]))) / 100
    }

    /// The peak memory of a process, in bytes.
    private func highWater(of process: Process) throws -> Int {
      let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
      return try #require(line.split(separator: " ").dropLast().last.flatMap { Int($0) }) << 10
    }

    @Test func openingTellsTheTokenToNobody() throws {
      let view: RunningView
      let said = desk.folder.url.appending(path: "said")
      try desk.write(
        """
        #!/bin/sh
        { stat -c '%a' "$(dirname "$1")" "$1"; echo "$@"; cat "$1"; } >\(said.path).part
        mv \(said.path).part \(said.path)
        """, to: "xdg-open")
      let script = desk.folder.url.appending(path: "xdg-open").path
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
      let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      view = try RunningView(
        desk, ["--open"],
        environment: ["PATH": "\(desk.folder.path):\(path)", "TMPDIR": desk.folder.path])
      for _ in 0..<600 where !FileManager.default.fileExists(atPath: said.path) { usleep(100_000) }
      let lines = try desk.text("said").split(separator: "\n").map(String.init)
      try #require(lines.count > 3)
      #expect(lines[0] == "700" && lines[1] == "600", "its owner's alone")
      #expect(!lines[2].contains(view.token))
      #expect(lines[3...].joined().contains("url=http://\(view.host)/\(view.token)/\""))
      view.end()
      #expect(!FileManager.default.fileExists(atPath: lines[2]), "it is removed with the view")
    }
  #endif

  @Test func uploadsThatStallGiveWay() throws {
    let view = try RunningView(desk, [])
    let head =
      ["PUT /\(view.token)/upload?name=a HTTP/1.1"] + view.headers + ["Content-Length: 1000000", "", ""]
    let stalled = try (0..<4).map { _ in
      let client = try view.client()
      client.write(bytes(head.joined(separator: "\r\n")) + [1, 2, 3])
      return client
    }
    var codes: [Int] = []
    for _ in 0..<60 where codes.last != 200 {
      if !codes.isEmpty { usleep(250_000) }
      codes.append(try view.code("PUT", "/\(view.token)/upload?name=b", body: [1]))
    }
    #expect(codes.last == 200, "\(codes)")
    #expect(stalled[0].isHungUpOn())
    view.end()
  }
}

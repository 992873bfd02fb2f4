import CodecKit
import Foundation
import Model
import TestSupport
import Testing

@testable import View

/// The server, with limits short enough for a test.
struct PageServerTests {
  private func serve(
    _ limits: ConnectionLimits, _ use: @escaping @Sendable (_ address: [Substring], UInt16) throws -> Void
  ) async throws {
    let program = try #require(BuiltProgram("worker-fixture"))
    var configuration = ViewConfiguration(pictures: [], roots: [], variants: [], limits: ReadLimits())
    configuration.workerExecutable = program.executable.path
    let registry = CodecRegistry(codecs: [ScriptedCodec()], readers: [], writer: ScriptedWriter())
    let engine = try ViewEngine(configuration, registry: registry)
    defer { engine.close() }
    let server = PageServer(engine, port: 0, isIPv6: false, limits: limits)
    let (addresses, continuation) = AsyncStream.makeStream(of: String.self)
    let serving = Task { try await server.run { continuation.yield($0) } }
    var iterator = addresses.makeAsyncIterator()
    let parts = try #require(await iterator.next()).split(separator: "/")
    let port = try #require(parts[1].split(separator: ":").last.flatMap { UInt16($0) })
    let using = Task.detached { try use(parts, port) }
    let result = await using.result
    serving.cancel()
    try await serving.value
    try result.get()
  }

  @Test(arguments: ["A", "GET / HTTP/1.1\r\nA: b", "\r\n"])
  func aConnectionWithoutTheTokenEndsInTime(start: String) async throws {
    var limits = ConnectionLimits()
    limits.secondsToToken = 0.5
    try await serve(limits) { _, port in
      let client = try #require(PageClient(port: port))
      client.write(Array(start.utf8))
      #expect(client.isHungUpOn())
    }
  }

  @Test func oneThatNeverStopsSendingEndsToo() async throws {
    var limits = ConnectionLimits()
    limits.secondsToToken = 0.5
    try await serve(limits) { _, port in
      let client = try #require(PageClient(port: port))
      // Blank lines before a request are skipped, however many there are.
      let lines = Array(repeatElement(Array("\r\n".utf8), count: 1 << 12).joined())
      let sent = (0..<1_000_000).prefix { _ in client.write(lines) }.count
      #expect(sent < 1_000_000)
    }
  }

  @Test func oneWithTheTokenMayStay() async throws {
    var limits = ConnectionLimits()
    (limits.secondsToToken, limits.strangers) = (0.2, 2)
    try await serve(limits) { address, port in
      let client = try #require(PageClient(port: port))
      let headers = ["Host: 127.0.0.1:\(port)"]
      #expect(client.ask("GET", "/\(address[2])/", headers: headers).code == 200)
      for _ in 0..<3 { #expect(try #require(PageClient(port: port)).isHungUpOn()) }
      #expect(client.ask("GET", "/\(address[2])/view.js", headers: headers).code == 200)
    }
  }

  @Test func anUploadThatTricklesEnds() async throws {
    var limits = ConnectionLimits()
    limits.uploadDelay = 0.5
    try await serve(limits) { address, port in
      let client = try #require(PageClient(port: port))
      let host = "127.0.0.1:\(port)"
      let head = [
        "PUT /\(address[2])/upload?name=a HTTP/1.1", "Host: \(host)", "Origin: http://\(host)",
        "Content-Length: 1000000", "", "",
      ]
      client.write(Array(head.joined(separator: "\r\n").utf8) + [1])
      #expect(client.isHungUpOn())
    }
  }

  @Test("an empty file is refused as empty")
  func emptyUpload() async throws {
    try await serve(ConnectionLimits()) { address, port in
      let client = try #require(PageClient(port: port))
      let headers = ["Host: 127.0.0.1:\(port)", "Origin: http://127.0.0.1:\(port)", "Content-Length: 0"]
      let answer = client.ask("PUT", "/\(address[2])/upload?name=a", headers: headers)
      #expect(answer.code == 400 && answer.body == Array("the file is empty\n".utf8))
    }
  }
}

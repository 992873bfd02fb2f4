import Foundation
import TestSupport
import Testing

/// A running `heicbench view`.
struct RunningView {
  let process: Process
  let port: UInt16
  let token: String

  /// Starts `heicbench view` with these arguments and waits for its address.
  init(_ desk: ProgramDesk, _ arguments: [String], environment: [String: String] = [:]) throws {
    process = desk.program.process(["view"] + arguments, in: desk.folder.url, environment: environment)
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var line: [UInt8] = []
    while line.last != UInt8(ascii: "\n"), let next = try output.fileHandleForReading.read(upToCount: 1),
      !next.isEmpty
    { line += next }
    let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    let address = try #require(URL(string: text))
    #expect(address.host == "127.0.0.1")
    token = address.path.split(separator: "/").joined()
    port = UInt16(try #require(address.port))
  }

  var host: String { "127.0.0.1:\(port)" }
  var headers: [String] { ["Host: \(host)", "Origin: http://\(host)"] }

  /// A connection that has not sent anything yet.
  func client() throws -> PageClient { try #require(PageClient(port: port)) }

  /// The status code of a request; 0 without an answer.
  func code(_ method: String = "GET", _ path: String? = nil, headers: [String]? = nil, body: [UInt8] = [])
    throws -> Int
  {
    try client().ask(method, path ?? "/\(token)/", headers: headers ?? self.headers, body: body).code
  }

  /// Asks to open the page's socket.
  func upgrade(_ client: PageClient, headers more: [String] = []) -> Int {
    let upgrade = [
      "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    ]
    return client.ask("GET", "/\(token)/socket", headers: headers + more + upgrade).code
  }

  /// Opens the page's socket and returns the client with the first message.
  func connect() throws -> (PageClient, [String: Any]) {
    let client = try client()
    #expect(upgrade(client) == 101)
    return (client, try Self.event(client))
  }

  /// The next text message; pixels are skipped.
  static func event(_ client: PageClient) throws -> [String: Any] {
    while true {
      let frame = try #require(client.frame())
      guard frame.isText else { continue }
      return try #require(try JSONSerialization.jsonObject(with: Data(frame.payload)) as? [String: Any])
    }
  }

  /// The next text message of a type. A failure is an issue of the test.
  static func event(_ type: String, _ client: PageClient) throws -> [String: Any] {
    while true {
      let event = try event(client)
      if event["type"] as? String == type { return event }
      if event["type"] as? String == "failed" { Issue.record("\(event)") }
    }
  }

  /// Sends Ctrl-C.
  func end() {
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}

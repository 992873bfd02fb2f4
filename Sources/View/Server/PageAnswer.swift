import NIOCore

/// What a request gets.
struct PageAnswer {
  /// The code of HTTP.
  var code: Int
  var headers: [(String, String)]
  var body: ByteBuffer

  /// An answer with these bytes.
  init(_ code: Int = 200, type: String, bytes: some Sequence<UInt8>) {
    (self.code, headers, body) = (code, [("Content-Type", type)], ByteBuffer(bytes: bytes))
  }

  /// A line of text.
  static func plain(_ code: Int, _ text: String) -> PageAnswer {
    PageAnswer(code, type: "text/plain; charset=utf-8", bytes: (text + "\n").utf8)
  }

  /// JSON.
  static func json(_ text: String) -> PageAnswer { PageAnswer(type: "application/json", bytes: text.utf8) }

  /// What every answer says to the browser: that a page may load its own files, its own socket at one of these hosts
  /// and pictures that it made itself, and that nobody else may have anything of it.
  static func safety(_ hosts: Set<String>) -> [(String, String)] {
    let sockets = hosts.sorted().map { " ws://\($0)" }.joined()
    let policy =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'\(sockets); "
      + "img-src 'self' blob: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    return [
      ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
      ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
      ("Cross-Origin-Resource-Policy", "same-origin"), ("Cache-Control", "no-store"),
    ]
  }
}

import Foundation

/// Who may come in, and where to. Everything of a request that decides is looked at here, and nothing else is
/// believed of it: no cookie, no path of a file.
package struct Door: Sendable {
  /// What a request says of itself.
  package struct Knock: Sendable {
    /// `GET` or another.
    package var method: String
    /// The target as it was sent, percent signs and all, without the query.
    package var path: String
    /// All values of the headers `Host`, `Origin` and `Sec-Fetch-Site`.
    package var hosts, origins, sites: [String]

    /// Describes a request.
    package init(method: String, path: String, hosts: [String], origins: [String] = [], sites: [String] = [])
    {
      (self.method, self.path, self.hosts, self.origins, self.sites) = (method, path, hosts, origins, sites)
    }
  }

  /// What comes of a request.
  package enum Verdict: Sendable, Hashable {
    /// It may have what is at this place, a name below the token.
    case open(String)
    /// It may not; the code of HTTP.
    case refused(Int)
  }

  /// What begins every path: 32 random bytes as hexadecimal digits.
  package let token: String
  /// Where the server listens.
  let port: UInt16
  /// What the server may be called.
  let hosts: Set<String>

  /// A door of a server at this address and port, with a fresh token.
  package init(host: String, port: UInt16) {
    var generator = SystemRandomNumberGenerator()
    let words = (0..<4).map { _ in UInt64.random(in: .min ... .max, using: &generator) }
    let digits = words.map { word in
      let text = String(word, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }
    self.init(host: host, port: port, token: digits.joined())
  }

  /// A door with a known token, for tests.
  package init(host: String, port: UInt16, token: String) {
    self.token = token
    self.port = port
    hosts = ["\(host):\(port)", "localhost:\(port)"]
  }

  /// Looks at a request. Pages of other sites are kept out by the host (their own name for this machine), by the
  /// origin, and by the token, which they cannot know; other programs of this machine by the token.
  package func verdict(on knock: Knock) -> Verdict {
    guard knock.hosts.count == 1, let host = knock.hosts.first, hosts.contains(host.lowercased()) else {
      return .refused(403)
    }
    guard knock.origins.allSatisfy({ $0.lowercased() == "http://\(host.lowercased())" }) else {
      return .refused(403)
    }
    guard knock.sites.allSatisfy({ ["same-origin", "none"].contains($0.lowercased()) }) else {
      return .refused(403)
    }
    let parts = knock.path.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].isEmpty, isToken(parts[1]) else { return .refused(404) }
    let place = String(parts[2])
    guard ["GET", "PUT"].contains(knock.method) else { return .refused(405) }
    // What changes something has to say that it comes from the page itself.
    let changes = knock.method == "PUT" || place == "socket"
    guard !changes || knock.origins.count == 1 else { return .refused(403) }
    return .open(place)
  }

  /// Compares in the same time whatever is given, so that nobody finds the token digit by digit.
  private func isToken(_ text: some StringProtocol) -> Bool {
    let (given, expected) = (Array(text.utf8), Array(token.utf8))
    guard given.count == expected.count else { return false }
    return zip(given, expected).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

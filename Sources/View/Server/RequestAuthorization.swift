import Model

/// Decides on requests using only the properties below; does not trust cookies or file paths.
package struct RequestAuthorization: Sendable {
  package struct Request: Sendable {
    package var method: String
    /// The target as sent, still percent-encoded, without the query.
    package var path: String
    /// All values of the headers `Host`, `Origin` and `Sec-Fetch-Site`.
    package var hosts: [String]
    package var origins: [String] = []
    package var sites: [String] = []
    /// True if the browser reports that it is navigating to a page (`Sec-Fetch-Mode`, `Sec-Fetch-Dest`).
    package var isNavigation = false
  }

  package enum Decision: Sendable, Hashable {
    /// Access to this place, a name below the token.
    case allowed(String)
    case refused(Int)
  }

  /// The beginning of every path: 32 random bytes as hexadecimal digits.
  let token: String
  let hosts: Set<String>

  package init(host: String, port: Int, token: String) {
    self.token = token
    // Browsers leave out the port of HTTP itself.
    let ends = port == 80 ? [":80", ""] : [":\(port)"]
    hosts = Set(ends.flatMap { ["\(host)\($0)", "localhost\($0)"] })
  }

  package static func freshToken() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }.hexadecimal
  }

  /// Decides on a request. The host (their own name for this machine), the origin and the token keep out pages of other
  /// sites; the token keeps out other programs. A deciding header counts only if it occurs once.
  package func decision(on request: Request) -> Decision {
    guard request.hosts.count == 1, let host = request.hosts.first?.lowercased(), hosts.contains(host),
      request.origins.count <= 1, request.sites.count <= 1
    else { return .refused(403) }
    guard request.origins.allSatisfy({ $0.lowercased() == "http://\(host)" }) else { return .refused(403) }
    let isFromElsewhere = !request.sites.allSatisfy { ["same-origin", "none"].contains($0.lowercased()) }
    guard !isFromElsewhere || request.isNavigation else { return .refused(403) }
    let parts = request.path.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].isEmpty, isToken(parts[1]) else { return .refused(404) }
    let place = String(parts[2])
    // `--open` navigates here from a file, which looks like another site to a browser. The page itself reveals nothing.
    guard !isFromElsewhere || place.isEmpty else { return .refused(403) }
    guard ["GET", "PUT"].contains(request.method) else { return .refused(405) }
    // Requests with effects must state that they come from the page itself.
    let changes = request.method == "PUT" || place == "socket"
    guard !changes || request.origins.count == 1 else { return .refused(403) }
    return .allowed(place)
  }

  /// Compares in constant time, so that the token cannot be found digit by digit.
  private func isToken(_ text: some StringProtocol) -> Bool {
    let (given, expected) = (Array(text.utf8), Array(token.utf8))
    guard given.count == expected.count else { return false }
    return zip(given, expected).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

import Testing

@testable import View

/// Which requests are answered.
struct RequestAuthorizationTests {
  private let authorization = RequestAuthorization(host: "127.0.0.1", port: 4000, token: "5ec7e7")

  private func decision(
    _ method: String = "GET", _ path: String = "/5ec7e7/", host: String = "127.0.0.1:4000",
    origin: String? = nil,
    site: String? = nil, isNavigation: Bool = false
  ) -> RequestAuthorization.Decision {
    authorization.decision(
      on: RequestAuthorization.Request(
        method: method, path: path, hosts: [host], origins: origin.map { [$0] } ?? [],
        sites: site.map { [$0] } ?? [], isNavigation: isNavigation))
  }

  @Test func thePageComesInByItsToken() {
    #expect(decision() == .allowed(""))
    #expect(decision("GET", "/5ec7e7/view.js", site: "same-origin") == .allowed("view.js"))
    #expect(decision(host: "localhost:4000") == .allowed(""))
  }

  @Test(arguments: [
    "/", "/5ec7e", "/5ec7e7", "/5ec7e70/", "/5EC7E7/", "//5ec7e7/", "", "5ec7e7/", "/%35ec7e7/",
  ])
  func noOtherPathDoes(path: String) {
    #expect(decision("GET", path) == .refused(404))
  }

  @Test(arguments: [
    "evil.example", "127.0.0.1", "127.0.0.1:4001", "127.0.0.1:4000.evil.example", "", "0.0.0.0:4000",
  ])
  func noOtherHostDoes(host: String) {
    #expect(decision(host: host) == .refused(403))
  }

  @Test("with --port 80, browsers name the host without a port")
  func portOfHTTP() {
    let usual = RequestAuthorization(host: "127.0.0.1", port: 80, token: "5ec7e7")
    for host in ["127.0.0.1", "localhost", "127.0.0.1:80"] {
      let request = RequestAuthorization.Request(
        method: "GET", path: "/5ec7e7/socket", hosts: [host], origins: ["http://\(host)"])
      #expect(usual.decision(on: request) == .allowed("socket"))
    }
    let other = RequestAuthorization.Request(method: "GET", path: "/5ec7e7/", hosts: ["127.0.0.1:81"])
    #expect(usual.decision(on: other) == .refused(403))
  }

  @Test func aHeaderThatDecidesIsThereOnce() {
    let (host, origin, site) = ("127.0.0.1:4000", "http://127.0.0.1:4000", "same-origin")
    for (hosts, origins, sites) in [
      ([], [], []), ([host, host], [], []), ([host, "evil.example"], [], []), ([host], [origin, origin], []),
      ([host], [], [site, site]),
    ] {
      let request = RequestAuthorization.Request(
        method: "GET", path: "/5ec7e7/", hosts: hosts, origins: origins, sites: sites)
      #expect(authorization.decision(on: request) == .refused(403))
    }
  }

  @Test func aLinkFromElsewhereLeadsToThePageAlone() {
    #expect(decision(site: "cross-site", isNavigation: true) == .allowed(""))
    #expect(decision("GET", "/5ec7e70/", site: "cross-site", isNavigation: true) == .refused(404))
    for path in ["/5ec7e7/view.js", "/5ec7e7/file", "/5ec7e7/socket"] {
      #expect(decision("GET", path, site: "cross-site", isNavigation: true) == .refused(403))
    }
  }

  @Test func otherSitesStayOut() {
    #expect(decision(origin: "http://evil.example") == .refused(403))
    #expect(decision(origin: "null") == .refused(403))
    #expect(decision(origin: "https://127.0.0.1:4000") == .refused(403))
    #expect(decision(host: "localhost:4000", origin: "http://127.0.0.1:4000") == .refused(403))
    #expect(decision(site: "cross-site") == .refused(403))
    #expect(decision(site: "same-site") == .refused(403))
  }

  @Test func whatChangesSomethingSaysWhereItComesFrom() {
    #expect(decision("PUT", "/5ec7e7/upload") == .refused(403))
    #expect(decision("GET", "/5ec7e7/socket") == .refused(403))
    #expect(decision("PUT", "/5ec7e7/upload", origin: "http://127.0.0.1:4000") == .allowed("upload"))
    #expect(decision("GET", "/5ec7e7/socket", origin: "http://127.0.0.1:4000") == .allowed("socket"))
    #expect(decision("POST", origin: "http://127.0.0.1:4000") == .refused(405))
  }

  @Test func tokensAreLongAndNotTheSame() {
    let tokens = (0..<20).map { _ in RequestAuthorization.freshToken() }
    #expect(Set(tokens).count == 20)
    #expect(tokens.allSatisfy { $0.utf8.count == 64 })
  }

  @Test(arguments: ["../etc/passwd", "view.js/../x", "/etc/passwd", "%2e%2e/", "report.html", "socket/"])
  func nothingElseIsAFile(place: String) {
    #expect(PageFiles.file(at: place) == nil)
  }
}

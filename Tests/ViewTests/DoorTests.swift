import Testing

@testable import View

/// Who may come in.
struct DoorTests {
  private let door = Door(host: "127.0.0.1", port: 4000, token: "5ec7e7")

  private func verdict(
    _ method: String = "GET", _ path: String = "/5ec7e7/", host: String = "127.0.0.1:4000",
    origin: String? = nil,
    site: String? = nil
  ) -> Door.Verdict {
    door.verdict(
      on: Door.Knock(
        method: method, path: path, hosts: [host], origins: origin.map { [$0] } ?? [],
        sites: site.map { [$0] } ?? []))
  }

  @Test func thePageComesInByItsToken() {
    #expect(verdict() == .open(""))
    #expect(verdict("GET", "/5ec7e7/view.js", site: "same-origin") == .open("view.js"))
    #expect(verdict(host: "localhost:4000") == .open(""))
  }

  @Test(arguments: [
    "/", "/5ec7e", "/5ec7e7", "/5ec7e70/", "/5EC7E7/", "//5ec7e7/", "", "5ec7e7/", "/%35ec7e7/",
  ])
  func noOtherPathDoes(path: String) {
    #expect(verdict("GET", path) == .refused(404))
  }

  @Test(arguments: [
    "evil.example", "127.0.0.1", "127.0.0.1:4001", "127.0.0.1:4000.evil.example", "", "0.0.0.0:4000",
  ])
  func noOtherHostDoes(host: String) {
    #expect(verdict(host: host) == .refused(403))
  }

  @Test func aRequestHasOneHost() {
    for hosts in [[], ["127.0.0.1:4000", "evil.example"]] {
      #expect(door.verdict(on: Door.Knock(method: "GET", path: "/5ec7e7/", hosts: hosts)) == .refused(403))
    }
  }

  @Test func otherSitesStayOut() {
    #expect(verdict(origin: "http://evil.example") == .refused(403))
    #expect(verdict(origin: "null") == .refused(403))
    #expect(verdict(origin: "https://127.0.0.1:4000") == .refused(403))
    #expect(verdict(host: "localhost:4000", origin: "http://127.0.0.1:4000") == .refused(403))
    #expect(verdict(site: "cross-site") == .refused(403))
    #expect(verdict(site: "same-site") == .refused(403))
  }

  @Test func whatChangesSomethingSaysWhereItComesFrom() {
    #expect(verdict("PUT", "/5ec7e7/upload") == .refused(403))
    #expect(verdict("GET", "/5ec7e7/socket") == .refused(403))
    #expect(verdict("PUT", "/5ec7e7/upload", origin: "http://127.0.0.1:4000") == .open("upload"))
    #expect(verdict("GET", "/5ec7e7/socket", origin: "http://127.0.0.1:4000") == .open("socket"))
    #expect(verdict("POST", origin: "http://127.0.0.1:4000") == .refused(405))
  }

  @Test func tokensAreLongAndNotTheSame() {
    let tokens = (0..<20).map { _ in Door(host: "127.0.0.1", port: 1).token }
    #expect(Set(tokens).count == 20)
    #expect(tokens.allSatisfy { $0.utf8.count == 64 })
  }

  @Test(arguments: ["../etc/passwd", "view.js/../x", "/etc/passwd", "%2e%2e/", "report.html", "socket/"])
  func nothingElseIsAFile(place: String) {
    #expect(PageFiles.file(at: place) == nil)
  }
}

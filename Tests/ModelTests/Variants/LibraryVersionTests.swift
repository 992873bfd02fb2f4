import Foundation
import Model
import Testing

@Suite struct LibraryVersionTests {
  @Test func buildsArePartOfTheKeyAndNotOfTheName() {
    let own = LibraryVersion(name: "x265", version: "3.5", build: "0a1b2c3d")
    #expect("\(own)" == "x265 3.5")
    #expect([own].canonicalSpelling == "x265 3.5 (build 0a1b2c3d)")
    #expect([LibraryVersion(name: "x265", version: "3.5")].canonicalSpelling == "x265 3.5")
  }

  @Test func buildsAreTakenAwayAgain() {
    let old = [
      LibraryVersion(name: "libheif", version: "1.15.1"), LibraryVersion(name: "x265", version: "3.5"),
    ]
    let new = old.map { LibraryVersion(name: $0.name, version: $0.version, build: "0a1b2c3d") }
    #expect(LibrarySpelling.withoutBuilds(new.canonicalSpelling) == old.canonicalSpelling)
    for text in ["", "x265 3.5", "x (build ", "x (build 1"] {
      #expect(LibrarySpelling.withoutBuilds(text) == text)
    }
  }

  @Test func whatVersion010StoredIsRead() throws {
    let stored = Data(#"{"name":"x265","version":"3.5"}"#.utf8)
    #expect(
      try JSONDecoder().decode(LibraryVersion.self, from: stored)
        == LibraryVersion(name: "x265", version: "3.5"))
  }
}

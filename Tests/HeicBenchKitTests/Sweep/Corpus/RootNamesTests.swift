import TestSupport
import Testing

@testable import HeicBenchKit
@testable import Workers

@Suite("Names of roots")
struct RootNamesTests {
  private func labels(_ roots: String...) -> [String] {
    RootNames.labels(of: roots.map { Array($0.utf8) }).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("the last component, and as many before it as needed")
  func unique() {
    #expect(labels("a/b/", "./c") == ["b", "c"])
    #expect(labels("x/a", "y/a", "b") == ["x/a", "y/a", "b"])
    #expect(labels("p/x/a", "q/x/a", "y/a") == ["p/x/a", "q/x/a", "y/a"])
    #expect(labels("a", "x/a") == ["a", "x/a"])
    #expect(labels("a", "./a", "b/../a") == ["a", "a", "a"])
    #expect(labels("/") == [""])
  }

  @Test("redundant parts of paths are dropped")
  func normalised() {
    func normalised(_ path: String) -> String {
      String(decoding: RootNames.normalised(Array(path.utf8)), as: UTF8.self)
    }
    #expect(normalised("./a//b/./c/") == "a/b/c")
    #expect(normalised("a/../b") == "b")
    #expect(normalised("../../a") == "../../a")
    #expect(normalised("/a/./b") == "/a/b")
  }
}

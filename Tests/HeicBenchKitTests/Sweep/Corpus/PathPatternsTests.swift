import Testing

@testable import HeicBenchKit

@Suite("Patterns of --exclude")
struct PathPatternsTests {
  @Test(
    "what a pattern matches",
    arguments: [
      ("*.png", "a/b.png", false, true), ("*.png", "a.pngx", false, false), ("raw", "2019/raw", true, true),
      ("raw/", "2019/raw", true, true), ("raw/", "2019/raw", false, false), ("raw", "2019/raw2", true, false),
      ("2019/raw", "2019/raw", true, true), ("2019/raw", "x/2019/raw", true, false),
      ("/raw", "raw", true, true),
      ("/data/x/*.png", "/data/x/a.png", false, true), ("data/x/*", "/data/x/a.png", false, true),
      ("/x/*.png", "/data/x/a.png", false, false),
      ("/raw", "a/raw", true, false), ("*/raw", "a/raw", true, true), ("*/raw", "a/b/raw", true, false),
      ("**/raw", "a/b/raw", true, true), ("**/raw", "raw", true, true),
      ("2019/**/x?.jpg", "2019/a/b/x1.jpg", false, true),
      ("2019/**/x?.jpg", "2019/x1.jpg", false, true), ("**/raw/**/*.dng", "a/raw/x.dng", false, true),
      ("**/raw/**/*.dng", "raw/b/x.dng", false, true), ("**/raw/**/*.dng", "a/rawx.dng", false, false),
      ("./a.png", "a.png", false, true),
      ("[a-c]?.png", "b1.png", false, true),
      ("[!a-c]*", "b1.png", false, false), ("[!a-c]*", "d", false, true), ("[]]", "]", false, true),
      ("[a", "[a", false, true),
      ("a\\*b", "a*b", false, true), ("a\\*b", "axb", false, false),
      ("*_edited.*", "IMG_1_edited.heic", false, true),
      ("M\u{FC}ller*", "Mu\u{308}ller.png", false, true), ("?", "u\u{308}", false, true),
      ("*", ".x", false, true),
      ("", "a", false, false), ("**", "a/b", false, true), ("@eaDir", "x/@eaDir", true, true),
    ])
  func match(pattern: String, path: String, isFolder: Bool, isMatch: Bool) {
    #expect(PathPatterns([pattern]).match(path, isFolder: isFolder) == isMatch)
  }

  @Test("no pattern takes long to match", .timeLimit(.minutes(30)))
  func manyStars() {
    let pattern = String(repeating: "*a", count: 200) + "b"
    #expect(!PathPatterns([pattern]).match(String(repeating: "a", count: 2000), isFolder: false))
  }
}

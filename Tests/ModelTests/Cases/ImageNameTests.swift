import Model
import Testing

@Suite struct ImageNameTests {
  @Test(arguments: [
    ("a/b c.png", "a/b c.png"), ("ümlaut.png", "ümlaut.png"), ("a\nb", #"a\x0ab"#), (#"a\b"#, #"a\\b"#),
    ("\u{85}", #"\xc2\x85"#), ("\u{2028}", #"\xe2\x80\xa8"#), ("=1+1", "=1+1"),
  ])
  func restoresNames(raw: String, name: String) {
    #expect(ImageName.printable(Array(raw.utf8)) == name)
    #expect(ImageName.path(of: name) == Array(raw.utf8))
  }

  @Test func brokenBytesAreAllThere() {
    #expect(ImageName.printable([0x61, 0xFF, 0x62]) == #"a\xffb"#)
    #expect(ImageName.printable([0xE2, 0x82]) == #"\xe2\x82"#)
    #expect(ImageName.printable([0xE2, 0x82, 0x61]) == #"\xe2\x82a"#)
    #expect(ImageName.printable([0xC0, 0xAF, 0xC3, 0xA9]) == #"\xc0\xafé"#)
  }

  @Test func differentPathsHaveDifferentNames() {
    var generator = SeededGenerator(seed: 4)
    let alphabet: [UInt8] = [0x61, 0x5C, 0x78, 0x66, 0xFF, 0xC3, 0xA9, 0x0A, 0x30]
    var paths: Set<[UInt8]> = []
    for _ in 0..<20_000 {
      paths.insert(
        (0..<Int.random(in: 0...6, using: &generator)).map { _ in
          alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
        })
    }
    #expect(Set(paths.map { ImageName.printable($0) }).count == paths.count)
    #expect(paths.allSatisfy { ImageName.path(of: ImageName.printable($0)) == $0 })
  }

  @Test(arguments: [#"a\b"#, #"a\x"#, #"a\xg0"#, #"\x+1"#, #"\x2e\x2e/a"#, #"\x0A"#])
  func whatIsNoEscapeStandsForItself(name: String) {
    #expect(ImageName.path(of: name) == Array(name.utf8))
  }
}

import Testing

@testable import View

/// What a cache of limited size keeps.
struct ByteCacheTests {
  private static func kept(_ cache: ByteCache<Int, String>) -> [Int] {
    var cache = cache
    return (0..<6).filter { cache.value($0) != nil }
  }

  @Test func whatWasUsedLongestAgoGoesFirst() {
    var cache = ByteCache<Int, String>(limit: 10)
    for key in 0..<3 { cache.keep("", bytes: 3, for: key) }
    _ = cache.value(0)
    cache.keep("", bytes: 4, for: 3)
    #expect(Self.kept(cache) == [0, 2, 3] && cache.bytes == 10)
    cache.keep("", bytes: 11, for: 4)
    #expect(Self.kept(cache) == [4] && cache.bytes == 11, "the newest stays even if it is too large")
  }

  @Test func whatIsInUseStays() {
    var cache = ByteCache<Int, String>(limit: 10)
    cache.keep("", bytes: 5, for: 0, sparing: 0)
    // Prepared ahead, as the neighbours of the picture on the screen.
    cache.keep("", bytes: 4, for: 1, sparing: 0)
    cache.keep("", bytes: 5, for: 2, sparing: 0)
    #expect(Self.kept(cache) == [0, 2] && cache.bytes == 10, "the other neighbour goes, though it is newer")
    cache.keep("", bytes: 6, for: 3, sparing: 0)
    #expect(Self.kept(cache) == [0, 2] && cache.bytes == 10, "there is no room for both")
    cache.keep("", bytes: 12, for: 4, sparing: 4)
    #expect(Self.kept(cache) == [4] && cache.bytes == 12, "it is in use itself")
  }
}

import Testing

@testable import HeicBenchKit

struct ReadSampleTests {
  @Test("What is kept of a read is counted in bytes, and holds no text")
  func sizes() {
    // Another field here is another megabyte for a million.
    #expect(MemoryLayout<ReadSample>.stride <= 96)
    #expect(_isPOD(ReadSample.self))
  }
}

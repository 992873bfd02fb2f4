import Testing

@testable import HeicBenchKit

struct ReadSampleTests {
  @Test("A kept read is small and holds no text")
  func sizes() {
    // Another field would add another megabyte for each million reads.
    #expect(MemoryLayout<ReadSample>.stride <= 96)
    #expect(_isPOD(ReadSample.self))
  }
}

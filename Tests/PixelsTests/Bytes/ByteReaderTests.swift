import Pixels
import Testing

@Suite struct ByteReaderTests {
  /// A slice of a file, so that its first index is not 0.
  private let part = ([9, 9, 1, 2, 3, 4, 5, 9] as [UInt8])[2..<7]

  @Test func numbersAreReadInBothByteOrders() {
    #expect(ByteReader(part).long(at: 0) == 0x0102_0304)
    #expect(ByteReader(part, isLittleEndian: true).long(at: 1) == 0x0504_0302)
    #expect(ByteReader(part).word(at: 3) == 0x0405)
    #expect(ByteReader(part).byte(at: 4) == 5)
    #expect(ByteReader(part).has([3, 4], at: 2))
  }

  @Test(arguments: [-1, 2, 4, 5, 6, Int.max - 3, Int.max, Int.min])
  func pastTheEndThereIsNothing(offset: Int) {
    #expect(ByteReader(part).long(at: offset) == nil)
    #expect(ByteReader(part).part(at: offset, length: 4) == nil)
    #expect(ByteReader(part).part(at: 0, length: offset) == nil || (0...5).contains(offset))
    #expect(!ByteReader(part).has([5, 6, 7, 8], at: offset))
  }
}

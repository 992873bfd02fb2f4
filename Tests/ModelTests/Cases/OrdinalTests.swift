import Testing

@testable import Model

/// Tables have a place for each key. If two keys shared a place, one value would be lost.
@Suite struct OrdinalTests {
  @Test func everyKeyHasAPlaceOfItsOwnInTheOrderOfDeclaration() {
    #expect(Quantity.allCases.map(\.ordinal) == Array(0..<Quantity.count))
    #expect(TimedOperation.allCases.map(\.ordinal) == Array(0..<TimedOperation.count))
    #expect(TimedCall.of(TimedOperation.allCases).map(\.ordinal) == Array(0..<TimedCall.count))
  }
}

import Testing

@testable import Model

/// Tables have a place for each key, and a place that two keys share would lose one's value.
@Suite struct OrdinalTests {
  @Test func everyKeyHasAPlaceOfItsOwnInTheOrderOfDeclaration() {
    #expect(Quantity.allCases.map(\.ordinal) == Array(0..<Quantity.count))
    #expect(TimedOperation.allCases.map(\.ordinal) == Array(0..<TimedOperation.count))
    #expect(TimedCall.of(TimedOperation.allCases).map(\.ordinal) == Array(0..<TimedCall.count))
  }
}

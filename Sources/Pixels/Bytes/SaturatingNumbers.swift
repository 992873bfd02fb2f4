// Saturating arithmetic for numbers from files: a result beyond `Int` becomes its largest or smallest value, which no
// file reaches, so the next bounds check refuses it. Parsers use no other arithmetic (a test enforces that).

infix operator +| : AdditionPrecedence
infix operator -| : AdditionPrecedence
infix operator *| : MultiplicationPrecedence
infix operator /| : MultiplicationPrecedence
infix operator +|= : AssignmentPrecedence

extension Int {
  package static func +| (left: Int, right: Int) -> Int {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? (right < 0 ? .min : .max) : sum
  }

  package static func -| (left: Int, right: Int) -> Int {
    let (difference, overflow) = left.subtractingReportingOverflow(right)
    return overflow ? (right > 0 ? .min : .max) : difference
  }

  package static func *| (left: Int, right: Int) -> Int {
    let (product, overflow) = left.multipliedReportingOverflow(by: right)
    return overflow ? ((left < 0) == (right < 0) ? .max : .min) : product
  }

  /// The quotient rounded towards zero; a division by zero gives 0.
  package static func /| (left: Int, right: Int) -> Int {
    let (quotient, overflow) = left.dividedReportingOverflow(by: right)
    return overflow ? (right == 0 ? 0 : .max) : quotient
  }

  package static func +|= (left: inout Int, right: Int) { left = left +| right }

  /// Numbers from 0 to just below this one; none if it is negative.
  package var indices: Range<Int> { 0..<Swift.max(self, 0) }

  /// Numbers from `start` to just below this one; none if this one is not above `start`.
  package func indices(from start: Int) -> Range<Int> { start..<Swift.max(self, start) }

  /// The number of parts of a size that are needed to cover this number; 0 if a part has no size.
  package func parts(of size: Int) -> Int { (self +| (size -| 1)) /| size }
}

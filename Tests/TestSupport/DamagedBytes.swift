package import Model

extension [UInt8] {
  /// A copy with this many bytes replaced, anywhere in the first `end` bytes.
  package func damaged(at count: Int, before end: Int? = nil, using generator: inout SeededGenerator) -> Self
  {
    var bytes = self
    for _ in 0..<count {
      bytes[.random(in: 0..<(end ?? self.count), using: &generator)] = .random(in: 0...255, using: &generator)
    }
    return bytes
  }
}

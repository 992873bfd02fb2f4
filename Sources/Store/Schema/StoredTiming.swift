import Foundation
import Model

/// The repeats of a point as a compact blob: the number of encodes, their wall and CPU times, then the same for the
/// decodes. Every number is a zigzag-coded base-128 varint, low seven bits first.
enum StoredTiming {
  private static let known: [TimingSeries.Conditions] = [.contended, .single, .exclusive]

  static func number(_ conditions: TimingSeries.Conditions) -> Int { known.firstIndex(of: conditions) ?? 0 }

  static func conditions(_ number: Int?) -> TimingSeries.Conditions? {
    number.flatMap { known.indices.contains($0) ? known[$0] : nil }
  }

  /// The series from two columns; nil if either is NULL.
  static func series(_ row: CurrentRow, _ conditions: Int, _ blob: Int) throws -> TimingSeries? {
    guard let number = try row.integer(conditions), let bytes = try row.bytes(blob) else { return nil }
    guard let known = Self.conditions(number), let series = series(bytes, conditions: known) else {
      throw StoredValueError(column: blob)
    }
    return series
  }

  static func blob(_ series: TimingSeries) -> Data {
    var bytes: [UInt8] = []
    for operation in TimedOperation.allCases {
      let samples = series[operation]
      append(Int64(samples.count), to: &bytes)
      for sample in samples {
        append(sample.wallNanoseconds, to: &bytes)
        append(sample.cpuNanoseconds, to: &bytes)
      }
    }
    return Data(bytes)
  }

  static func series(_ blob: Data, conditions: TimingSeries.Conditions) -> TimingSeries? {
    var bytes = blob.makeIterator()
    var series = TimingSeries(conditions: conditions, encode: [], decode: [])
    for operation in TimedOperation.allCases {
      guard let samples = samples(&bytes, limit: blob.count) else { return nil }
      series[operation] = samples
    }
    return bytes.next() == nil ? series : nil
  }

  private static func samples(_ bytes: inout Data.Iterator, limit: Int) -> [TimingSample]? {
    guard let count = next(&bytes), (0...Int64(limit)).contains(count) else { return nil }
    var samples: [TimingSample] = []
    for _ in 0..<count {
      guard let wall = next(&bytes), let cpu = next(&bytes), min(wall, cpu) >= 0 else { return nil }
      samples.append(TimingSample(wallNanoseconds: wall, cpuNanoseconds: cpu))
    }
    return samples
  }

  private static func append(_ value: Int64, to bytes: inout [UInt8]) {
    var rest = UInt64(bitPattern: value << 1 ^ value >> 63)
    while rest > 0x7f {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  private static func next(_ bytes: inout Data.Iterator) -> Int64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = bytes.next() else { return nil }
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1) }
    }
    return nil
  }
}

import Model
import Pixels

/// A picture that can be shown: a file named at the start, or one dropped onto the page.
package struct ListedPicture: Sendable {
  package enum Source: Sendable {
    case file([UInt8])
    case memory([UInt8])
  }

  package var name: String
  package var source: Source

  package init(name: String, source: Source) { (self.name, self.source) = (name, source) }

  /// The path as text, for commands to copy; nil for a picture without one.
  var path: String? {
    if case .file(let path) = source { String(decoding: path, as: UTF8.self) } else { nil }
  }

  func bytes() throws(Failure) -> [UInt8] {
    switch source {
    case .memory(let bytes): return bytes
    case .file(let path): return try SourceFile.bytes(at: path)
    }
  }
}

struct CachedPicture: Sendable {
  var preparation: Preparation
  var facts: OpenedPicture
  var fileBytes: Int
  var raster: RasterImage
  var screen: Outbox.Pixels

  var bytes: Int { raster.rawByteCount + screen.rgba.count }
}

/// A cache of limited size in bytes; the least recently used value goes first.
struct ByteCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let limit: Int
  private var values: [Key: (value: Value, bytes: Int, used: Int)] = [:]
  private var clock = 0
  private(set) var bytes = 0

  /// Keeps at most `limit` bytes, and always the newest value unless another one is spared.
  init(limit: Int) { self.limit = limit }

  mutating func value(_ key: Key) -> Value? {
    guard let found = values[key] else { return nil }
    clock += 1
    values[key]?.used = clock
    return found.value
  }

  /// Keeps a value, unless it fits only in the place of the one with the key `spared`, which is in use.
  mutating func keep(_ value: Value, bytes size: Int, for key: Key, sparing spared: Key? = nil) {
    let inUse = spared == key ? 0 : spared.flatMap { values[$0]?.bytes } ?? 0
    guard inUse == 0 || inUse + size <= limit else { return }
    if let old = values.removeValue(forKey: key) { bytes -= old.bytes }
    while bytes + size > limit,
      let oldest = values.filter({ $0.key != spared }).min(by: { $0.value.used < $1.value.used })
    {
      values[oldest.key] = nil
      bytes -= oldest.value.bytes
    }
    clock += 1
    values[key] = (value, size, clock)
    bytes += size
  }
}

import Foundation
import Model
import Pixels
import Sweep
import Workers

/// A picture that can be shown: a file that was named at the start, or one that was dropped into the page.
package struct ListedPicture: Sendable {
  /// Where its bytes are.
  package enum Source: Sendable {
    /// A file, by the bytes of its path.
    case file([UInt8])
    /// Memory: what the page sent.
    case memory([UInt8])
  }

  /// The name for people.
  package var name: String
  /// Where its bytes are.
  package var source: Source

  /// Lists a picture.
  package init(name: String, source: Source) { (self.name, self.source) = (name, source) }

  /// The path as text, for commands to copy; nil for a picture without one.
  var path: String? {
    if case .file(let path) = source { String(decoding: path, as: UTF8.self) } else { nil }
  }

  /// The file's bytes.
  func bytes() throws(Failure) -> [UInt8] {
    switch source {
    case .memory(let bytes): return bytes
    case .file(let path): return try SourceFile.bytes(at: path)
    }
  }
}

/// A picture in memory: what codecs get, and what the screen gets.
struct ShelvedPicture: Sendable {
  /// How it was asked to be prepared.
  var preparation: Preparation
  /// What the file is and what was done to it.
  var facts: OpenedPicture
  /// Bytes of the file.
  var fileBytes: Int
  /// What every codec gets.
  var raster: RasterImage
  /// The same for the screen.
  var screen: Outbox.Pixels

  /// What it takes in memory.
  var bytes: Int { raster.rawByteCount + screen.rgba.count }
}

/// Values that are kept until they take more than so many bytes; the one that was used longest ago goes first.
struct ByteCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let limit: Int
  private var values: [Key: (value: Value, bytes: Int, used: Int)] = [:]
  private var clock = 0
  /// Bytes of all values.
  private(set) var bytes = 0

  /// Keeps at most so many bytes, and always the newest value.
  init(limit: Int) { self.limit = limit }

  /// The value of a key, which counts as used.
  mutating func value(_ key: Key) -> Value? {
    guard let found = values[key] else { return nil }
    clock += 1
    values[key]?.used = clock
    return found.value
  }

  /// Keeps a value of so many bytes.
  mutating func keep(_ value: Value, bytes size: Int, for key: Key) {
    if let old = values.removeValue(forKey: key) { bytes -= old.bytes }
    while bytes + size > limit, let oldest = values.min(by: { $0.value.used < $1.value.used }) {
      values[oldest.key] = nil
      bytes -= oldest.value.bytes
    }
    clock += 1
    values[key] = (value, size, clock)
    bytes += size
  }
}

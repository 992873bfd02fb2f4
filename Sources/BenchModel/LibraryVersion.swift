/// A library that a measurement stands on, with its version as the library itself reports it.
public struct LibraryVersion: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The library's usual name, such as `x265`.
  public let name: String
  /// Its version, such as `3.5`.
  public let version: String

  /// Names a library and its version.
  public init(name: String, version: String) {
    self.name = name
    self.version = version
  }

  /// Name and version with a space between.
  public var description: String { "\(name) \(version)" }
}

extension Sequence<LibraryVersion> {
  /// All versions in one line, in the order given: part of a measurement's key.
  public var canonicalSpelling: String { map(\.description).joined(separator: "; ") }
}

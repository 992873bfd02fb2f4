/// A library with the version that it reports.
public struct LibraryVersion: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The library's usual name, such as `x265`.
  public let name: String
  /// The version, such as `3.5`; `?` if unknown.
  public let version: String
  /// The first eight digits of the loaded file's GNU build id, which distinguish builds of the same version; nil
  /// without one, and in results of heicbench 0.1.0.
  public let build: String?

  /// Creates a library version; `build` is nil if the file has no build id.
  public init(name: String, version: String, build: String? = nil) {
    self.name = name
    self.version = version
    self.build = build
  }

  /// `x265 3.5`.
  public var description: String { "\(name) \(version)" }

  /// Name, version and build, as part of a measurement's key.
  public var fullDescription: String { build.map { "\(self) (build \($0))" } ?? description }
}

extension Sequence<LibraryVersion> {
  /// All versions on one line, in the order given, as part of a measurement's key.
  package var canonicalSpelling: String { map(\.fullDescription).joined(separator: "; ") }
}

package enum LibrarySpelling {
  /// The separator between the libraries that encode and decode and those used for scoring.
  static let scoredThrough = "; scored through "

  /// Splits a point's libraries into those that encoded and those used for scoring; the latter is nil if they are the
  /// same.
  package static func halves(of spelling: String) -> (own: String, decoder: String?) {
    guard let place = spelling.firstRange(of: scoredThrough) else { return (spelling, nil) }
    return (String(spelling[..<place.lowerBound]), String(spelling[place.upperBound...]))
  }

  /// The spelling without builds, as recorded by heicbench 0.1.0.
  package static func withoutBuilds(_ spelling: String) -> String {
    var result = ""
    var rest = spelling[...]
    while let start = rest.firstRange(of: " (build "), let end = rest[start.upperBound...].firstIndex(of: ")")
    {
      result += rest[..<start.lowerBound]
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }
}

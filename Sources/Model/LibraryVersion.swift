/// A library that a measurement stands on, with its version as the library itself reports it.
package struct LibraryVersion: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The library's usual name, such as `x265`.
  package let name: String
  /// Its version, such as `3.5`; `?` where nothing tells.
  package let version: String
  /// The first eight digits of the GNU build id of the file that the process has loaded, which tell apart what
  /// calls itself the same; nil where there is none, and in results of heicbench 0.1.0.
  package let build: String?

  /// Names a library and its version.
  package init(name: String, version: String, build: String? = nil) {
    self.name = name
    self.version = version
    self.build = build
  }

  /// Name and version with a space between.
  package var description: String { "\(name) \(version)" }

  /// Name, version and build, as it is part of a measurement's key.
  package var fullDescription: String { build.map { "\(self) (build \($0))" } ?? description }
}

extension Sequence<LibraryVersion> {
  /// All versions in one line, in the order given: part of a measurement's key.
  package var canonicalSpelling: String { map(\.fullDescription).joined(separator: "; ") }
}

/// The canonical spelling of library versions, read again.
package enum LibrarySpelling {
  /// What stands between the libraries that encoded and decoded and those that files were scored through.
  static let scoredThrough = "; scored through "

  /// The two halves of a point's libraries: those that encoded, and those that files were scored through where they
  /// are others.
  package static func halves(of spelling: String) -> (own: String, decoder: String?) {
    guard let place = spelling.firstRange(of: scoredThrough) else { return (spelling, nil) }
    return (String(spelling[..<place.lowerBound]), String(spelling[place.upperBound...]))
  }

  /// The spelling without builds: what heicbench 0.1.0 recorded.
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

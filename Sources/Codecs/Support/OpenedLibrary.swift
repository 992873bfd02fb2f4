import CodecKit
import Model

/// A library as it was found when the process first met its format.
struct OpenedLibrary: Sendable {
  /// Its version, or why it cannot be used.
  let version: Result<LibraryVersion, CodecError>

  /// Throws the reason where it cannot be used.
  func need() throws(CodecError) { _ = try version.get() }

  /// The library with its version; none where it cannot be used.
  var libraries: [LibraryVersion] { (try? version.get()).map { [$0] } ?? [] }

  /// Why it cannot be used; nil where it can.
  var absence: String? {
    guard case .failure(let error) = version else { return nil }
    return "\(error)"
  }
}

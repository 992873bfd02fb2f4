import CodecKit
import Model

/// State of a library at the process's first use of its format.
struct OpenedLibrary: Sendable {
  /// Version, or the reason why the library is unusable.
  let version: Result<LibraryVersion, CodecError>

  func need() throws(CodecError) { _ = try version.get() }

  /// The library with its version; empty if unusable.
  var libraries: [LibraryVersion] { (try? version.get()).map { [$0] } ?? [] }

  /// Reason why the library is unusable; nil if usable.
  var absence: String? {
    guard case .failure(let error) = version else { return nil }
    return "\(error)"
  }
}

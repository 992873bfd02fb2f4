import CWebPShim
import CodecKit
import Model

/// libwebp as it was found when a process first met WebP.
enum WebPLibrary {
  /// Its version, or why it cannot be used.
  static let loaded: Result<LibraryVersion, CodecError> = {
    switch hb_webp_load() {
    case HB_WEBP_OK:
      let version = hb_webp_version()
      return .success(
        LibraryVersion(
          name: "libwebp", version: "\(version >> 16 & 255).\(version >> 8 & 255).\(version & 255)"
        ).withBuild(of: "libwebp"))
    case HB_WEBP_NOT_BUILT:
      return .failure(.unsupported("heicbench was built without libwebp's headers (Debian: libwebp-dev)"))
    default: return .failure(.unsupported("libwebp is not installed (Debian: libwebp7)"))
    }
  }()

  /// Throws the reason where libwebp cannot be used.
  static func need() throws(CodecError) { _ = try loaded.get() }

  /// Why libwebp cannot be used; nil where it can.
  static var absence: String? {
    guard case .failure(let error) = loaded else { return nil }
    return "\(error)"
  }
}

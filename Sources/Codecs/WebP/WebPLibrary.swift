import CWebPShim
import CodecKit
import Model

extension OpenedLibrary {
  static let webP = OpenedLibrary(version: versionWebP())

  private static func versionWebP() -> Result<LibraryVersion, CodecError> {
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
  }
}

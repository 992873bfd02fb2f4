import CJXLShim
import CodecKit
import Model

extension OpenedLibrary {
  static let jpegXL = OpenedLibrary(version: versionJPEGXL())

  private static func versionJPEGXL() -> Result<LibraryVersion, CodecError> {
    switch hb_jxl_load() {
    case HB_JXL_OK:
      let version = hb_jxl_version()
      return .success(
        LibraryVersion(
          name: "libjxl", version: "\(version / 1_000_000).\(version / 1000 % 1000).\(version % 1000)"
        ).withBuild(of: "libjxl"))
    case HB_JXL_NOT_BUILT:
      return .failure(.unsupported("heicbench was built without libjxl's headers (Debian: libjxl-dev)"))
    default:
      let name = String(cString: hb_jxl_library_name())
      return .failure(
        .unsupported("\(name) is not installed, whose headers heicbench was built with (Debian: libjxl-dev)"))
    }
  }
}

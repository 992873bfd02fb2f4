import CJXLShim
import CodecKit
import Model

extension OpenedLibrary {
  static let jpegXL = OpenedLibrary(
    "libjxl", hb_jxl_load(), found: HB_JXL_OK, notBuilt: HB_JXL_NOT_BUILT,
    missing:
      "\(String(cString: hb_jxl_library_name())) is not installed, but heicbench was built with its headers "
      + "(Debian: libjxl-dev)"
  ) {
    let version = hb_jxl_version()
    return "\(version / 1_000_000).\(version / 1000 % 1000).\(version % 1000)"
  }
}

/// Takes over a finished file from the shim and frees the shim's copy.
enum JPEGXLOutput {
  static func bytes(
    _ body: (inout hb_jxl_output, inout Int32) -> hb_jxl_status
  ) throws(CodecError) -> [UInt8] {
    var output = hb_jxl_output()
    var detail: Int32 = 0
    let status = body(&output, &detail)
    defer { hb_jxl_free_output(&output) }
    switch status {
    case HB_JXL_OK: return [UInt8](UnsafeBufferPointer(start: output.data, count: output.size))
    case HB_JXL_OUT_OF_MEMORY: throw .library(name: "libjxl", message: "out of memory")
    case HB_JXL_TRUNCATED: throw .malformed("truncated JPEG XL")
    case HB_JXL_NO_JPEG: throw .malformed("JPEG XL without a packed JPEG")
    default: throw .library(name: "libjxl", message: reason(detail))
    }
  }

  /// Codes of JxlEncoderError in jxl/encode.h.
  private static func reason(_ detail: Int32) -> String {
    switch detail {
    case 3: "cannot pack all of the JPEG"
    case 4: "the JPEG is broken, truncated or of a kind that it cannot pack"
    case 0x80: "does not support this"
    default: "encoding failed with error \(detail)"
    }
  }
}

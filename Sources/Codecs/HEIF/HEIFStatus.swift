import CHEIFShim
import CodecKit

struct HEIFStatus {
  private let error: heif_error

  init(_ error: heif_error) { self.error = error }

  /// The answer of our writer callbacks on success.
  static var success: heif_error {
    let text: StaticString = "Success"
    return heif_error(
      code: heif_error_Ok, subcode: heif_suberror_Unspecified,
      message: UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self))
  }

  func check() throws(CodecError) {
    guard error.code != heif_error_Ok else { return }
    var message = error.message.map { String(cString: $0) } ?? "error \(error.code.rawValue)"
    while message.last?.isWhitespace == true { message.removeLast() }
    switch error.code {
    case heif_error_Unsupported_filetype, heif_error_Unsupported_feature:
      throw .unsupported("libheif: \(message)")
    case heif_error_Invalid_input, heif_error_Decoder_plugin_error:
      throw .malformed("libheif: \(message)")
    case heif_error_Memory_allocation_error:
      throw .limitExceeded("libheif: \(message)")
    case heif_error_Usage_error
    where error.subcode == heif_suberror_Unsupported_parameter
      || error.subcode == heif_suberror_Invalid_parameter_value:
      throw .invalidSetting("libheif: \(message)")
    default: throw .library(name: "libheif", message: message)
    }
  }
}

extension CodecError {
  /// libheif returned no object, which happens only when memory is short.
  static let heifAllocation = CodecError.library(name: "libheif", message: "out of memory")
}

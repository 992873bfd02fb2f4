public import Pixels

/// Errors of codecs and readers, by who can fix them.
public enum CodecError: Error, Sendable, Hashable {
  /// The settings do not exist or conflict; the text says what is allowed.
  case invalidSetting(String)
  /// The codec cannot represent this image with these settings; the text gives the reason.
  case unsupported(String)
  /// The file contains a camera's raw data and at most a preview of the picture; the text says which kind.
  case cameraRaw(String)
  /// The file codes HDR light with PQ or HLG, which only an HDR run measures.
  case highDynamicRange(CodePoints)
  /// The bytes are broken or not an image of the expected kind.
  case malformed(String)
  /// The input would exceed one of heicbench's limits, on pixels, memory, scans or nesting.
  case limitExceeded(String)
  /// Any other error that a library reported; the text is the library's own.
  case library(name: String, message: String)
}

extension CodecError: CustomStringConvertible {
  /// One sentence without the file's name, which the caller knows.
  public var description: String {
    switch self {
    case .invalidSetting(let text), .unsupported(let text), .malformed(let text), .limitExceeded(let text):
      text
    case .cameraRaw(let kind): "\(kind), a camera's raw file; develop it first: darktable-cli FILE FILE.png"
    case .highDynamicRange(let points): Self.advice(points)
    case .library(let name, let message): "\(name): \(message)"
    }
  }

  /// Advice for an HDR picture; docs/metrics.md explains the command.
  private static func advice(_ points: CodePoints) -> String {
    let isHLG = TransferFunction(codePoint: points.transfer) == .hlg
    let primaries = [1: "bt709", 12: "smpte432"][points.primaries] ?? "bt2020"
    return
      "HDR (\(isHLG ? "HLG" : "PQ")) is not measured: SSIMULACRA2 and the other metrics are defined for SDR; "
      + "sweep with --light file to measure HDR, or convert to SDR first, for instance with "
      + "ffmpeg -i FILE -vf setparams=color_primaries=\(primaries):"
      + "color_trc=\(isHLG ? "arib-std-b67" : "smpte2084"),zscale=t=linear:npl=203,tonemap=mobius,"
      + "zscale=p=709:t=iec61966-2-1:m=gbr,format=gbrp SDR.png"
  }
}

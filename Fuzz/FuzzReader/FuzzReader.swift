import CFuzzer
import CodecKit
import Codecs
import Foundation
import Model
import Pixels

/// The reader under test, by its format's name in the environment variable `FUZZ_READER`.
private let reader: any ImageReader =
  switch ProcessInfo.processInfo.environment["FUZZ_READER"] {
  case "png": PNGReader()
  case "jpeg": JPEGReader()
  case "pnm": PNMReader()
  case "heif": HEIFReader()
  case "webp": WebPReader()
  case "jxl": JPEGXLReader()
  case let name: fatalError("FUZZ_READER is “\(name ?? "")”: png, jpeg, pnm, heif, webp or jxl")
  }

/// Small, so that the fuzzer spends its time on parsing and not on filling pixels.
private let limits = ReadLimits(maximumPixels: 1_000_000, maximumScans: 20)

/// One input: nothing may trap, and what was read has the size that the header told.
private func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  guard reader.recognises(bytes) else { return -1 }
  let header = try? reader.header(of: bytes)
  guard let source = try? reader.read(bytes, limits: limits) else { return 0 }
  guard let header else { fatalError("read without a header") }
  let isHEIF = header.format == "heic" || header.format == "avif"
  guard isHEIF || (source.image.width == header.width && source.image.height == header.height) else {
    fatalError("\(header) but \(source.image.width)×\(source.image.height)")
  }
  guard source.image.pixelCount <= limits.maximumPixels else { fatalError("over the limit") }
  _ = source.image.profile.title
  return 0
}

@main struct FuzzReader {
  static func main() {
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(LLVMFuzzerRunDriver(&count, &arguments, fuzzOneInput))
  }
}

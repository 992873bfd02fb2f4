import CHEIFShim
import CodecKit
import Model

/// libheif's functions, opened at the first call; empty without libheif, which `HEIFContext` checks.
let heif = (try? LoadedHEIF.result.get()) ?? hb_heif_functions()

extension OpenedLibrary {
  /// libheif, opened at first use. `HEIFLibraries` lists its encoders and decoders.
  static let heif = OpenedLibrary(
    version: LoadedHEIF.result.map { functions in
      let version = functions.get_version().map { String(cString: $0) } ?? "unknown"
      return LibraryVersion(name: "libheif", version: version).withBuild(of: "libheif")
    })
}

enum LoadedHEIF {
  /// Version as a number, 0xMMmmpp00; 0 without libheif.
  static var versionNumber: UInt32 { (try? result.get())?.get_version_number() ?? 0 }

  fileprivate static let result = load()

  private static func load() -> Result<hb_heif_functions, CodecError> {
    var reason = [CChar](repeating: 0, count: 512)
    if let functions = hb_heif_load(&reason, reason.count) { return .success(functions.pointee) }
    let text = reason.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return .failure(.unsupported("libheif cannot be opened (Debian: libheif1): \(text)"))
  }
}

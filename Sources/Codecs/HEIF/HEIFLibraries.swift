import CHEIFShim
import CodecKit
import Model

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

enum HEIFLibraries {
  static let heic = libraries(heif_compression_HEVC, encoders: ["x265", "kvazaar"])
  static let avif = libraries(heif_compression_AV1, encoders: ["aom"])

  /// The encoder with this name in libheif.
  static func encoder(of format: heif_compression_format, named id: String) -> OpaquePointer? {
    var encoder: OpaquePointer?
    return heif.get_encoder_descriptors(format, id, &encoder, 1) > 0 ? encoder : nil
  }

  private static func libraries(
    _ format: heif_compression_format, encoders: [String]
  ) -> [LibraryVersion] {
    guard case .success(let own) = OpenedLibrary.heif.version else { return [] }
    var decoder: OpaquePointer?
    let hasDecoder = heif.get_decoder_descriptors(format, &decoder, 1) > 0
    let names =
      encoders.map { encoder(of: format, named: $0).flatMap { heif.encoder_descriptor_get_name($0) } }
      + [hasDecoder ? decoder.flatMap { heif.decoder_descriptor_get_name($0) } : nil]
    let plugins = names.compactMap { $0.flatMap { version(in: String(cString: $0)) } }
    return [own]
      + plugins.map { library in
        library.withBuild(of: library.name.hasPrefix("lib") ? library.name : "lib" + library.name)
      }
  }

  /// Finds library and version in a plugin's name, such as `libde265 HEVC decoder, version 1.0.11`: the version is the
  /// first word that contains a dot and begins with a digit, possibly after a `v` or a bracket.
  static func version(in name: String) -> LibraryVersion? {
    let known = ["x265": "x265", "libde265": "libde265", "AOMedia": "aom", "AOM": "aom", "FFMPEG": "ffmpeg"]
    let words = name.split { " (),".contains($0) }
    guard let first = words.first.map(String.init) else { return nil }
    if first == "dav1d" { return dav1d(namedIn: words.dropFirst().first) }
    let version = words.dropFirst().lazy.map { $0.hasPrefix("v") ? $0.dropFirst() : $0 }
      .first { $0.first?.isNumber == true && $0.contains(".") }
    return LibraryVersion(name: known[first] ?? first, version: version.map(String.init) ?? "unknown")
  }

  /// Version of the loaded dav1d; libheif names only the interface version it was compiled against.
  private static func dav1d(namedIn word: Substring?) -> LibraryVersion {
    typealias VersionFunction = @convention(c) () -> UnsafePointer<CChar>?
    let loaded =
      [dlopen(nil, RTLD_LAZY)] + (4...12).map { dlopen("libdav1d.so.\($0)", RTLD_LAZY | RTLD_NOLOAD) }
    if let symbol = loaded.lazy.compactMap({ $0.flatMap { dlsym($0, "dav1d_version") } }).first,
      let text = unsafeBitCast(symbol, to: VersionFunction.self)()
    {
      return LibraryVersion(name: "dav1d", version: String(cString: text))
    }
    let version = word.map { $0.hasPrefix("v") ? $0.dropFirst() : $0 } ?? "unknown"
    return LibraryVersion(name: "dav1d", version: "interface \(version)")
  }
}

/// libheif's functions, opened at the first call; empty without libheif, which `HEIFContext` checks.
let heif = (try? LoadedHEIF.result.get()) ?? hb_heif_functions()

extension OpenedLibrary {
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
    if let functions = hb_heif_load(&reason, reason.count) {
      // Other HEVC decoders, or one inside libheif, are not watched.
      if let decoder = LoadedLibrary("libde265") { _ = hb_de265_watch(decoder.path) }
      return .success(functions.pointee)
    }
    let text = reason.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return .failure(.unsupported("libheif cannot be opened (Debian: libheif1): \(text)"))
  }
}

import CJPEGShim
package import CodecKit
package import Model
package import Pixels

/// JPEG through libjpeg-turbo's libjpeg API.
///
/// Default settings give the bytes of `cjpeg -baseline -quality N -sample 2x2`: accurate DCT, baseline tables, 4:2:0,
/// the standard's Huffman tables.
///
/// mozjpeg or jpegli, if loaded, replace libjpeg-turbo. Settings keep their meaning regardless of the library's own
/// defaults; mozjpeg's own settings are available only with mozjpeg.
package struct JPEGCodec: ImageCodec {
  package init() {}

  package let traits = CodecTraits(
    id: "jpeg", title: "JPEG (\(JPEGLibrary.loaded.name))", fileExtension: "jpg",
    libraries: [JPEGLibrary.loaded], nativeQuality: 1...100,
    settings: settings + (hb_jpeg_has_mozjpeg() != 0 ? mozjpegSettings : []),
    defaults: "baseline \(JPEGLibrary.loaded.name), 4:2:0", trials: trials, isFast: hb_jpeg_has_mozjpeg() == 0
  )

  private static let settings: [SettingSpecification] = [
    .choice("chroma", ["420", "422", "444"], "420", "chroma subsampling"),
    .flag("optimise", "Huffman tables optimised for the image, as in progressive files: smaller, slower")
      .beside("progressive", "false"),
    .flag("progressive", "progressive scans, with optimised tables: smallest, slowest"),
  ]

  private static let trials = [
    SettingTrial(
      "entropy coding", ["optimise=true", "progressive=true", "progressive=true,scan-search=true"]),
    SettingTrial("full chroma", ["chroma=422", "chroma=444"]),
    SettingTrial(
      "trellis quantisation", ["optimise=true,trellis=true", "progressive=true,trellis=true"]),
    SettingTrial("quantisation", ["table=1", "table=2", "table=3", "table=4"]),
  ]

  private static let mozjpegSettings: [SettingSpecification] = [
    .flag("trellis", "with optimise or progressive: coefficients rounded to the cheapest values"),
    .integer("table", 0...8, "0", "base quantisation table: 0 the standard's, 3 mozjpeg's own choice"),
    .flag("scan-search", "with progressive: the scans that give the smallest file")
      .beside("progressive", "true"),
  ]

  /// JPEG_MAX_DIMENSION of jmorecfg.h.
  private static let maximumSide = 65_500

  package func support(for variant: CodecVariant) -> PixelSupport {
    PixelSupport(alpha: false, maximumBitDepth: 8, maximumSide: Self.maximumSide)
  }

  package func validate(_ variant: CodecVariant) throws(CodecError) {
    let isProgressive = variant.settings["progressive"] == "true"
    // With trellis and the standard's Huffman tables, mozjpeg 5.0 wrote a Kodak image that decoded to 6.9 dB.
    if variant.settings["trellis"] == "true", !isProgressive, variant.settings["optimise"] != "true" {
      throw .invalidSetting(
        "jpeg: trellis needs optimised tables; add optimise=true or progressive=true")
    }
  }

  /// Encodes gray as a gray file and RGB as YCbCr, and embeds a profile that is not sRGB.
  package func encode(_ image: RasterImage, _ settings: EncodeSettings) throws(CodecError) -> [UInt8] {
    guard case .bytes(let samples) = image.samples else {
      throw .unsupported("JPEG has 8 bits per sample, not \(image.format.bitDepth)")
    }
    guard !image.format.layout.hasAlpha else { throw .unsupported("JPEG has no alpha channel") }
    guard max(image.width, image.height) <= Self.maximumSide else {
      throw .unsupported("libjpeg allows at most \(Self.maximumSide) pixels per side")
    }
    let sampling: (horizontal: Int32, vertical: Int32) =
      switch settings["chroma"] {
      case "444": (1, 1)
      case "422": (2, 1)
      default: (2, 2)
      }
    let options = hb_jpeg_settings(
      width: Int32(image.width), height: Int32(image.height),
      components: Int32(image.format.layout.channels), quality: Int32(clamping: settings.nativeQuality),
      horizontal_sampling: sampling.horizontal, vertical_sampling: sampling.vertical,
      progressive: settings.flag("progressive") ? 1 : 0, optimise: settings.flag("optimise") ? 1 : 0,
      trellis: settings.flag("trellis") ? 1 : 0, scan_search: settings.flag("scan-search") ? 1 : 0,
      table: Int32(clamping: settings.integer("table") ?? 0))
    return try Self.encode(samples, options, icc: image.profile.iccBytes ?? [])
  }

  /// Bytes of everything but the entropy-coded segments.
  package func containerBytes(of file: [UInt8]) -> Int? { file.count - JPEGWalk.codedBytes(of: file) }

  /// Decodes a file that `encode` wrote, without checking its profile, which is a reader's work and not a decoding
  /// cost.
  package func decode(_ bytes: [UInt8]) throws(CodecError) -> RasterImage {
    let icc = try JPEGMarkers(bytes).icc
    let limits = ReadLimits(maximumPixels: .max, maximumScans: 100)
    let decoded = try JPEGDecompressor.decode(bytes, limits: limits)
    let frame = decoded.frame
    guard frame.channels != 4,
      let image = RasterImage(
        width: frame.width, height: frame.height, layout: frame.channels == 1 ? .gray : .rgb,
        profile: icc.map { .icc($0) } ?? .sRGB, bytes: decoded.samples)
    else { throw .unsupported("the JPEG codec does not write CMYK") }
    return image
  }

  private static func encode(
    _ samples: [UInt8], _ options: hb_jpeg_settings, icc: [UInt8]
  ) throws(CodecError) -> [UInt8] {
    // Enough room for the worst photographs, so that nothing is reallocated while timed. Untouched pages cost nothing.
    let capacity = samples.count + icc.count + 65_536
    var message = [CChar](repeating: 0, count: Int(HB_JPEG_MESSAGE_SIZE))
    var output = hb_jpeg_output()
    var status = HB_JPEG_OK
    var options = options
    let file = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      status = hb_jpeg_encode(
        samples, &options, icc, icc.count, buffer.baseAddress, buffer.count, &output, &message)
      count = status == HB_JPEG_OK && output.owned == nil ? output.size : 0
    }
    switch status {
    case HB_JPEG_OK: break
    case HB_JPEG_OUT_OF_MEMORY: throw .library(name: "libjpeg", message: "out of memory")
    default:
      let text = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      throw .library(name: "libjpeg", message: String(decoding: text, as: UTF8.self))
    }
    guard output.owned != nil else { return file }
    defer { hb_jpeg_free_output(&output) }
    return [UInt8](UnsafeBufferPointer(start: output.data, count: output.size))
  }
}

/// The libjpeg mapped into the process, which may differ from the headers': mozjpeg and jpegli can replace it.
enum JPEGLibrary {
  /// Name and version, from a text inside the library because no function reports them.
  static let loaded: LibraryVersion = {
    for name in ["libjpeg-turbo", "mozjpeg"] {
      // "libjpeg-turbo version 2.1.5 (build 20230203)"
      guard let text = LoadedLibrary.text(in: stem, beginning: "\(name) version "),
        let version = text.dropFirst(name.count + 9).split(separator: " ").first
      else { continue }
      return LibraryVersion(name: name, version: String(version)).withBuild(of: stem)
    }
    guard LoadedLibrary.text(in: stem, beginning: "jpegli_") == nil else {
      // jpegli's file contains no version; its name gives the libjpeg version that it replaces.
      let interface = LoadedLibrary(stem)?.fileVersion.map { "as \(stem).so.\($0)" }
      return LibraryVersion(name: "jpegli", version: interface ?? "?").withBuild(of: stem)
    }
    // The fallback for systems that do not list mapped libraries.
    return LibraryVersion(name: "libjpeg-turbo", version: String(cString: hb_jpeg_version()))
  }()

  private static let stem = "libjpeg"
}

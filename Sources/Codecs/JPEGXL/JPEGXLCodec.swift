import CJXLShim
package import CodecKit
package import Model
package import Pixels

/// JPEG XL through libjxl, on the calling thread.
///
/// Default settings give the bytes of `cjxl -d D --num_threads=0` for the Butteraugli distance D of `distance`;
/// `lossless` gives those of `cjxl -d 0`.
package struct JPEGXLCodec: ImageCodec {
  package init() {}

  package var traits: CodecTraits {
    CodecTraits(
      id: "jxl", title: "JPEG XL (libjxl)", fileExtension: "jxl",
      libraries: OpenedLibrary.jpegXL.libraries, nativeQuality: 0...100,
      settings: Self.settings,
      trials: [
        SettingTrial("speed", [1, 3, 4, 5, 6, 7, 8, 9].map { "effort=\($0)" }, isSpeed: true),
        SettingTrial("bits per decoded sample", ["depth=10"]),
      ], quick: "effort=3", absence: OpenedLibrary.jpegXL.absence)
  }

  private static let settings: [SettingSpecification] = [
    .integer(
      "effort", 1...9, "7",
      "libjxl's effort, 9 slowest; not every step makes smaller files"),
    .integer("decoding-speed", 0...4, "0", "how easy files are to decode, 4 easiest and largest")
      .beside("recompress", "false"),
    .choice(
      "depth", ["source", "10", "12", "16"], "source",
      "bits per sample that the file states and decoders return; source keeps the picture's"
    ).beside("recompress", "false"),
    .flag("lossless", "exact samples, whatever the quality").beside("recompress", "false"),
    .flag(
      "recompress",
      "packs JPEG files losslessly, whatever the quality; decoding restores the same bytes"),
  ]

  package func support(for variant: CodecVariant) -> PixelSupport {
    PixelSupport(
      alpha: true, maximumBitDepth: variant.settings["depth"].flatMap(Int.init) ?? 16, maximumSide: 1 << 30)
  }

  /// Encodes samples at their own depth or at `depth`. The profile is coded as libjxl understands it.
  package func encode(_ image: RasterImage, _ settings: EncodeSettings) throws(CodecError) -> [UInt8] {
    try OpenedLibrary.jpegXL.need()
    let image = settings.integer("depth").map { image.scaledDepth(to: $0) } ?? image
    var options = hb_jxl_settings(
      width: UInt32(image.width), height: UInt32(image.height),
      channels: UInt32(image.format.layout.channels),
      bit_depth: UInt32(image.format.bitDepth),
      distance: Self.distance(forQuality: settings.nativeQuality),
      effort: Int32(clamping: settings.integer("effort") ?? 7),
      decoding_speed: Int32(clamping: settings.integer("decoding-speed") ?? 0),
      lossless: settings.flag("lossless") ? 1 : 0, primaries: 0, transfer: 0, intensity_target: 0)
    if case .light(let light) = image.profile { try Self.describe(light, in: &options) }
    let icc = image.profile.iccBytes ?? []
    return try JPEGXLOutput.bytes { output, detail in
      switch image.samples {
      case .bytes(let samples):
        hb_jxl_encode(samples, &options, icc, icc.count, &output, &detail)
      case .words:
        // libjxl 0.7 accepts only full-range words, and keeps as many bits as requested.
        if case .words(let samples) = image.scaledDepth(to: 16).samples {
          hb_jxl_encode(samples, &options, icc, icc.count, &output, &detail)
        } else {
          HB_JXL_REFUSED
        }
      }
    }
  }

  /// Makes the file state its colours by libjxl's own numbers, which equal H.273's except for P3's primaries.
  private static func describe(_ light: HDRLight, in options: inout hb_jxl_settings) throws(CodecError) {
    let primaries = [1: 1, 9: 9, 12: 11][light.points.primaries]
    guard let primaries, SourceColour.hdr(light.points) != nil || light.points == .sRGB else {
      throw .unsupported("an HDR run writes JPEG XL in PQ, HLG or sRGB, not in \(light.title)")
    }
    options.primaries = Int32(clamping: primaries)
    options.transfer = Int32(clamping: light.points.transfer)
    options.intensity_target = Float(light.peak)
  }

  /// Decodes a file that `encode` wrote, with the profile that libjxl gives its pixels.
  package func decode(_ bytes: [UInt8]) throws(CodecError) -> RasterImage {
    try JPEGXLDecoder.decode(bytes, limits: ReadLimits(maximumPixels: .max)).image
  }

  package func recompresses(_ variant: CodecVariant) -> Bool { variant.recompresses }

  /// Recompresses a JPEG file, like `cjxl`.
  package func recompress(_ file: [UInt8], _ settings: EncodeSettings) throws(CodecError) -> [UInt8] {
    try OpenedLibrary.jpegXL.need()
    do throws(CodecError) {
      return try JPEGXLOutput.bytes { output, detail in
        hb_jxl_pack_jpeg(
          file, file.count, Int32(clamping: settings.integer("effort") ?? 7), &output, &detail)
      }
    } catch {
      // libjxl has a single error for broken files and for valid files that the format cannot store.
      if let obstacle = Self.obstacle(to: file) { throw .unsupported(obstacle) }
      throw error
    }
  }

  /// The reason that JPEG XL cannot store a JPEG file; nil if it should be able to.
  private static func obstacle(to file: [UInt8]) -> String? {
    guard let markers = try? JPEGMarkers(file) else { return nil }
    if markers.components != 1, markers.components != 3 {
      return "JPEG XL can pack JPEG files with one or three components; this one has \(markers.components)"
    }
    if markers.precision != 8 {
      return "JPEG XL can pack JPEG files with 8 bits; this one has \(markers.precision)"
    }
    // Each component must have all or half of the samples along each side.
    let sampling = markers.frame?.sampling ?? []
    let most = sampling.reduce(SIMD2(1, 1)) { SIMD2(max($0.x, $1.x), max($0.y, $1.y)) }
    let isKept = sampling.allSatisfy {
      [$0.x, 2 * $0.x].contains(most.x) && [$0.y, 2 * $0.y].contains(most.y)
    }
    guard !isKept else { return nil }
    let spelling = sampling.map { "\($0.x)×\($0.y)" }.joined(separator: ", ")
    return "JPEG XL can pack JPEG files with halved or full chroma; this one is sampled \(spelling)"
  }

  package func restore(_ bytes: [UInt8]) throws(CodecError) -> [UInt8] {
    try OpenedLibrary.jpegXL.need()
    return try JPEGXLOutput.bytes { output, _ in hb_jxl_unpack_jpeg(bytes, bytes.count, &output) }
  }

  /// The distance that `cjxl -q` uses for a quality from 0 to 100 in libjxl 0.8 and later
  /// (`JxlEncoderDistanceFromQuality`): 0.1 at 100, 1.0 at 90, 25 at 0. Older versions differ below 30.
  static func distance(forQuality quality: Int) -> Float {
    let quality = Float(quality)
    guard quality < 30 else { return 0.1 + (100 - quality) * 0.09 }
    return min(53 / 3000 * quality * quality - 23 / 20 * quality + 25, 25)
  }
}

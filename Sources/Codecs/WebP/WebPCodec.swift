import CWebPShim
package import CodecKit
package import Model
package import Pixels

/// WebP through libwebp: VP8 key frames, or VP8L with `lossless`.
///
/// Default settings give the bytes of `cwebp -q N`, and `lossless` those of `cwebp -lossless -exact`. Lossy WebP is
/// always 8 bits, 4:2:0 and limited range.
package struct WebPCodec: ImageCodec {
  package init() {}

  package var traits: CodecTraits {
    CodecTraits(
      id: "webp", title: "WebP (libwebp)", fileExtension: "webp",
      libraries: OpenedLibrary.webP.libraries, nativeQuality: 0...100,
      settings: Self.settings,
      trials: [
        SettingTrial("speed", [0, 2, 3, 4, 5, 6].map { "method=\($0)" }, isSpeed: true),
        SettingTrial("sharp chroma subsampling", ["sharp=true"]),
      ], quick: "method=0", absence: OpenedLibrary.webP.absence)
  }

  private static let settings: [SettingSpecification] = [
    .integer("method", 0...6, "4", "libwebp's speed, 6 slowest"),
    .choice("chroma", ["420"], "420", "chroma subsampling of lossy files").beside("lossless", "false"),
    .flag("sharp", "fits chroma to sharp edges of luma: slower").beside("lossless", "false"),
    .flag("lossless", "exact RGB, whatever the quality"),
  ]

  /// WEBP_MAX_DIMENSION of webp/encode.h.
  private static let maximumSide = 16_383
  /// The effort of lossless coding, which libwebp calls quality; this is cwebp's default.
  private static let losslessEffort: Float = 75

  package func support(for variant: CodecVariant) -> PixelSupport {
    PixelSupport(alpha: true, maximumBitDepth: 8, maximumSide: Self.maximumSide)
  }

  /// Encodes on the calling thread. Gray becomes RGB, since WebP has no gray.
  package func encode(_ image: RasterImage, _ settings: EncodeSettings) throws(CodecError) -> [UInt8] {
    try OpenedLibrary.webP.need()
    guard case .bytes(let samples) = image.samples else {
      throw .unsupported("WebP has 8 bits per sample, not \(image.format.bitDepth)")
    }
    guard max(image.width, image.height) <= Self.maximumSide else {
      throw .unsupported("WebP allows at most \(Self.maximumSide) pixels per side")
    }
    let layout = image.format.layout
    var icc = image.profile.iccBytes
    if layout.isGray, image.profile.needsEmbedding {
      icc = icc.flatMap { ColorProfiles.rgbICC(ofGray: $0) }
      guard icc != nil else {
        throw .unsupported("WebP stores gray as RGB, and its profile for gray has no equivalent for RGB")
      }
    }
    let isLossless = settings.flag("lossless")
    let options = hb_webp_settings(
      width: Int32(image.width), height: Int32(image.height), channels: layout.hasAlpha ? 4 : 3,
      quality: isLossless ? Self.losslessEffort : Float(settings.nativeQuality),
      method: Int32(clamping: settings.integer("method") ?? 4), lossless: isLossless ? 1 : 0,
      sharp: settings.flag("sharp") ? 1 : 0)
    let file = try Self.encode(GrayPixels.expanded(samples, layout), options)
    guard let icc else { return file }
    return try WebPContainer(file).withProfile(icc, width: image.width, height: image.height)
  }

  /// Decodes a file that `encode` wrote. Gray comes back as colour; any tint from rounded chroma counts as a loss.
  package func decode(_ bytes: [UInt8]) throws(CodecError) -> RasterImage {
    let image = try WebPDecoding.raster(of: bytes, limits: ReadLimits(maximumPixels: .max))
    return try WebPContainer(bytes).icc.map { image.tagged(.icc($0)) } ?? image
  }

  private static func encode(
    _ samples: [UInt8], _ options: hb_webp_settings
  ) throws(CodecError) -> [UInt8] {
    var output = hb_webp_output()
    var detail: Int32 = 0
    var options = options
    switch hb_webp_encode(samples, &options, &output, &detail) {
    case HB_WEBP_OK: break
    case HB_WEBP_OUT_OF_MEMORY: throw .library(name: "libwebp", message: "out of memory")
    default: throw .library(name: "libwebp", message: "WebPEncode failed with error \(detail)")
    }
    defer { hb_webp_free_output(&output) }
    return [UInt8](UnsafeBufferPointer(start: output.data, count: output.size))
  }
}

extension OpenedLibrary {
  static let webP = OpenedLibrary(
    "libwebp", hb_webp_load(), found: HB_WEBP_OK, notBuilt: HB_WEBP_NOT_BUILT,
    missing: "libwebp is not installed (Debian: libwebp7)"
  ) {
    let version = hb_webp_version()
    return "\(version >> 16 & 255).\(version >> 8 & 255).\(version & 255)"
  }
}

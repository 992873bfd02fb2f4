import CHEIFShim
package import CodecKit
package import Model
package import Pixels

/// AVIF: AV1 still images by aom, decoded by dav1d or aom, through libheif or a build's libavif.
///
/// Defaults are those of libheif and heif-enc, or of libavif, except for threads: aom's output depends on their number,
/// and one thread gives the same bytes on every machine.
package struct AVIFCodec: HEIFCodec {
  package init() {}

  package var traits: CodecTraits {
    let isLibAVIF = LibAVIF.isLoaded
    return CodecTraits(
      id: "avif", title: isLibAVIF ? "AVIF (libavif, aom)" : "AVIF (libheif, aom)", fileExtension: "avif",
      libraries: isLibAVIF ? LibAVIF.libraries : HEIFLibraries.avif, nativeQuality: 0...100,
      settings: isLibAVIF ? LibAVIF.settings : Self.settings,
      defaults: isLibAVIF ? LibAVIF.defaults : "speed 6, tune \(Self.tunes[0]), 4:2:0",
      trials: Self.trials + (isLibAVIF ? LibAVIF.trials : []), quick: "speed=9",
      absence: isLibAVIF ? nil : OpenedLibrary.heif.absence)
  }

  private static let trials = [
    SettingTrial("speed", [10, 9, 8, 7, 6, 5, 4, 3].map { "speed=\($0)" }, isSpeed: true),
    SettingTrial("tuning", ["iq", "ssim", "psnr"].map { "tune=\($0)" }),
    SettingTrial("full chroma", ["chroma=444"]),
    SettingTrial("bits per coded sample", ["depth=10", "depth=12"]),
  ]

  /// libheif up to 1.15.1 mistakes the 16-bit storage of a 10-bit sample for its depth and asks aom for a profile
  /// without 10-bit 4:2:0, which makes aom abort the process.
  private static let depths = LoadedHEIF.versionNumber < 0x010F_0200 ? ["8", "12"] : ["8", "10", "12"]

  /// The tunings that libheif passes to aom, its own default first: from 1.22 on `auto`, which means `iq` for the
  /// colours of pictures.
  private static let tunes =
    LoadedHEIF.versionNumber >= 0x0116_0000
    ? ["auto", "iq", "ssim", "psnr"]
    : LoadedHEIF.versionNumber >= 0x0113_0000 ? ["ssim", "iq", "psnr"] : ["ssim", "psnr"]

  private static let settings: [SettingSpecification] = [
    .integer("speed", 0...9, "6", "aom's speed, 0 slowest"),
    .choice("tune", tunes, tunes[0], "what aom optimises; iq is for still pictures and needs aom 3.12"),
    .choice("chroma", ["420", "422", "444"], "420", "chroma subsampling").beside("lossless", "false"),
    .choice("chroma", ["444"], "444", "lossless needs full chroma").beside("lossless", "true"),
    .choice("depth", depths, "8", "bits per coded sample"),
    .integer("threads", 0...16, "1", "aom's threads; 0 leaves them to libheif"),
    .flag("lossless", "exact RGB, whatever the quality; implies chroma=444"),
  ]

  package func support(for variant: CodecVariant) -> PixelSupport {
    let depth = variant.settings["depth"].flatMap(Int.init) ?? 8
    return PixelSupport(alpha: true, maximumBitDepth: depth, maximumSide: HEIFEncoding.maximumSide)
  }

  package func decode(_ bytes: [UInt8]) throws(CodecError) -> RasterImage {
    try LibAVIF.isLoaded ? LibAVIF.decode(bytes) : HEIFEncoding.raster(of: bytes)
  }

  package func encode(_ image: RasterImage, _ settings: EncodeSettings) throws(CodecError) -> [UInt8] {
    try LibAVIF.isLoaded ? LibAVIF.encode(image, settings) : encoding(settings).file(of: image)
  }

  /// libheif passes whole quantisers to aom, ((100 − q) · 63 + 50) / 100. A build may have other steps, as libavif 1.4
  /// has with `tune=iq`.
  package func lowestQuality(like native: Int, _ variant: CodecVariant) -> Int {
    func quantiser(_ native: Int) -> Int { ((100 - native) * 63 + 50) / 100 }
    let isEven = Self.hasEvenSteps(variant.settings["tune"] ?? Self.tunes[0], LoadedHEIF.versionNumber)
    guard variant.build == nil, !LibAVIF.isLoaded, isEven, native > 0 else { return native }
    return quantiser(native - 1) == quantiser(native) ? native - 1 : native
  }

  /// From 1.22 on, libheif also has a table of quantisers for `iq`, which `auto` may mean.
  static func hasEvenSteps(_ tune: String, _ version: UInt32) -> Bool {
    version < 0x0116_0000 || tune == "ssim" || tune == "psnr"
  }

  package func encodeByProgram(
    _ file: [UInt8], of image: RasterImage, _ settings: EncodeSettings
  ) throws(CodecError) -> [UInt8]? {
    try LibAVIF.isLoaded ? nil : encoding(settings).program(file, image)
  }

  func encoding(_ settings: EncodeSettings) throws(CodecError) -> HEIFEncoding {
    guard Self.depths.contains(settings["depth"]) else {
      throw .unsupported("libheif before 1.15.2 does not encode AVIF with \(settings["depth"]) bits")
    }
    var parameters = HEIFEncoding.parameters(["speed", "tune"], settings)
    if let threads = settings.integer("threads"), threads > 0 {
      parameters.append((name: "threads", value: String(threads)))
    }
    return HEIFEncoding(
      compression: heif_compression_AV1, encoder: "aom",
      missingEncoder: "this libheif has no aom; install libheif-plugin-aomenc",
      quality: settings.nativeQuality, isLossless: settings.flag("lossless"),
      bitDepth: settings.integer("depth") ?? 8, parameters: parameters
    )
  }
}

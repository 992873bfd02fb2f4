import CHEIFShim
package import CodecKit
package import Model
package import Pixels

/// AVIF: AV1 still images by aom, decoded by dav1d or aom, through libheif.
///
/// Defaults are those of libheif and heif-enc, except for threads: aom's bytes depend on them, and one thread gives the
/// same bytes on every machine.
package struct AVIFCodec: ImageCodec {
  package init() {}

  package var traits: CodecTraits {
    CodecTraits(
      id: "avif", title: "AVIF (libheif, aom)", fileExtension: "avif", libraries: HEIFLibraries.avif,
      nativeQuality: 0...100, settings: Self.settings,
      defaults: "speed 6, tune ssim, 4:2:0", absence: OpenedLibrary.heif.absence)
  }

  /// libheif up to 1.15.1 mistakes the 16-bit storage of a 10-bit sample for its depth and asks aom for a profile
  /// without 10-bit 4:2:0, which makes aom abort the process.
  private static let depths = LoadedHEIF.versionNumber < 0x010F_0200 ? ["8", "12"] : ["8", "10", "12"]

  private static let settings: [SettingSpecification] = [
    SettingSpecification(
      key: "speed", values: .integer(0...9), defaultValue: "6",
      summary: "aom's trade of size for time, 0 slowest"),
    SettingSpecification(
      key: "tune", values: .choice(["psnr", "ssim"]), defaultValue: "ssim", summary: "what aom optimises"),
    SettingSpecification(
      key: "chroma", values: .choice(["420", "422", "444"]), defaultValue: "420",
      summary: "chroma subsampling"),
    SettingSpecification(
      key: "depth", values: .choice(depths), defaultValue: "8", summary: "bits per coded sample"),
    SettingSpecification(
      key: "threads", values: .integer(0...16), defaultValue: "1",
      summary: "aom's threads; 0 leaves them to libheif"),
    SettingSpecification(
      key: "lossless", values: .flag, defaultValue: "false",
      summary: "exact RGB, whatever the quality; implies chroma=444"),
  ]

  package func support(for variant: CodecVariant) -> PixelSupport {
    let depth = variant.settings["depth"].flatMap(Int.init) ?? 8
    return PixelSupport(alpha: true, maximumBitDepth: depth, maximumSide: HEIFEncoding.maximumSide)
  }

  package func validate(_ variant: CodecVariant) throws(CodecError) {
    if variant.settings["lossless"] == "true", variant.settings["chroma"] == "422" {
      throw .invalidSetting("avif: lossless keeps all of RGB, which chroma=422 does not")
    }
  }

  package func encode(_ image: RasterImage, _ settings: EncodeSettings) throws(CodecError) -> [UInt8] {
    guard Self.depths.contains(settings["depth"]) else {
      throw .unsupported("libheif before 1.15.2 does not encode AVIF of \(settings["depth"]) bits")
    }
    var parameters = ["speed", "tune"].map { (name: $0, value: settings[$0]) }
    parameters.append((name: "chroma", value: settings.flag("lossless") ? "444" : settings["chroma"]))
    if let threads = settings.integer("threads"), threads > 0 {
      parameters.append((name: "threads", value: String(threads)))
    }
    return try HEIFEncoding(
      compression: heif_compression_AV1,
      missingEncoder: "libheif here has no AV1 encoder; install libheif-plugin-aomenc",
      quality: settings.nativeQuality, isLossless: settings.flag("lossless"),
      bitDepth: settings.integer("depth") ?? 8, parameters: parameters
    ).file(of: image)
  }

  /// Bytes of all boxes except the coded data.
  package func containerBytes(of file: [UInt8]) -> Int? { HEIFEncoding.containerBytes(of: file) }

  package func cutting(_ file: [UInt8], toWidth width: Int, height: Int) throws(CodecError) -> [UInt8] {
    try TilePacking.cut(file, width: width, height: height)
  }

  package func decode(_ bytes: [UInt8]) throws(CodecError) -> RasterImage {
    try HEIFEncoding.raster(of: bytes)
  }
}

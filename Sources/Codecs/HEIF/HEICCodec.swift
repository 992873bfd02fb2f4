import CHEIFShim
package import CodecKit
package import Model
package import Pixels

/// HEIC: HEVC still images by x265, or by kvazaar where libheif has it, decoded by libde265, through libheif.
///
/// Defaults are those of libheif and heif-enc. Quality q becomes x265's constant rate factor (100 − q) / 2; x265 rounds
/// it to a whole quantisation parameter, so about half of the qualities give the same bytes as their neighbour.
package struct HEICCodec: HEIFCodec {
  /// Prefix of the keys passed to x265 unchanged.
  static let passThroughPrefix = "x265:"

  package init() {}

  package var traits: CodecTraits {
    CodecTraits(
      id: "heic", title: "HEIC (libheif, x265)", fileExtension: "heic", libraries: HEIFLibraries.heic,
      nativeQuality: 0...100, settings: Self.settings,
      defaults: "preset slow, tune ssim, 4:2:0", quick: "preset=ultrafast",
      absence: OpenedLibrary.heif.absence)
  }

  private static let settings: [SettingSpecification] = [
    .choice(
      "encoder", HEIFLibraries.heic.contains { $0.name == "kvazaar" } ? ["x265", "kvazaar"] : ["x265"],
      "x265",
      "the HEVC encoder; kvazaar, where libheif has it, takes no setting but grid and thumbnail"),
    .choice("preset", X265Parameters.presets, "slow", "x265's trade of time for size"),
    .choice(
      "tune", ["psnr", "ssim", "grain", "fastdecode"], "ssim",
      "what x265 optimises; libheif overrides most of what psnr and ssim change"),
    .choice("chroma", ["420", "422", "444"], "420", "chroma subsampling"),
    .choice(
      "depth", X265Parameters.codes(bits: 12) ? ["8", "10", "12"] : ["8", "10"], "8", "bits per coded sample"),
    .integer("threads", 0...256, "1", "x265's threads; 0 leaves them to x265"),
    .integer("complexity", 0...100, "0", "libheif's further effort, from 60 up slower and smaller"),
    .flag("lossless", "exact RGB, whatever the quality; implies chroma=444"),
    .integer("thumbnail", 0...4096, "0", "longest side of the thumbnail that libheif embeds; 0 for none"),
    .integer(
      "grid", 0...8192, "0",
      "one file of tiles of so many pixels, an even number from 64, as phones write; 0 is one frame"),
    .init(
      key: "x265:*", values: .passThrough(prefix: passThroughPrefix), defaultValue: "",
      summary: "any parameter of x265, checked by x265"),
  ]

  /// Keys that libheif's adapter of kvazaar has no parameter for, or that its 4:2:0 of 8 bits leaves no choice in.
  private static let ofX265 = ["preset", "tune", "chroma", "depth", "threads", "complexity", "lossless"]

  package func support(for variant: CodecVariant) -> PixelSupport {
    PixelSupport(
      alpha: !variant.isGrid,
      maximumBitDepth: variant.settings["depth"].flatMap(Int.init) ?? 8,
      maximumSide: HEIFEncoding.maximumSide)
  }

  /// Has x265 itself check the keys passed through.
  package func validate(_ variant: CodecVariant) throws(CodecError) {
    try checkLossless(variant)
    if variant.settings["encoder"] == "kvazaar",
      let key = variant.settings.keys.sorted().first(where: { Self.ofX265.contains($0) || $0.contains(":") })
    {
      throw .invalidSetting("heic: libheif gives kvazaar no \(key); leave out one of both")
    }
    let grid = variant.settings["grid"].flatMap { Int($0) } ?? 0
    guard grid == 0 || (grid >= 64 && grid.isMultiple(of: 2)) else {
      throw .invalidSetting("heic: grid takes 0 or an even number of pixels from 64 to 8192, not \(grid)")
    }
    guard grid == 0 || (variant.settings["thumbnail"] ?? "0") == "0" else {
      throw .invalidSetting("heic: a grid has no thumbnail here; leave out one of grid and thumbnail")
    }
    let passed = variant.settings.filter { $0.key.hasPrefix(Self.passThroughPrefix) }
    guard !passed.isEmpty else { return }
    let checker = try X265Parameters(
      preset: variant.settings["preset"] ?? "slow", tune: variant.settings["tune"] ?? "ssim")
    for (key, value) in passed.sorted(by: { $0.key < $1.key }) {
      try checker.check(key: String(key.dropFirst(Self.passThroughPrefix.count)), value: value)
    }
    try checker.checkTogether()
  }

  package func encode(_ image: RasterImage, _ settings: EncodeSettings) throws(CodecError) -> [UInt8] {
    let encoding = encoding(settings)
    let tile = settings.integer("grid") ?? 0
    guard tile == 0 || !image.format.layout.hasAlpha else { throw .unsupported("grids have no alpha here") }
    return tile > 0 && max(image.width, image.height) > tile
      ? try encoding.gridFile(of: image, tileSize: tile) : try encoding.file(of: image)
  }

  /// libheif gives x265 whole rate factors, (100 − q) / 2.
  package func lowestQuality(like native: Int, _ variant: CodecVariant) -> Int {
    native > 0 && native.isMultiple(of: 2) && (variant.settings["encoder"] ?? "x265") == "x265"
      ? native - 1 : native
  }

  package func encodeByProgram(
    _ file: [UInt8], of image: RasterImage, _ settings: EncodeSettings
  ) throws(CodecError) -> [UInt8]? {
    guard settings["grid"] == "0" else { return nil }
    return try encoding(settings).program(file, image)
  }

  private func encoding(_ settings: EncodeSettings) -> HEIFEncoding {
    HEIFEncoding(
      compression: heif_compression_HEVC, encoder: settings["encoder"],
      missingEncoder:
        "libheif here has no \(settings["encoder"]); install libheif-plugin-\(settings["encoder"])",
      quality: settings.nativeQuality, isLossless: settings.flag("lossless"),
      bitDepth: settings.integer("depth") ?? 8, parameters: parameters(settings),
      thumbnailSide: settings.integer("thumbnail") ?? 0
    )
  }

  private func parameters(_ settings: EncodeSettings) -> [(name: String, value: String)] {
    guard settings["encoder"] == "x265" else { return [] }
    var parameters = HEIFEncoding.parameters(["preset", "tune"], settings)
    if let complexity = settings.integer("complexity"), complexity > 0 {
      parameters.append((name: "complexity", value: String(complexity)))
    }
    if let threads = settings.integer("threads"), threads > 0 {
      parameters.append((name: "x265:pools", value: String(threads)))
    }
    let prefix = Self.passThroughPrefix
    parameters += settings.passedThrough(prefix: prefix).map { (name: prefix + $0.key, value: $0.value) }
    return parameters
  }
}

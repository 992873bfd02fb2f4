import CHEIFShim
package import CodecKit
package import Model
package import Pixels

/// HEIC: HEVC still images by x265, or by kvazaar if libheif has it, decoded by libde265, through libheif.
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
      defaults: "x265 slow with libheif’s aq-mode 1 and psy-rd 1, 4:2:0",
      trials: Self.trials, quick: "preset=ultrafast",
      absence: OpenedLibrary.heif.absence)
  }

  private static let trials = [
    SettingTrial(
      "speed", ["ultrafast", "superfast", "fast", "medium", "slow", "slower"].map { "preset=\($0)" },
      isSpeed: true),
    SettingTrial("bits per coded sample", ["depth=10"]),
    SettingTrial("chroma quantisation", ["chroma-offset=-2", "chroma-offset=-3", "chroma-offset=-5"]),
    SettingTrial("full chroma", ["chroma=444", "chroma=444,chroma-offset=2"]),
    SettingTrial("adaptive quantisation", (["0", "2", "3"]).map { "x265:aq-mode=\($0)" }),
    SettingTrial("strength of adaptive quantisation", ["x265:aq-strength=0.6", "x265:aq-strength=1.4"]),
    SettingTrial("psychovisual rate–distortion", ["0", "0.5", "2"].map { "x265:psy-rd=\($0)" }),
    SettingTrial("psychovisual quantisation", ["x265:psy-rdoq=0"]),
    SettingTrial("loop filters", ["x265:sao=0", "x265:deblock=-2:-2"]),
    SettingTrial("block size", ["x265:ctu=32"]),
  ]

  private static let settings = [encoder] + ofX265.map { $0.beside("encoder", "x265") } + ofFile

  private static let encoder = SettingSpecification.choice(
    "encoder", HEIFLibraries.heic.contains { $0.name == "kvazaar" } ? ["x265", "kvazaar"] : ["x265"],
    "x265",
    "the HEVC encoder; kvazaar, if libheif has it, accepts only the settings grid and thumbnail")

  private static let ofFile: [SettingSpecification] = [
    .integer("thumbnail", 0...4096, "0", "longest side of the thumbnail that libheif embeds; 0 for none"),
    .integer(
      "grid", 0...8192, "0",
      "side of the tiles in one file, as phones write them: even, 64 or more; 0 for one frame"),
  ]

  /// Settings that libheif's kvazaar adapter does not have, or that leave no choice because it codes only 8 bits in
  /// 4:2:0.
  private static let ofX265: [SettingSpecification] = [
    .choice(
      "preset", X265Parameters.presets, "slow", "x265's speed; slower presets usually make smaller files"),
    .choice(
      "tune", ["psnr", "ssim", "grain", "fastdecode"], "ssim",
      "what x265 optimises; libheif then sets aq-mode 1, psy-rd 1 and psy-rdoq 1, which undoes ssim"),
    .choice("chroma", ["420", "422", "444"], "420", "chroma subsampling").beside("lossless", "false"),
    .choice("chroma", ["444"], "444", "lossless needs full chroma").beside("lossless", "true"),
    .integer(
      "chroma-offset", -12...12, "0",
      "chroma quantisation relative to luma; below 0 spends more bytes on chroma"
    ).beside("lossless", "false").beside("chroma", "420", "422"),
    .choice(
      "chroma-offset", ["auto"] + (-12...12).filter { $0 != 0 }.map(String.init), "auto",
      "the same in 4:4:4; auto keeps x265's own 6, which doubles the quantiser's steps"
    ).beside("lossless", "false").beside("chroma", "444"),
    .choice(
      "depth", X265Parameters.codes(bits: 12) ? ["8", "10", "12"] : ["8", "10"], "8", "bits per coded sample"),
    .integer("threads", 0...256, "1", "x265's threads; 0 leaves them to x265"),
    .integer("complexity", 0...100, "0", "libheif's extra effort; from 60 up: slower, smaller files"),
    .flag("lossless", "exact RGB, whatever the quality; implies chroma=444"),
    .init(
      key: "x265:*", values: .passThrough(prefix: passThroughPrefix), defaultValue: "",
      summary: "any parameter of x265, checked by x265"),
  ]

  package func support(for variant: CodecVariant) -> PixelSupport {
    PixelSupport(
      alpha: !variant.isGrid,
      maximumBitDepth: variant.settings["depth"].flatMap(Int.init) ?? 8,
      maximumSide: HEIFEncoding.maximumSide)
  }

  /// Asks x265 itself to check the keys passed through.
  package func validate(_ variant: CodecVariant) throws(CodecError) {
    let grid = variant.settings["grid"].flatMap { Int($0) } ?? 0
    guard grid == 0 || (grid >= 64 && grid.isMultiple(of: 2)) else {
      throw .invalidSetting("heic: grid takes 0 or an even number of pixels from 64 to 8192, not \(grid)")
    }
    guard grid == 0 || (variant.settings["thumbnail"] ?? "0") == "0" else {
      throw .invalidSetting("heic: grid and thumbnail cannot be combined; leave one out")
    }
    let passed = variant.settings.filter { $0.key.hasPrefix(Self.passThroughPrefix) }
    guard !passed.isEmpty else { return }
    let offsets = Set(passed.keys.map { $0.lowercased() })
    if variant.settings["chroma-offset"] != nil, let own = Self.offsets.first(where: offsets.contains) {
      throw .invalidSetting("heic: chroma-offset and \(own) set the same thing; leave one out")
    }
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
    guard tile == 0 || !image.format.layout.hasAlpha else {
      throw .unsupported("heicbench does not write grids with alpha")
    }
    return tile > 0 && max(image.width, image.height) > tile
      ? try encoding.gridFile(of: image, tileSize: tile) : try encoding.file(of: image)
  }

  /// Reads x265's log, because libheif leaves x265's note of its settings out of the file.
  package func encodeReporting(
    _ image: RasterImage, _ settings: EncodeSettings
  ) throws(CodecError) -> (file: [UInt8], settings: String)? {
    guard settings["encoder"] == "x265" else { return nil }
    var encoding = encoding(settings)
    encoding.logLevel = X265Log.level
    let (file, log) = try X265Log.keeping { () throws(CodecError) in try encoding.file(of: image) }
    return X265Log.settings(in: log).map { (file, $0) }
  }

  /// x265 rounds the rate factors that libheif passes on, (100 − q) / 2.
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
        "this libheif has no \(settings["encoder"]); install libheif-plugin-\(settings["encoder"])",
      quality: settings.nativeQuality, isLossless: settings.flag("lossless"),
      bitDepth: settings.integer("depth") ?? 8, parameters: parameters(settings),
      thumbnailSide: settings.integer("thumbnail") ?? 0
    )
  }

  private static let offsets = ["x265:cbqpoffs", "x265:crqpoffs"]

  private func parameters(_ settings: EncodeSettings) -> [(name: String, value: String)] {
    guard settings["encoder"] == "x265" else { return [] }
    var parameters = HEIFEncoding.parameters(["preset", "tune"], settings)
    if let complexity = settings.integer("complexity"), complexity > 0 {
      parameters.append((name: "complexity", value: String(complexity)))
    }
    if let threads = settings.integer("threads"), threads > 0 {
      parameters.append((name: "x265:pools", value: String(threads)))
    }
    if let offset = Int(settings["chroma-offset"]), offset != 0 {
      parameters += Self.offsets.map { (name: $0, value: String(offset)) }
    }
    let prefix = Self.passThroughPrefix
    parameters += settings.passedThrough(prefix: prefix).map { (name: prefix + $0.key, value: $0.value) }
    return parameters
  }
}

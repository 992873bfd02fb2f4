import CAVIFShim
import CodecKit
import Model
import Pixels

/// AVIF through libavif, if a build's folder has it: aom, or SVT-AV1 if libavif has it, without libheif in between,
/// with libavif's own conversion and choice of settings. Files equal those of `avifenc --jobs 1` from the same release.
enum LibAVIF {
  /// libavif and the codecs compiled into it.
  static let libraries: [LibraryVersion] = {
    guard hb_avif_load() != 0 else { return [] }
    var buffer = [CChar](repeating: 0, count: 256)
    hb_avif_codecs(&buffer)
    let codecs = buffer.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return [
      LibraryVersion(name: "libavif", version: String(cString: hb_avif_version())).withBuild(of: "libavif")
    ]
      + codecs.split(separator: ",").compactMap { codec in
        // libavif lists a codec as “aom [enc]:3.14.1”.
        guard let name = codec.split(separator: " ").first, let version = codec.split(separator: ":").last
        else { return nil }
        return LibraryVersion(name: String(name), version: String(version))
      }
  }()

  static var isLoaded: Bool { !libraries.isEmpty }

  private static let svt = libraries.first { $0.name == "svt" }

  static let defaults = "speed 6, tune iq, 4:2:0"
  static let settings =
    [
      .choice(
        "encoder", svt == nil ? ["aom"] : ["aom", "svt"], "aom", "svt is SVT-AV1: 4:2:0 with 8 or 10 bits"),
      .integer("speed", 0...10, "6", "libavif's speed, 0 slowest"),
    ] + ofAOM.map { $0.beside("encoder", "aom") }
    + (svt == nil ? [] : ofSVT.map { $0.beside("encoder", "svt") })

  static let trials = [
    SettingTrial(
      "another encoder", ["encoder=svt", "encoder=svt,tune=iq", "encoder=svt,tune=ms-ssim"])
  ]

  private static let ofAOM: [SettingSpecification] = [
    .choice(
      "tune", ["iq", "ssim", "psnr"], "iq", "what aom optimises; iq is for still pictures and needs aom 3.12"
    ).beside("lossless", "false"),
    .choice("chroma", ["420", "422", "444"], "420", "chroma subsampling").beside("lossless", "false"),
    .choice("chroma", ["444"], "444", "lossless needs full chroma").beside("lossless", "true"),
    .choice("depth", ["8", "10", "12"], "8", "bits per coded sample"),
    .flag("lossless", "exact RGB, whatever the quality; implies chroma=444"),
  ]

  private static let ofSVT: [SettingSpecification] = [
    .choice(
      "tune", ["psnr"] + stillTunes.map(\.word), "psnr",
      "what SVT-AV1 optimises; iq and ms-ssim are for still pictures"),
    .choice("chroma", ["420"], "420", "chroma subsampling"),
    .choice("depth", ["8", "10"], "8", "bits per coded sample"),
  ]

  /// SVT-AV1's numbers for its still-picture tunings (Source/API/EbSvtAv1Enc.h), not all of which exist before release
  /// 4.0.
  private static let stillTunes: [(word: String, number: String)] =
    (svt.flatMap { Int($0.version.drop { !$0.isNumber }.prefix { $0.isNumber }) } ?? 0) >= 4
    ? [("iq", "3"), ("ms-ssim", "4")] : []

  static func encode(_ image: RasterImage, _ settings: EncodeSettings) throws(CodecError) -> [UInt8] {
    let (layout, depth) = (image.format.layout, settings.integer("depth") ?? 8)
    guard image.format.bitDepth <= depth else {
      throw .unsupported("samples of \(image.format.bitDepth) bits do not fit depth=\(depth)")
    }
    let known = HEIFColour.codePoints(of: image.profile)
    let icc = known == nil ? image.profile.iccBytes ?? [] : []
    // With a profile, no code points are stated, as in avifenc.
    let points = known ?? (icc.isEmpty ? .sRGB : CodePoints(primaries: 2, transfer: 2))
    var options = options(for: image, settings, points)
    var output = hb_avif_output()
    defer { hb_avif_free(&output) }
    let isSVT = options.is_svt != 0
    let still = stillTunes.first { $0.word == settings["tune"] }?.number
    let problem = (isSVT ? still ?? "" : settings["tune"]).withCString { tune in
      // aom does not tune lossless encodes, such as those at quality 100. libavif leaves SVT-AV1 at PSNR.
      options.tune = isSVT && still == nil || !isSVT && options.quality == 100 ? nil : tune
      return switch image.samples {
      case .bytes(let bytes):
        hb_avif_encode(GrayPixels.expanded(bytes, layout), &options, icc, icc.count, &output)
      case .words(let words):
        hb_avif_encode(GrayPixels.expanded(words, layout), &options, icc, icc.count, &output)
      }
    }
    if let problem {
      let message = String(cString: problem)
      // An aom without high bit depth, as in Python packages, says only that it failed.
      guard depth == 8 else { throw .unsupported("this libavif does not encode \(depth) bits: \(message)") }
      throw .library(name: "libavif", message: message)
    }
    return [UInt8](UnsafeBufferPointer(start: output.data, count: output.size))
  }

  private static func options(
    for image: RasterImage, _ settings: EncodeSettings, _ points: CodePoints
  ) -> hb_avif_settings {
    let (layout, isLossless) = (image.format.layout, settings.flag("lossless"))
    let isExact = isLossless && !layout.isGray
    var options = hb_avif_settings()
    (options.width, options.height) = (UInt32(image.width), UInt32(image.height))
    (options.depth, options.sample_depth) = (
      UInt32(clamping: settings.integer("depth") ?? 8), UInt32(image.format.bitDepth)
    )
    (options.channels, options.is_gray) = (layout.hasAlpha ? 4 : 3, layout.isGray ? 1 : 0)
    options.chroma = isExact ? 444 : Int32(clamping: settings.integer("chroma") ?? 420)
    options.quality = isLossless ? 100 : Int32(clamping: settings.nativeQuality)
    options.is_svt = settings["encoder"] == "svt" ? 1 : 0
    options.speed = Int32(clamping: settings.integer("speed") ?? 6)
    (options.primaries, options.transfer) = (
      UInt16(clamping: points.primaries), UInt16(clamping: points.transfer)
    )
    options.matrix = isExact ? 0 : points.primaries == 9 ? 9 : 6
    return options
  }

  /// Decodes a file that `encode` wrote.
  static func decode(_ bytes: [UInt8]) throws(CodecError) -> RasterImage {
    var picture = hb_avif_picture()
    defer { hb_avif_close(&picture) }
    if let problem = hb_avif_open(bytes, bytes.count, &picture) { throw .malformed(String(cString: problem)) }
    let (coded, channels) = (picture.settings, Int(picture.settings.channels))
    let (width, height) = (Int(coded.width), Int(coded.height))
    var problem: UnsafePointer<CChar>?
    let samples = RasterImage.Samples(width * height * channels, isWide: coded.depth > 8) { target, _ in
      problem = hb_avif_pixels(&picture, target)
      return problem == nil
    }
    if let problem { throw .malformed(String(cString: problem)) }
    let image = try samples.image(
      by: "libavif", width: width, height: height,
      format: PixelFormat(layout: channels == 4 ? .rgba : .rgb, bitDepth: Int(coded.depth)))
    let raster = coded.is_gray != 0 ? image.collapsedToGray() : image
    if picture.icc_size > 0 {
      return raster.tagged(.icc([UInt8](UnsafeBufferPointer(start: picture.icc, count: picture.icc_size))))
    }
    let points = CodePoints(primaries: Int(coded.primaries), transfer: Int(coded.transfer))
    return raster.tagged(try SourceColour.profile(points, for: raster.format.layout) ?? .sRGB)
  }
}

import CodecKit
import Codecs
import Model
import Pixels
import TestSupport
import Testing

/// What every codec of the registry promises.
@Suite struct CodecContractTests {
  /// The codecs whose libraries are installed here. `absentCodecsSayWhy` covers the others.
  private static let present = CodecRegistry.standard.codecs.filter { $0.traits.absence == nil }
  static let ids = present.map(\.traits.id)

  /// Every codec with every value of each of its settings, one at a time, and with its defaults.
  static let variants: [String] = present.flatMap { codec in
    [codec.traits.id]
      // Settings of gain maps need HDR light; see `GainMapCodecTests`.
      + codec.traits.settings.filter { $0.key != "gainmap" && !$0.key.hasPrefix("map-") }
      .flatMap { setting -> [String] in
        let values: [String] =
          switch setting.values {
          case .choice(let words): setting.key == "fault" ? ["none", "garbage"] : words
          case .integer(let range): [String(range.lowerBound), String(range.upperBound)]
          case .flag: ["true", "false"]
          case .passThrough: []
          }
        // Each setting comes with the settings that it needs.
        let needs = setting.needs.sorted { $0.key < $1.key }.map { ",\($0.key)=\($0.value[0])" }.joined()
        return values.map { "\(codec.traits.id):\(setting.key)=\($0)\(needs)" }
      }
  }

  private func codec(_ id: String) throws -> any ImageCodec { try #require(CodecRegistry.standard.codec(id)) }

  private func settings(_ spelling: String, _ quality: Int = 800) throws -> EncodeSettings {
    let variant = try CodecRegistry.standard.variant(spelling)
    return EncodeSettings(
      variant: variant, quality: try #require(Quality(thousandths: quality)),
      traits: try codec(variant.codec).traits)
  }

  /// The layout after a round trip. WebP has no gray.
  private func comesBack(_ layout: ChannelLayout, from id: String) -> ChannelLayout {
    guard id == "webp", layout.isGray else { return layout }
    return layout.hasAlpha ? .rgba : .rgb
  }

  @Test(arguments: variants, ChannelLayout.allCases)
  func aRoundTripKeepsSizeLayoutAndLooks(spelling: String, layout: ChannelLayout) throws {
    let settings = try settings(spelling)
    let codec = try codec(settings.variant.codec)
    let image = try #require(SyntheticImage.waves(width: 50, height: 37, layout: layout))
    guard codec.support(for: settings.variant).alpha || !layout.hasAlpha else {
      #expect { _ = try codec.encode(image, settings) } throws: { error in
        guard case CodecError.unsupported(let reason) = error else { return false }
        return !reason.isEmpty
      }
      return
    }
    let bytes = try codec.encode(image, settings)
    let decoded = try codec.decode(bytes)
    #expect(decoded.width == image.width && decoded.height == image.height)
    #expect(decoded.format.layout == comesBack(layout, from: settings.variant.codec))
    #expect(decoded.profile == .sRGB)
    #expect(image.distance(to: decoded) < 0.1, "does not look like the original")
    #expect(try codec.encode(image, settings) == bytes, "two encodes of one image differ")
  }

  @Test(arguments: ids) func aProfileSurvivesOrIsRefusedWithAReason(id: String) throws {
    let codec = try codec(id)
    for (layout, profile) in [(ChannelLayout.rgb, TestProfiles.displayP3), (.gray, TestProfiles.linearGray)] {
      let profile = try #require(profile)
      let image = try #require(SyntheticImage.waves(width: 33, height: 20, layout: layout)).tagged(profile)
      let settings = try settings(id)
      let decoded: RasterImage
      do throws(CodecError) {
        decoded = try codec.decode(try codec.encode(image, settings))
      } catch {
        guard case .unsupported(let reason) = error, layout == .gray else { throw error }
        #expect(!reason.isEmpty)
        continue
      }
      #expect(try mean(decoded.profile, profile, layout), "\(layout)")
    }
  }

  /// Whether two profiles mean the same colours. A codec may write a profile in its own bytes.
  private func mean(_ a: ColorProfile, _ b: ColorProfile, _ layout: ChannelLayout) throws -> Bool {
    guard a != b else { return true }
    let colours = try [a, b].map { profile in
      let transform = try ColorTransform.toLinearSRGB(try #require(profile.iccBytes))
      // Planes of four pixels each, equal for gray, which may come back as colour.
      let red: [Float] = [0.05, 0.9, 0.4, 0.7]
      let samples = red + (layout.isGray ? red + red : [0.2, 0.1, 0.45, 0.7, 0.6, 0.3, 0.4, 0.7])
      var result = [Float](repeating: 0, count: 12)
      transform.convert(samples, stride: 4, to: &result, stride: 4, count: 4)
      return result
    }
    return zip(colours[0], colours[1]).allSatisfy { abs($0 - $1) < 0.002 }
  }

  @Test func absentCodecsSayWhy() {
    for codec in CodecRegistry.standard.codecs where codec.traits.absence != nil {
      #expect(codec.traits.absence?.contains("Debian: lib") == true)
      #expect(throws: CodecError.self) { try CodecRegistry.standard.variant(codec.traits.id) }
    }
  }

  @Test(arguments: ids) func libraryVersionsAndTextsAreThere(id: String) throws {
    let traits = try codec(id).traits
    #expect(!traits.libraries.isEmpty)
    #expect(traits.libraries.allSatisfy { $0.version.first?.isNumber == true })
    #expect(!traits.title.isEmpty && !traits.fileExtension.isEmpty)
    for setting in traits.settings {
      #expect(!setting.summary.isEmpty)
      if case .passThrough = setting.values { continue }
      #expect(setting.canonical(setting.defaultValue) == setting.defaultValue)
    }
  }

  @Test(arguments: ids) func promisesAreKept(id: String) throws {
    #expect(CodecContract.broken(by: try codec(id)) == [])
  }

  @Test(arguments: UnreliableCodec.Fault.allCases) func brokenPromisesAreNamed(fault: UnreliableCodec.Fault)
    throws
  {
    let broken = CodecContract.broken(by: UnreliableCodec(codec: try codec("webp"), fault: fault))
    #expect(broken.contains { $0.contains(fault.rawValue) }, "\(broken)")
  }
}

/// A codec that breaks one promise. Its fault is named in the words of the contract.
struct UnreliableCodec: ImageCodec {
  enum Fault: String, CaseIterable, Sendable {
    case absent = "cannot be used here: not installed"
    case nameless = "no name"
    case size = "come back with a different size"
    case alpha = "come back with different channels"
    case profile = "come back as sRGB"
    case looks = "come back looking different"
    case depth = "of 10 bits fail"
    case quality = "do not grow as the quality rises"
    case silent = "refused without a reason"
    case garbage = "random bytes are decoded"
    case unsteady = "two encodes of one picture differ"
    case empty = "files are empty"
  }

  let codec: any ImageCodec
  let fault: Fault

  var traits: CodecTraits {
    var traits = codec.traits
    if fault == .nameless { traits.fileExtension = "" }
    if fault == .absent { traits.absence = "not installed" }
    return traits
  }

  func support(for variant: CodecVariant) -> PixelSupport {
    var support = codec.support(for: variant)
    if fault == .depth { support.maximumBitDepth = 10 }
    return support
  }

  func validate(_ variant: CodecVariant) throws(CodecError) { try codec.validate(variant) }

  func encode(_ image: RasterImage, _ settings: EncodeSettings) throws(CodecError) -> [UInt8] {
    var settings = settings
    switch fault {
    case .silent where image.width == 1: throw .unsupported("")
    case .depth where image.format.bitDepth == 10: throw .library(name: "lib", message: "no")
    case .quality: settings.nativeQuality = 50
    case .unsteady: settings.nativeQuality = Int.random(in: 10...90)
    case .profile: return try codec.encode(image.tagged(.sRGB), settings)
    case .empty: return []
    default: break
    }
    return try codec.encode(image, settings)
  }

  func decode(_ bytes: [UInt8]) throws(CodecError) -> RasterImage {
    let isMadeUp = fault == .garbage && bytes.count == 100 || fault == .empty && bytes.isEmpty
    if isMadeUp, let image = SyntheticImage.waves(width: 4, height: 4) { return image }
    let image = try codec.decode(bytes)
    switch fault {
    case .size: return image.oriented(.right)
    case .alpha: return image.format.layout.hasAlpha ? image.droppingAlpha() : image
    case .looks:
      return SyntheticImage.waves(width: image.width, height: image.height, layout: image.format.layout)
        .map { $0.oriented(.down) } ?? image
    default: return image
    }
  }
}

import CodecKit
import Codecs
import Model
import Pixels
import TestSupport
import Testing

/// What every codec of the registry promises, whoever wrote it.
@Suite struct CodecContractTests {
  /// The codecs whose libraries are installed here; `absentCodecsSayWhy` speaks of the others.
  private static let present = CodecRegistry.standard.codecs.filter { $0.traits.absence == nil }
  static let ids = present.map(\.traits.id)

  /// Every codec with every value of each of its settings, one at a time, and with its defaults.
  static let variants: [String] = present.flatMap { codec in
    [codec.traits.id]
      // Those of gain maps take HDR light: `GainMapCodecTests`.
      + codec.traits.settings.filter { $0.key != "gainmap" && !$0.key.hasPrefix("map-") }
      .flatMap { setting -> [String] in
        let values: [String] =
          switch setting.values {
          case .choice(let words): setting.key == "fault" ? ["none", "garbage"] : words
          case .integer(let range): [String(range.lowerBound), String(range.upperBound)]
          case .flag: ["true", "false"]
          case .passThrough: []
          }
        return values.map { "\(codec.traits.id):\(setting.key)=\($0)" }
      }
  }

  private func codec(_ id: String) throws -> any ImageCodec { try #require(CodecRegistry.standard.codec(id)) }

  private func settings(_ spelling: String, _ quality: Int = 800) throws -> EncodeSettings {
    let variant = try CodecRegistry.standard.variant(spelling)
    return EncodeSettings(
      variant: variant, quality: try #require(Quality(thousandths: quality)),
      traits: try codec(variant.codec).traits)
  }

  /// The layout that comes back: WebP has no gray.
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
    #expect(image.distance(to: decoded) < 0.1, "does not look like what went in")
    #expect(try codec.encode(image, settings) == bytes, "two encodes of one image differ")
  }

  @Test(arguments: ids, [(1, 1), (1, 17), (17, 1), (31, 32), (3, 200), (8, 8), (64, 65)])
  func oddSizesWorkOrAreRefusedWithAReason(id: String, size: (Int, Int)) throws {
    let codec = try codec(id)
    let settings = try settings(id)
    for layout in [ChannelLayout.gray, .rgb] {
      let image = try #require(SyntheticImage.waves(width: size.0, height: size.1, layout: layout))
      do throws(CodecError) {
        let decoded = try codec.decode(try codec.encode(image, settings))
        #expect(decoded.width == size.0 && decoded.height == size.1)
        #expect(decoded.format.layout == comesBack(layout, from: id))
      } catch {
        guard case .unsupported(let reason) = error else { throw error }
        #expect(!reason.isEmpty)
      }
    }
  }

  @Test(arguments: ids) func qualityBuysLikenessWithBytes(id: String) throws {
    let codec = try codec(id)
    let image = try #require(SyntheticImage.waves(width: 160, height: 120))
    var (sizes, distances): ([Int], [Double]) = ([], [])
    for quality in [100, 500, 900] {
      let bytes = try codec.encode(image, settings(id, quality))
      sizes.append(bytes.count)
      distances.append(image.distance(to: try codec.decode(bytes)))
    }
    #expect(sizes[0] < sizes[1] && sizes[1] < sizes[2], "\(sizes)")
    #expect(distances[0] > distances[1] && distances[1] > distances[2], "\(distances)")
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

  /// Whether two profiles mean the same colours: a codec may spell a profile in bytes of its own.
  private func mean(_ a: ColorProfile, _ b: ColorProfile, _ layout: ChannelLayout) throws -> Bool {
    guard a != b else { return true }
    let colours = try [a, b].map { profile in
      let transform = try ColorTransform.toLinearSRGB(try #require(profile.iccBytes))
      // Planes of four pixels each.
      let samples: [Float] = [0.05, 0.9, 0.4, 0.7, 0.2, 0.1, 0.45, 0.7, 0.6, 0.3, 0.4, 0.7]
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

  @Test(arguments: ids) func deepSamplesSurviveOrAreRefused(id: String) throws {
    let codec = try codec(id)
    let settings = try settings(id)
    let deepest = codec.support(for: settings.variant).maximumBitDepth
    #expect((8...16).contains(deepest))
    for depth in [8, 10, 12, 16] {
      let image = try #require(SyntheticImage.waves(width: 40, height: 30, bitDepth: depth))
      if depth <= deepest {
        let decoded = try codec.decode(try codec.encode(image, settings))
        #expect(image.distance(to: decoded) < 0.1)
      } else {
        #expect(throws: CodecError.self) { _ = try codec.encode(image, settings) }
      }
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

  @Test(arguments: ids) func garbageIsAnError(id: String) throws {
    let codec = try codec(id)
    var generator = SeededGenerator(seed: 3)
    for length in [0, 1, 2, 4, 22, 100, 5000] {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
      #expect(throws: CodecError.self) { _ = try codec.decode(bytes) }
    }
  }

  @Test(arguments: ids) func damageGivesAnErrorOrAnImage(id: String) throws {
    let codec = try codec(id)
    let image = try #require(SyntheticImage.waves(width: 61, height: 47))
    let bytes = try codec.encode(image, settings(id))
    for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 40)) {
      guard let decoded = try? codec.decode(Array(bytes.prefix(length))) else { continue }
      #expect(decoded.width == image.width && decoded.height == image.height, "\(length) bytes")
    }
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<200 {
      _ = try? codec.decode(bytes.damaged(at: 3, using: &generator))
    }
  }
}

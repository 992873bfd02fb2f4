import Model
import Pixels

/// The promises of every codec, tested on small pictures. A package with its own codec calls this in its tests:
///
/// ```swift
/// #expect(CodecContract.broken(by: MyCodec()) == [])
/// ```
public struct CodecContract {
  private let codec: any ImageCodec
  private let settings: EncodeSettings
  private var broken: [String] = []

  /// The promises that a codec breaks with its defaults, one sentence each; empty if it keeps all.
  public static func broken(by codec: any ImageCodec) -> [String] {
    if let absence = codec.traits.absence { return ["it cannot be used here: \(absence)"] }
    var contract = CodecContract(codec)
    contract.tryTexts()
    contract.tryLayouts()
    contract.tryProfile()
    contract.trySizes()
    contract.tryDepths()
    contract.tryQualities()
    contract.tryDamage()
    return contract.broken
  }

  private init(_ codec: any ImageCodec) {
    (self.codec, settings) = (codec, Self.settings(of: codec, 0.8))
  }

  private static func settings(of codec: any ImageCodec, _ quality: Quality) -> EncodeSettings {
    EncodeSettings(variant: CodecVariant(codec: codec.traits.id), quality: quality, traits: codec.traits)
  }

  private struct Answer {
    let image: RasterImage
    let bytes: [UInt8]
    let decoded: RasterImage

    var hasSize: Bool { decoded.width == image.width && decoded.height == image.height }
    var looksAlike: Bool { CodecContract.distance(image, decoded) < 0.1 }
  }

  private mutating func expect(_ holds: Bool, _ promise: String) {
    if !holds { broken.append(promise) }
  }

  /// An encode and its decode; nil if the codec refuses, which needs a reason and may happen only if `mayRefuse`.
  private mutating func roundTrip(
    _ image: RasterImage?, _ settings: EncodeSettings, mayRefuse: Bool, _ subject: String
  ) -> Answer? {
    guard let image else { return nil }
    do {
      let bytes = try codec.encode(image, settings)
      return Answer(image: image, bytes: bytes, decoded: try codec.decode(bytes))
    } catch CodecError.unsupported(let reason) where mayRefuse {
      expect(!reason.isEmpty, "\(subject) are refused without a reason")
    } catch {
      broken.append("\(subject) fail: \(error)")
    }
    return nil
  }
}

extension CodecContract {
  private mutating func tryTexts() {
    let traits = codec.traits
    expect(!traits.id.isEmpty && !traits.title.isEmpty && !traits.fileExtension.isEmpty, "it has no name")
    expect(!traits.libraries.isEmpty, "it names no libraries, whose versions are part of a result's identity")
    for setting in traits.settings {
      expect(!setting.summary.isEmpty, "setting \(setting.key) has no summary")
      if case .passThrough = setting.values { continue }
      expect(
        setting.canonical(setting.defaultValue) == setting.defaultValue,
        "the default of setting \(setting.key) is not one of its values")
    }
  }

  private mutating func tryLayouts() {
    let takesAlpha = codec.support(for: settings.variant).alpha
    for layout in ChannelLayout.allCases {
      let name = "pictures of layout \(layout.rawValue)"
      let isWelcome = takesAlpha || !layout.hasAlpha
      let answer = roundTrip(
        Self.picture(50, 37, layout: layout), settings, mayRefuse: !isWelcome, name)
      guard isWelcome, let answer else {
        expect(answer == nil, "\(name) are encoded although the codec says that it has no alpha")
        continue
      }
      expect(answer.hasSize, "\(name) come back with a different size")
      expect(
        answer.decoded.format.layout.hasAlpha == layout.hasAlpha, "\(name) come back with different channels")
      expect(answer.decoded.profile == .sRGB, "\(name) come back in colours other than sRGB")
      expect(answer.looksAlike, "\(name) come back looking different")
      expect((try? codec.encode(answer.image, settings)) == answer.bytes, "two encodes of one picture differ")
    }
  }

  private mutating func tryProfile() {
    let displayP3 = CodePoints(primaries: 12, transfer: 13)
    let profile = ColorProfiles.profile(
      primaries: displayP3.primaries, transfer: displayP3.transfer, for: .rgb)
    let image = profile.flatMap { Self.picture(33, 20)?.tagged($0) }
    guard let answer = roundTrip(image, settings, mayRefuse: false, "pictures in Display P3") else { return }
    expect(answer.decoded.profile.needsEmbedding, "pictures in Display P3 come back as sRGB")
  }

  private mutating func trySizes() {
    for (width, height) in [(1, 1), (1, 17), (17, 1), (31, 32), (3, 200), (8, 8), (64, 65)] {
      let name = "pictures of \(width) × \(height) pixels"
      let answer = roundTrip(Self.picture(width, height), settings, mayRefuse: true, name)
      expect(answer?.hasSize ?? true, "\(name) come back with a different size")
    }
  }

  private mutating func tryDepths() {
    let deepest = codec.support(for: settings.variant).maximumBitDepth
    expect((8...16).contains(deepest), "its greatest depth is not from 8 to 16 bits")
    for depth in [8, 10, 12, 16] {
      let name = "pictures of \(depth) bits"
      let answer = roundTrip(Self.picture(40, 30, depth: depth), settings, mayRefuse: depth > deepest, name)
      if depth > deepest {
        expect(answer == nil, "\(name) are encoded although the codec says that it accepts \(deepest)")
      } else {
        expect(answer?.looksAlike ?? true, "\(name) come back looking different")
      }
    }
  }

  private mutating func tryQualities() {
    let qualities: [Quality] = [0.1, 0.5, 0.9]
    let answers = qualities.compactMap { quality in
      roundTrip(
        Self.picture(160, 120), Self.settings(of: codec, quality), mayRefuse: false,
        "pictures at quality \(quality)")
    }
    guard answers.count == qualities.count else { return }
    let sizes = answers.map(\.bytes.count)
    let distances = answers.map { Self.distance($0.image, $0.decoded) }
    expect(
      zip(sizes, sizes.dropFirst()).allSatisfy { $0 < $1 },
      "files do not grow as the quality rises: \(sizes)")
    expect(
      zip(distances, distances.dropFirst()).allSatisfy { $0 > $1 },
      "pictures do not get better as the quality rises")
  }

  private mutating func tryDamage() {
    let usual = roundTrip(Self.picture(61, 47), settings, mayRefuse: false, "pictures of 61 × 47 pixels")
    guard let usual else { return }
    guard !usual.bytes.isEmpty else { return expect(false, "files are empty") }
    var generator = SeededGenerator(seed: 3)
    for length in [0, 1, 2, 4, 22, 100, 5000] {
      let garbage = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
      expect((try? codec.decode(garbage)) == nil, "\(length) random bytes are decoded")
    }
    let bytes = usual.bytes
    for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 40)) {
      guard let decoded = try? codec.decode(Array(bytes.prefix(length))) else { continue }
      expect(
        decoded.width == usual.image.width && decoded.height == usual.image.height,
        "the first \(length) bytes of a file are decoded to a different size")
    }
    // Any result is fine as long as the process survives.
    for _ in 0..<200 {
      var damaged = bytes
      for _ in 0..<3 {
        damaged[Int.random(in: damaged.indices, using: &generator)] ^= .random(in: 1...255, using: &generator)
      }
      _ = try? codec.decode(damaged)
    }
  }
}

extension CodecContract {
  /// Waves of a different length in each channel, with a little noise.
  private static func picture(
    _ width: Int, _ height: Int, layout: ChannelLayout = .rgb, depth: Int = 8
  ) -> RasterImage? {
    var generator = SeededGenerator(seed: 1)
    let format = PixelFormat(layout: layout, bitDepth: depth)
    let values = (0..<width * height * layout.channels).map { index -> Int in
      let (pixel, channel) = index.quotientAndRemainder(dividingBy: layout.channels)
      let period = 37 + 11 * channel
      let phase = (pixel % width * (channel + 1) + pixel / width * 2) % (2 * period)
      let wave = Double(min(phase, 2 * period - phase)) / Double(period)
      return Int(((0.1 + 0.75 * wave + 0.05 * generator.unit()) * Double(format.maximum)).rounded())
    }
    let samples: RasterImage.Samples =
      depth == 8 ? .bytes(values.map { UInt8($0) }) : .words(values.map { UInt16($0) })
    return RasterImage(width: width, height: height, format: format, samples: samples)
  }

  /// The mean distance of samples as a share of the full range; gray is compared with the first channel of a colour
  /// picture.
  private static func distance(_ a: RasterImage, _ b: RasterImage) -> Double {
    func values(_ image: RasterImage) -> [Double] {
      let scale = 1 / Double(image.format.maximum)
      return switch image.samples {
      case .bytes(let samples): samples.map { Double($0) * scale }
      case .words(let samples): samples.map { Double($0) * scale }
      }
    }
    let (first, second) = (values(a), values(b))
    let (step, other) = (a.format.layout.channels, b.format.layout.channels)
    let isColoured = step != other
    let channels = isColoured ? 1 : step
    var sum = 0.0
    for pixel in 0..<min(a.pixelCount, b.pixelCount) {
      for channel in 0..<channels {
        sum += abs(first[pixel * step + channel] - second[pixel * other + channel])
      }
    }
    return sum / Double(a.pixelCount * channels)
  }
}

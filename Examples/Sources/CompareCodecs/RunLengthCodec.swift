import CodecKit

/// This package's own codec: fewer levels for each sample, and runs of equal ones. It shows what a codec needs, and its
/// files are larger than any other codec's.
struct RunLengthCodec: ImageCodec {
  private static let signature = Array("RUNS".utf8)
  private static let layouts = ChannelLayout.allCases

  let traits = CodecTraits(
    id: "runs", title: "Run lengths", fileExtension: "runs",
    libraries: [LibraryVersion(name: "runs", version: "1.0")], nativeQuality: 0...100, settings: [])

  func support(for variant: CodecVariant) -> PixelSupport {
    PixelSupport(alpha: true, maximumBitDepth: 8, maximumSide: 0xFFFF)
  }

  func validate(_ variant: CodecVariant) {}

  func encode(_ image: RasterImage, _ settings: EncodeSettings) throws(CodecError) -> [UInt8] {
    guard case .bytes(let samples) = image.samples else {
      throw .unsupported("run lengths take 8 bits a sample")
    }
    guard max(image.width, image.height) <= 0xFFFF,
      let layout = Self.layouts.firstIndex(of: image.format.layout)
    else { throw .unsupported("run lengths take sides of 65,535 pixels at most") }
    let profile = image.profile.iccBytes ?? []
    let levels = UInt8((1 << (1 + Int(settings.nativeQuality * 7 / 100))) - 1)
    var file = Self.signature + [UInt8(layout), levels]
    for number in [image.width, image.height, profile.count >> 16, profile.count & 0xFFFF] {
      file += [UInt8(number >> 8), UInt8(number & 0xFF)]
    }
    file += profile
    // Channel by channel, since neighbouring samples are similar.
    let channels = image.format.layout.channels
    for channel in 0..<channels {
      var run = (level: UInt8(0), count: UInt8(0))
      for place in stride(from: channel, to: samples.count, by: channels) {
        let level = UInt8((Int(samples[place]) * Int(levels) + 127) / 255)
        if run.count > 0, run.count == .max || run.level != level {
          file += [run.count, run.level]
          run.count = 0
        }
        run = (level, run.count + 1)
      }
      file += [run.count, run.level]
    }
    return file
  }

  func decode(_ bytes: [UInt8]) throws(CodecError) -> RasterImage {
    let head = 14
    guard bytes.count > head, bytes.starts(with: Self.signature),
      Self.layouts.indices.contains(Int(bytes[4])),
      bytes[5] > 0
    else { throw .malformed("not a file of run lengths") }
    let numbers = (0..<4).map { Int(bytes[6 + 2 * $0]) << 8 | Int(bytes[7 + 2 * $0]) }
    let (layout, levels) = (Self.layouts[Int(bytes[4])], Int(bytes[5]))
    let start = head + numbers[2] << 16 + numbers[3]
    let (pixels, channels) = (numbers[0] * numbers[1], layout.channels)
    // A run has at most 255 samples, so that a short file cannot claim a large picture.
    guard start <= bytes.count, pixels > 0, pixels * channels <= (bytes.count - start) / 2 * 255 else {
      throw .malformed("the file ends too early")
    }
    var samples = [UInt8](repeating: 0, count: pixels * channels)
    var place = 0
    for index in stride(from: start, to: bytes.count - 1, by: 2) {
      let value = UInt8(min(Int(bytes[index + 1]) * 255 / levels, 255))
      for _ in 0..<bytes[index] where place < samples.count {
        samples[place % pixels * channels + place / pixels] = value
        place += 1
      }
    }
    let profile = Array(bytes[head..<start])
    guard place == samples.count,
      let image = RasterImage(
        width: numbers[0], height: numbers[1], layout: layout,
        profile: profile.isEmpty ? .sRGB : .icc(profile), bytes: samples)
    else { throw .malformed("the file ends too early") }
    return image
  }
}

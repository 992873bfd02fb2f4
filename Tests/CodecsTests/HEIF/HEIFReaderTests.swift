import CodecKit
import Model
import Pixels
import TestSupport
import Testing

@testable import Codecs

struct HEIFReaderTests {
  let reader = HEIFReader()

  @Test func recognisesBrandsAndNothingElse() {
    func ftyp(_ text: String) -> [UInt8] { [0, 0, 0, UInt8(text.utf8.count + 4)] + Array(text.utf8) }
    #expect(reader.recognises(ftyp("ftypheic\u{0}\u{0}\u{0}\u{0}mif1")))
    #expect(reader.recognises(ftyp("ftypABCD\u{0}\u{0}\u{0}\u{0}avif")))
    #expect(!reader.recognises(ftyp("ftypisom\u{0}\u{0}\u{0}\u{0}mp42")))
    #expect(!reader.recognises(ftyp("ftypisom\u{0}\u{0}\u{0}\u{0}mp42") + Array("heic".utf8)))
    #expect(!reader.recognises([]))
    #expect(!reader.recognises(Array("ftypheic".utf8)))
  }

  @Test func boxesThatLibheifMissesAreNoDamage() throws {
    var file = HEIFSyntheticFile.single(width: 64, height: 64).bytes
    // The box is the last one, so size 0 means the same.
    let meta = try #require(file.firstRange(of: Array("meta".utf8)))
    file.replaceSubrange(meta.lowerBound - 4..<meta.lowerBound, with: [0, 0, 0, 0])
    #expect(try reader.header(of: file).width == 64)
    let error = #expect(throws: CodecError.self) { try reader.read(file, limits: ReadLimits()) }
    // libheif 1.16 and later find it, but miss the coded image.
    guard LoadedHEIF.versionNumber < 0x0110_0000 else {
      #expect(error != nil)
      return
    }
    guard case .unsupported(let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains("needs a newer libheif"))
    let whole = HEIFSyntheticFile.single(width: 64, height: 64).bytes
    let cut = #expect(throws: CodecError.self) {
      try reader.read(Array(whole.dropLast(60)), limits: ReadLimits())
    }
    guard case .malformed = cut else {
      Issue.record("\(String(describing: cut))")
      return
    }
  }

  @Test func readsWhatTheCodecsWrite() throws {
    let image = try #require(SyntheticImage.waves(width: 101, height: 70, layout: .rgba))
    for codec in [HEICCodec(), AVIFCodec()] as [any ImageCodec] {
      let bytes = try codec.encode(image, settings(of: codec, native: 90))
      let header = try reader.header(of: bytes)
      #expect(header.format == codec.traits.id)
      #expect((header.width, header.height, header.layout) == (101, 70, .rgba))
      let source = try reader.read(bytes, limits: ReadLimits())
      #expect(source.image.format == image.format)
      #expect(source.orientation == .up)
      #expect(try source.image.samples == codec.decode(bytes).samples)
    }
  }

  @Test func keepsToThePixelLimit() throws {
    let image = try #require(SyntheticImage.waves(width: 101, height: 70))
    let bytes = try HEICCodec().encode(image, settings(of: HEICCodec(), native: 50))
    // The coded size counts, and newer versions of libheif code an even number of columns and crop them.
    let columns = isLibheif115 ? 101 : 102
    #expect(throws: CodecError.limitExceeded("\(columns)×70 is over the limit of 7069 pixels")) {
      try reader.read(bytes, limits: ReadLimits(maximumPixels: 7069))
    }
  }
}

/// Other people's files, read in place.
@Suite(.enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.reason)))
struct HEIFReaderSharedTests {
  let reader = HEIFReader()

  /// File, columns, rows, depth and channels, as heif-info and avifdec print them.
  static let readable: [(file: String, header: ImageHeader)] =
    [
      ("heif/C001.heic", heic(1280, 720)), ("heif/C003.heic", heic(1280, 720)),
      ("heif/C007.heic", heic(2560, 1440)), ("heif/C012.heic", heic(1280, 720)),
      ("heif/C016.heic", heic(1280, 720)), ("heif/C020.heic", heic(640, 360)),
      ("heif/C040.heic", heic(1024, 576)), ("heif/MIAF001.heic", heic(1280, 720)),
      ("heif/MIAF003.heic", heic(2048, 2048)), ("device/IMG_2927.HEIC", heic(3024, 4032)),
      ("device/Issue_437_dotnet.heic", heic(4000, 1848)), ("device/L_xmp_latin1.heic", heic(16, 16, .gray)),
      ("device/arrow.heic", heic(3024, 4032)), ("device/cheers_1440x960.heic", heic(1440, 960)),
      ("device/samplefilehub.heif", heic(640, 426)),
      ("avif/abc_color_irot_alpha_NOirot.avif", avif(256, 512, .rgba)),
      ("avif/avif-orientation-6.avif", avif(3024, 4032)),
      ("avif/colors_sdr_srgb.avif", avif(200, 200)),
      ("avif/colors_text_sdr_srgb.avif", avif(200, 200)),
      ("avif/colors_text_wcg_sdr_rec2020.avif", avif(200, 200)),
      ("avif/kodim23_yuv420_8bpc.avif", avif(768, 512)),
    ] + (isLibheif115 ? [sharedTile] : [])

  /// A grid whose gray and colour parts share a tile, which newer versions of libheif refuse.
  private static let sharedTile = (
    file: "avif/color_grid_alpha_grid_tile_shared_in_dimg.avif", header: avif(80, 80, .rgba)
  )

  private static func heic(_ width: Int, _ height: Int, _ layout: ChannelLayout = .rgb) -> ImageHeader {
    ImageHeader(format: "heic", width: width, height: height, bitDepth: 8, layout: layout, isLossy: true)
  }

  private static func avif(
    _ width: Int, _ height: Int, _ layout: ChannelLayout = .rgb, _ bitDepth: Int = 8
  ) -> ImageHeader {
    ImageHeader(
      format: "avif", width: width, height: height, bitDepth: bitDepth, layout: layout, isLossy: true)
  }

  @Test(arguments: readable)
  func reads(file: String, expected: ImageHeader) throws {
    let bytes = try SharedFolder.bytes("inputs/\(file)")
    #expect(reader.recognises(bytes))
    #expect(try reader.header(of: bytes) == expected)
    let image = try reader.read(bytes, limits: ReadLimits()).image
    #expect((image.width, image.height) == (expected.width, expected.height))
    #expect(image.format == PixelFormat(layout: expected.layout, bitDepth: expected.bitDepth))
  }

  @Test(arguments: ["heif/C026.heic", "heif/C032.heic"])
  func namesSequencesWithoutAStillImage(file: String) throws {
    let bytes = try SharedFolder.bytes("inputs/\(file)")
    #expect(reader.recognises(bytes))
    #expect(throws: CodecError.unsupported("an image sequence without a still image")) {
      try reader.header(of: bytes)
    }
  }

  @Test(arguments: [
    ("color_grid_gainmap_different_grid", 2), ("colors_hdr_rec2020", 9), ("colors_text_hdr_rec2020", 9),
    ("cosmos1650_yuv444_10bpc_p3pq", 12),
  ])
  func refusesPQ(file: String, primaries: Int) throws {
    let bytes = try SharedFolder.bytes("inputs/avif/\(file).avif")
    let expected = CodecError.highDynamicRange(CodePoints(primaries: primaries, transfer: 16))
    #expect(throws: expected) { try reader.header(of: bytes) }
    #expect(throws: expected) { try reader.read(bytes, limits: ReadLimits()) }
  }

  @Test func turnsWidePrimariesIntoProfiles() throws {
    let bytes = try SharedFolder.bytes("inputs/avif/colors_text_wcg_sdr_rec2020.avif")
    let image = try reader.read(bytes, limits: ReadLimits()).image
    #expect(image.profile.needsEmbedding)
  }

  /// Headers alone: no C code runs here.
  @Test func survivesHostileHeaders() throws {
    let names = (0..<20).map { "mutated-\($0 < 10 ? "0" : "")\($0).heic" } + ["truncated.heic", "empty.heic"]
    for name in names {
      let bytes = try SharedFolder.bytes("hostile/\(name)")
      do throws(CodecError) {
        let header = try reader.header(of: bytes)
        #expect(header.width > 0 && header.height > 0, "\(name)")
      } catch {
        #expect(!"\(error)".isEmpty, "\(name)")
      }
    }
  }
}

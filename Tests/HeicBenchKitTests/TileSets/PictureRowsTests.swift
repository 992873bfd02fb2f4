import CodecKit
import Codecs
import Foundation
import Model
import Pixels
import TestSupport
import Testing

@testable import HeicBenchKit
@testable import Workers

/// Which pictures are decoded row by row instead of as a whole.
struct PictureRowsTests {
  /// Rows of a picture in memory, as a file would give them.
  private final class Rows: RowReader {
    let header: ImageHeader
    let layout: RowLayout
    let remarks = ["repaired"]
    private let image: RasterImage
    private var next = 0

    init(_ image: RasterImage, _ orientation: Orientation = .up) {
      self.image = image
      header = ImageHeader(
        format: "test", width: image.width, height: image.height, bitDepth: image.format.bitDepth,
        layout: image.format.layout, isLossy: false)
      layout = RowLayout(
        width: image.width, height: image.height, format: image.format, profile: image.profile,
        orientation: orientation, notes: [])
    }

    func next(_ count: Int) throws(CodecError) -> RasterImage {
      guard next + count <= image.height else { throw .malformed("cut") }
      next += count
      return image.rows(next - count..<next)
    }
  }

  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/file"
    try ScratchFile.write([1, 2, 3], to: path)
  }

  private func rows(_ reader: Rows, downscale: Int = 1) throws -> PictureRows? {
    let file = try FileMapping(try FileSystem.open(Array(path.utf8)))
    return PictureRows(reader, of: file, setup: setup(downscale: downscale))
  }

  private func setup(downscale: Int = 1) -> WorkerSetup {
    WorkerSetup(
      preparation: Preparation(downscale: downscale), limits: ReadLimits(), metrics: [])
  }

  @Test func rowsAreThoseOfThePreparedPicture() throws {
    let image = try #require(SyntheticImage.waves(width: 20, height: 30, bitDepth: 16))
    let prepared = try Preprocessor(Preparation()).prepare(SourceImage(image: image)).image
    var rows = try #require(try rows(Rows(image)))
    #expect(rows.format == prepared.format)
    #expect(throws: Failure.self) { try rows.whole() }
    for y in stride(from: 0, to: 30, by: 12) {
      #expect(try rows.take(12) == prepared.rows(y..<min(y + 12, 30)))
    }
    #expect(throws: Failure.self) { try rows.take(1) }
  }

  @Test func repairsAreToldWithTheLastRows() throws {
    let image = try #require(SyntheticImage.waves(width: 20, height: 30))
    var rows = try #require(try rows(Rows(image)))
    _ = try rows.take(20)
    #expect(rows.remarks.isEmpty)
    _ = try rows.take(10)
    #expect(rows.remarks == ["repaired"])
  }

  /// A picture that is read row by row has the same steps as one that is read as a whole.
  @Test func roundedSamplesAreAStepOfTheRows() throws {
    let image = try #require(SyntheticImage.waves(width: 20, height: 30, bitDepth: 16))
    let file = try PNGWriter().write(image)
    try ScratchFile.write(file, to: path)
    let request = ImageFile(
      path: Array(path.utf8), identity: ImageIdentity(name: "file", contentHash: ""), fileBytes: file.count,
      header: nil)
    let byRows = try OpenImage.openRows(request, setup: setup(), registry: .standard)
    #expect(throws: Failure.self) { try byRows.rows.whole() }
    let whole = try OpenImage.open(request, setup: setup(), registry: .standard)
    #expect(byRows.record.steps == whole.record.steps && whole.record.steps == ["16 bits rounded to 8"])
  }

  @Test func whatNeedsAllPixelsIsNotTakenByRows() throws {
    let image = try #require(SyntheticImage.waves(width: 20, height: 30))
    let clear = try #require(SyntheticImage.waves(width: 20, height: 30, layout: .rgba))
    #expect(try rows(Rows(image, .right)) == nil)
    #expect(try rows(Rows(clear)) == nil)
    #expect(try rows(Rows(image), downscale: 2) == nil)
    #expect(try rows(Rows(image)) != nil)
  }

  /// If the file has changed by the time it is decoded, the result does not belong to the picture.
  @Test func aFileThatChangedIsSeenAtItsEnd() throws {
    let image = try #require(SyntheticImage.waves(width: 20, height: 30))
    var rows = try #require(try rows(Rows(image)))
    #expect(try rows.take(20).height == 20)
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.write(contentsOf: [9, 9, 9, 9])
    try file.close()
    #expect(throws: OpenImage.changed) { try rows.take(10) }
  }
}

import CodecKit
import Model
import Pixels
import TestSupport
import Testing

@testable import Workers

/// Which pictures need not be decoded as a whole.
struct PictureRowsTests {
  /// Rows of a picture in memory, as a file would give them.
  private final class Rows: RowReader {
    let layout: RowLayout
    private let image: RasterImage
    private var next = 0

    init(_ image: RasterImage, _ orientation: Orientation = .up) {
      self.image = image
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

  private func setup(downscale: Int = 1) -> WorkerSetup {
    WorkerSetup(
      preparation: Preparation(downscale: downscale), limits: ReadLimits(), metrics: [])
  }

  @Test func rowsAreThoseOfThePreparedPicture() throws {
    let image = try #require(SyntheticImage.waves(width: 20, height: 30, bitDepth: 16))
    let prepared = try Preprocessor(Preparation()).prepare(SourceImage(image: image)).image
    var rows = try #require(PictureRows(Rows(image), setup: setup()))
    #expect(rows.format == prepared.format && rows.image == nil)
    for y in stride(from: 0, to: 30, by: 12) {
      #expect(try rows.take(12) == prepared.rows(y..<min(y + 12, 30)))
    }
    #expect(throws: PointProblem.self) { try rows.take(1) }
  }

  @Test func whatNeedsAllPixelsIsNotTakenByRows() throws {
    let image = try #require(SyntheticImage.waves(width: 20, height: 30))
    let clear = try #require(SyntheticImage.waves(width: 20, height: 30, layout: .rgba))
    #expect(PictureRows(Rows(image, .right), setup: setup()) == nil)
    #expect(PictureRows(Rows(clear), setup: setup()) == nil)
    #expect(PictureRows(Rows(image), setup: setup(downscale: 2)) == nil)
    #expect(PictureRows(Rows(image), setup: setup()) != nil)
  }
}

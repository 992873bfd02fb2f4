import Model
import Testing

@testable import Analysis
@testable import Reports

@Suite struct ComparisonPictureTests {
  @Test("it shows an image with points near the score on both sides, and bars of the answer")
  func content() throws {
    let sweep = SampleRows(images: 8, qualities: 50, share: { 0.6 + 0.02 * Double($0) })
    let analysis = try sweep.analysis()
    let picture = try #require(ComparisonPicture(analysis, among: (0..<8).map { "image\($0).png" }))
    #expect(picture.title == Wording(analysis).answers.first?.sentence)
    #expect(picture.sides.map(\.variant) == sweep.variants)
    for side in picture.sides {
      let detail = try #require(analysis.imageDetails.first { $0.image == picture.image })
      let points = detail.variants.first { $0.variant == side.variant }?.points ?? []
      // The reference is looked for at the score of the other one, which stays with a point whose file is kept.
      #expect(side.known.count == (side.variant == analysis.reference ? points.count : 1))
      let point = try #require(points.first { $0.quality == side.shown.quality })
      #expect(abs(try #require(point.score) - 70) <= 1)
      let lines = picture.lines(side)
      #expect(lines[0].hasSuffix("\(Numerals.grouped(point.bytes)) bytes"))
      #expect(lines[1].hasPrefix("SSIMULACRA2 "))
    }
    #expect(picture.score == picture.sides[1].shown.score)
    let figure = try #require(analysis.verdicts[0].bytes)
    #expect(picture.bars.map(\.value) == [100, 100 + figure.mean])
    // The image is the one nearest to the mean, and only of those that were asked for.
    #expect(ComparisonPicture(analysis, among: ["image0.png"])?.image == "image0.png")
    #expect(ComparisonPicture(analysis, among: []) == nil)
  }

  @Test("without points near the score there is none, nor without an answer")
  func nothing() throws {
    let names = (0..<8).map { "image\($0).png" }
    // Scores are 24 apart.
    #expect(ComparisonPicture(try SampleRows(images: 8, qualities: 3).analysis(), among: names) == nil)
    var single = SampleRows(images: 8)
    single.variants = [CodecVariant(codec: "jpeg")]
    #expect(ComparisonPicture(try single.analysis(), among: names) == nil)
  }
}

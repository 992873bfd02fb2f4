import Model
import Pixels
import Testing

@Suite struct ImageRecordTests {
  private func record(_ width: Int?, _ height: Int?) -> ImageRecord {
    ImageRecord(
      identity: ImageIdentity(name: "a", contentHash: ""), preparation: "", fileBytes: 1,
      preparedWidth: width, preparedHeight: height, preparedFormat: PixelFormat(layout: .rgb, bitDepth: 16))
  }

  @Test func sizesAreProductsWhereNumbersHoldThem() {
    #expect(record(5, 4).preparedPixels == 20)
    #expect(record(5, 4).rawBytes == 120)
    #expect(record(nil, 4).preparedPixels == nil)
    #expect(record(.max, 2).preparedPixels == nil)
    #expect(record(.max / 2, 1).preparedPixels == .max / 2)
    #expect(record(.max / 2, 1).rawBytes == nil)
  }
}

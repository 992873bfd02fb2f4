import Pixels
import Testing

@Suite struct IndexedPictureTests {
  @Test("Indexes select their colours, and those out of range the last one") func colours()
    throws
  {
    let picture = try #require(
      IndexedPicture(width: 3, height: 1, palette: [1, 2, 3, 4, 5, 6], indices: [1, 0, 200]))
    #expect(picture.raster?.samples == .bytes([4, 5, 6, 1, 2, 3, 4, 5, 6]))
    #expect(picture.raster?.format.layout == .rgb)
  }

  @Test("Wrong numbers of pixels or colours are refused") func sizes() {
    #expect(IndexedPicture(width: 2, height: 2, palette: [0, 0, 0], indices: [0, 0, 0]) == nil)
    #expect(IndexedPicture(width: 0, height: 0, palette: [0, 0, 0], indices: []) == nil)
    #expect(IndexedPicture(width: 1, height: 1, palette: [], indices: [0]) == nil)
    #expect(IndexedPicture(width: 1, height: 1, palette: [0, 0], indices: [0]) == nil)
    for (colours, fits) in [(256, true), (257, false)] {
      let palette = [UInt8](repeating: 0, count: 3 * colours)
      #expect((IndexedPicture(width: 1, height: 1, palette: palette, indices: [255]) != nil) == fits)
    }
  }
}

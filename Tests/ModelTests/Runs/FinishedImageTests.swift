import Model
import TestSupport
import Testing

/// The finished points of an image.
struct FinishedImageTests {
  private let image = ImageIdentity(name: "a.png", contentHash: "1")

  private func key(
    _ variant: CodecVariant, _ quality: Int, libraries: String = "lib 1", image: ImageIdentity? = nil,
    preparation: String = "plain"
  ) throws -> Case {
    Case(
      image: image ?? self.image, preparation: preparation, variant: variant,
      quality: try #require(Quality(thousandths: quality)), libraries: libraries)
  }

  @Test func pointsAreFoundUnderAllThatTheyAreFiledUnder() throws {
    let (jpeg, heic) = (
      CodecVariant(codec: "jpeg"), CodecVariant(codec: "heic", settings: ["preset": "fast"])
    )
    let other = ImageIdentity(name: "a.png", contentHash: "2")
    let keys = [
      try key(jpeg, 500), try key(jpeg, 600), try key(jpeg, 500, libraries: "lib 2"), try key(heic, 500),
    ]
    let strangers = [try key(jpeg, 700, image: other), try key(jpeg, 700, preparation: "small")]
    let finished = FinishedImage(
      image: image, preparation: "plain",
      among: Dictionary(
        uniqueKeysWithValues: (keys + strangers).enumerated().map { ($1, FinishedPoint(bytes: $0)) }))
    #expect(Set(finished.keys) == Set(keys) && finished.count == keys.count && finished.setups.count == 3)
    for (bytes, key) in keys.enumerated() { #expect(finished[key]?.bytes == bytes) }
    for key in strangers { #expect(finished[key] == nil) }
    #expect(finished[try key(CodecVariant(codec: "heic"), 500)] == nil)
    let left = finished.filter { setup, quality, _ in setup.variant == jpeg && quality.thousandths == 500 }
    #expect(Set(left.keys) == [keys[0], keys[2]])
    #expect(left.filter { _, _, _ in false }.isEmpty)
  }
}

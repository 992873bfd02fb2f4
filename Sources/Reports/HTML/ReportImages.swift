/// The pictures of one image that a report shows: addresses of PNG files relative to the page, or data URLs.
package struct ReportImage: Sendable, Hashable, Codable {
  /// The image's printable name.
  package var name: String
  /// The pixels that went into every codec.
  package var reference: String
  /// A small version for the row of thumbnails.
  package var thumbnail: String
  /// Decoded pixels by variant name and then by the spelling of the quality.
  package var pictures: [String: [String: String]]
  /// Error maps by variant name and quality.
  package var maps: [String: [String: String]]

  /// Lists an image's pictures.
  package init(
    name: String, reference: String, thumbnail: String, pictures: [String: [String: String]] = [:],
    maps: [String: [String: String]] = [:]
  ) {
    self.name = name
    self.reference = reference
    self.thumbnail = thumbnail
    self.pictures = pictures
    self.maps = maps
  }
}

/// The pictures of one image in a report: addresses of PNG files relative to the page, or data URLs.
package struct ReportImage: Sendable, Hashable, Codable {
  /// The image's printable name.
  package var name: String
  /// The pixels given to every codec.
  package var reference: String
  package var thumbnail: String
  /// Decoded pixels by variant name, then by the spelling of the quality.
  package var pictures: [String: [String: String]]
  /// Error maps by variant name and quality.
  package var maps: [String: [String: String]]

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

/// What an image file says about how it was made. Nothing is guessed, but the file's claims need not be true.
package struct FileMaking: Sendable, Hashable, Codable {
  /// The program named in the metadata: Exif's Software, or PNG or JPEG text.
  package var software: String?
  package var camera: String?
  /// The colour profile's own name; nil without a profile, even for a file marked as sRGB.
  package var profile: String?

  package init() {}

  /// All fields on one line; empty if the file has none.
  package var summary: String {
    let who = [camera, software == camera ? nil : software]
    return (who + [profile.map { "profile \($0)" }]).compactMap(\.self).joined(separator: ", ")
  }
}

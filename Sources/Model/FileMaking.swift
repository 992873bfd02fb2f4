/// Information in an image file on how it was made. Nothing is guessed, but a file's own claims need not be true.
package struct FileMaking: Sendable, Hashable, Codable {
  /// The program named in the metadata: Exif's Software, or PNG or JPEG text.
  package var software: String?
  /// Camera or phone, maker and model.
  package var camera: String?
  /// The encoder named by its own message in the bitstream: `x265 3.5`.
  package var encoder: String?
  /// The coding: `HEVC Main Still Picture`, `JPEG baseline`.
  package var coding: String?
  /// Chroma sampling: `4:2:0`, `4:0:0`.
  package var chroma: String?
  /// Bits per sample as coded.
  package var bitDepth: Int?
  /// The colour profile's own name; nil without a profile, also for a file marked as sRGB.
  package var profile: String?
  /// The division into independently coded parts: `8×6 tiles of 512×512`; nil for one part.
  package var tiles: String?

  package init() {}

  /// All fields on one line; empty if the file gives none.
  package var summary: String {
    let makers = [camera, software, encoder].compactMap(\.self)
    var seen: Set<String> = []
    let who = makers.filter { !$0.isEmpty && seen.insert($0).inserted }
    let how = [coding, chroma, bitDepth.map { "\($0) bits" }, profile.map { "profile \($0)" }, tiles]
      .compactMap(\.self)
    return (who + how).joined(separator: ", ")
  }
}

/// What an image file tells of how it was made, as far as it does: nothing in here is a guess, and what a file says of
/// itself need not be true.
package struct FileMaking: Sendable, Hashable, Codable {
  /// The program that wrote it, as its metadata say: Exif's Software, PNG's or JPEG's own text.
  package var software: String?
  /// The camera or phone, maker and model.
  package var camera: String?
  /// The encoder, as its own message in the coded picture says: `x265 3.5`.
  package var encoder: String?
  /// The coding: `HEVC Main Still Picture`, `JPEG baseline`.
  package var coding: String?
  /// The chroma sampling: `4:2:0`, `4:0:0`.
  package var chroma: String?
  /// Bits per sample as coded.
  package var bitDepth: Int?
  /// The colour profile, by the name that it gives itself; nil where there is none, or the file says sRGB without one.
  package var profile: String?
  /// How the picture is cut into parts that are coded by themselves: `8×6 tiles of 512×512`; nil for one part.
  package var tiles: String?

  /// Says nothing.
  package init() {}

  /// All of it in a line; empty where the file tells nothing.
  package var summary: String {
    let makers = [camera, software, encoder].compactMap(\.self)
    var seen: Set<String> = []
    let who = makers.filter { !$0.isEmpty && seen.insert($0).inserted }
    let how = [coding, chroma, bitDepth.map { "\($0) bits" }, profile.map { "profile \($0)" }, tiles]
      .compactMap(\.self)
    return (who + how).joined(separator: ", ")
  }
}

/// The contents of an image file other than the picture's samples, by kind: the parts that a conversion may lose.
package struct FileContents: Sendable, Hashable, Codable {
  /// A kind of content, in the order of reports.
  package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Exif metadata (CIPA DC-008) without the thumbnail.
    case exif
    /// XMP metadata (ISO 16684-1), extended XMP included.
    case xmp
    /// IPTC metadata, in JPEG within Photoshop's resources (APP13).
    case iptc
    case icc
    /// The thumbnail in the Exif metadata, which is kept or dropped with them.
    case exifThumbnail = "exif-thumbnail"
    /// Other small versions of the picture: items of a HEIF file, previews of a multi-picture file.
    case thumbnail
    case depth
    /// A gain map for HDR displays (ISO 21496-1, Ultra HDR, Apple's).
    case gainMap = "gain-map"
    /// Another auxiliary image: a skin, hair or sky matte, a linear or style map.
    case auxiliary
    /// Transparency stored as a separate image.
    case alpha
    /// Further pictures: a burst, a collection, the views of a multi-picture file.
    case pictures
    /// An image sequence or video: an animation, the moving part of a motion photo.
    case sequence
    /// More than 8 bits per sample; takes no bytes of its own.
    case deepSamples = "deep-samples"
    /// Text outside Exif, XMP and IPTC.
    case comment
    /// Anything else: a maker's own segments, data after the end of the picture.
    case other
  }

  package struct Share: Sendable, Hashable, Codable {
    package var count: Int
    /// Bytes as stored.
    package var bytes: Int

    package init(count: Int, bytes: Int) { (self.count, self.bytes) = (count, bytes) }
  }

  package private(set) var shares: [Kind: Share] = [:]
  package var making = FileMaking()

  package init() {}

  /// Adds items of a kind; with a count of 0, more bytes of a known one. Only deep samples may have no bytes.
  package mutating func add(_ kind: Kind, bytes: Int, count: Int = 1) {
    guard count >= 0, bytes > 0 || kind == .deepSamples else { return }
    let known = shares[kind] ?? Share(count: 0, bytes: 0)
    // Sizes come from the file and may add up to anything.
    let (sum, overflow) = known.bytes.addingReportingOverflow(bytes)
    shares[kind] = Share(count: known.count + count, bytes: overflow ? .max : sum)
  }

  package func bytes(of kind: Kind) -> Int { shares[kind]?.bytes ?? 0 }

  /// Bytes of everything but the picture and its transparency: profile, metadata, previews, further pictures.
  package var bytesBesidePicture: Int {
    shares.reduce(0) { sum, share in
      let (more, overflow) = sum.addingReportingOverflow(share.key == .alpha ? 0 : share.value.bytes)
      return overflow ? .max : more
    }
  }
}

/// What an image file holds beside its picture's samples, by kind: what a conversion may lose.
package struct FileContents: Sendable, Hashable, Codable {
  /// A kind of content. The order is that of reports.
  package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Exif metadata (CIPA DC-008), the thumbnail in them left out.
    case exif
    /// XMP metadata (ISO 16684-1), extended XMP included.
    case xmp
    /// IPTC metadata, in JPEG within Photoshop's resources (APP13).
    case iptc
    /// An ICC profile.
    case icc
    /// The thumbnail in the Exif metadata, which stays and goes with them.
    case exifThumbnail = "exif-thumbnail"
    /// Other small versions of the picture: items of a HEIF file, previews of a multi-picture file.
    case thumbnail
    /// A depth or disparity map of the picture.
    case depth
    /// What makes the picture HDR on displays that can show more: a gain map (ISO 21496-1, Ultra HDR, Apple's).
    case gainMap = "gain-map"
    /// Another auxiliary image: a matte of skin, hair or sky, a linear or style map.
    case auxiliary
    /// The picture's transparency, where it is an image of its own.
    case alpha
    /// Further pictures: a burst, a collection, the views of a multi-picture file.
    case pictures
    /// A sequence of images or a video: an animation, the moving part of a motion photo.
    case sequence
    /// More than 8 bits per sample. Has no bytes of its own.
    case deepSamples = "deep-samples"
    /// Text that is no Exif, XMP or IPTC.
    case comment
    /// Whatever else is there: a maker's own segments, data behind the picture's end.
    case other
  }

  /// What is there of a kind.
  package struct Share: Sendable, Hashable, Codable {
    /// How many there are.
    package var count: Int
    /// Their bytes, as they are stored.
    package var bytes: Int

    /// States how much there is.
    package init(count: Int, bytes: Int) { (self.count, self.bytes) = (count, bytes) }
  }

  /// What was found.
  package private(set) var shares: [Kind: Share] = [:]

  /// Nothing beside the picture.
  package init() {}

  /// Notes things of a kind, or with a count of 0 more bytes of one that is known. What has no bytes is not there, deep
  /// samples apart.
  package mutating func add(_ kind: Kind, bytes: Int, count: Int = 1) {
    guard count >= 0, bytes > 0 || kind == .deepSamples else { return }
    let known = shares[kind] ?? Share(count: 0, bytes: 0)
    // Sizes come from the file and may add up to anything.
    let (sum, overflow) = known.bytes.addingReportingOverflow(bytes)
    shares[kind] = Share(count: known.count + count, bytes: overflow ? .max : sum)
  }

  /// Bytes of a kind; 0 where there are none.
  package func bytes(of kind: Kind) -> Int { shares[kind]?.bytes ?? 0 }

  /// Bytes of all that is neither the picture nor its transparency: profile, metadata, previews, further pictures.
  package var bytesBesidePicture: Int {
    shares.reduce(0) { sum, share in
      let (more, overflow) = sum.addingReportingOverflow(share.key == .alpha ? 0 : share.value.bytes)
      return overflow ? .max : more
    }
  }

  /// Takes all that another part of the file holds.
  package mutating func add(_ other: FileContents) {
    for (kind, share) in other.shares { add(kind, bytes: share.bytes, count: share.count) }
  }
}

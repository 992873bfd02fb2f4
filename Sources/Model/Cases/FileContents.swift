import Pixels

/// The contents of an image file other than the picture's samples, by kind: the parts that a conversion can lose.
package struct FileContents: Sendable, Hashable, Codable {
  /// A kind of content, in the order of reports.
  package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Exif metadata (CIPA DC-008) without the thumbnail.
    case exif
    /// The first packet of XMP metadata (ISO 16684-1).
    case xmp
    /// Packets after the first, including extended XMP: programs that copy XMP copy only the first packet.
    case furtherXMP = "further-xmp"
    /// Exif and XMP written out as text, as ImageMagick does in PNG.
    case textMetadata = "text-metadata"
    /// IPTC metadata, which JPEG stores within Photoshop's resources (APP13).
    case iptc
    case icc
    /// The thumbnail in the Exif metadata, which is kept or dropped with the metadata.
    case exifThumbnail = "exif-thumbnail"
    /// Other small versions of the picture: items of a HEIF file, previews of a multi-picture file.
    case thumbnail
    case depth
    /// A gain map for HDR displays (ISO 21496-1, Ultra HDR, Apple's).
    case gainMap = "gain-map"
    /// Another auxiliary image: a skin, hair or sky matte, a linear or style map.
    case auxiliary
    /// Transparency, which has its own bytes if it is a separate image.
    case alpha
    /// Further pictures: a burst, a collection, the views of a multi-picture file.
    case pictures
    /// An image sequence or video: an animation, the moving part of a motion photo.
    case sequence
    /// More than 8 bits per sample, which has no bytes of its own.
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
    /// Bytes of the content itself, without compression or text encoding, as other files would store it.
    package var plainBytes: Int

    package init(count: Int, bytes: Int, plainBytes: Int? = nil) {
      (self.count, self.bytes, self.plainBytes) = (count, bytes, plainBytes ?? bytes)
    }
  }

  package private(set) var shares: [Kind: Share] = [:]
  package var making = FileMaking()

  package init() {}

  /// Adds items of a kind; a count of 0 adds bytes to a known item. Only deep samples and transparency may have no
  /// bytes.
  /// - Parameter plain: Bytes of the content itself, if it is stored in another form.
  package mutating func add(_ kind: Kind, bytes: Int, count: Int = 1, plain: Int? = nil) {
    guard count >= 0, bytes > 0 || kind == .deepSamples || kind == .alpha else { return }
    let known = shares[kind] ?? Share(count: 0, bytes: 0)
    // Sizes come from the file, so their sum may overflow.
    shares[kind] = Share(
      count: known.count +| count, bytes: known.bytes +| bytes,
      plainBytes: known.plainBytes +| (plain ?? bytes))
  }

  /// Adds a packet of XMP; packets after the first belong to another kind.
  package mutating func addXMP(bytes: Int, plain: Int? = nil) {
    add(shares[.xmp] == nil ? .xmp : .furtherXMP, bytes: bytes, plain: plain)
  }

  package func plainBytes(of kind: Kind) -> Int { shares[kind]?.plainBytes ?? 0 }

  package func bytes(of kind: Kind) -> Int { shares[kind]?.bytes ?? 0 }

  /// Bytes of everything but the picture and its transparency: profile, metadata, previews, further pictures.
  package var bytesBesidePicture: Int {
    shares.reduce(0) { $0 +| ($1.key == .alpha ? 0 : $1.value.bytes) }
  }
}

/// The key of a measurement: everything that its figures depend on.
package struct Case: Sendable, Hashable, Codable {
  package var image: ImageIdentity
  /// `Preparation.canonicalSpelling`; empty for a source file read as it is.
  package var preparation: String
  /// Codec, settings and build. A source file has its format instead, and a file from another encoder the name of its
  /// series.
  package var variant: CodecVariant
  /// Nil for files that heicbench did not encode, and for qualities still to be found by a search.
  package var encodedAt: Quality?
  package var way: Way
  /// The versions of all libraries involved, joined by `canonicalSpelling`; empty if unknown.
  package var libraries: String

  package init(
    image: ImageIdentity, preparation: String, variant: CodecVariant, encodedAt: Quality?, way: Way,
    libraries: String
  ) {
    (self.image, self.preparation, self.variant) = (image, preparation, variant)
    (self.encodedAt, self.way, self.libraries) = (encodedAt, way, libraries)
  }

  package init(
    image: ImageIdentity, preparation: String, variant: CodecVariant, quality: Quality, way: Way = .point,
    libraries: String
  ) {
    self.init(
      image: image, preparation: preparation, variant: variant, encodedAt: quality, way: way,
      libraries: libraries)
  }

  /// The quality of an encode; the lowest for other files.
  package var quality: Quality { encodedAt ?? 0.0 }

  package var build: String? { variant.build }

  /// Hashes only the parts that distinguish the points of a run: hashing everything would take longer than the rest of
  /// a lookup.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(image.name)
    hasher.combine(quality)
    hasher.combine(variant.codec)
    hasher.combine(variant.settings.count)
    if way != .point { hasher.combine(way) }
  }
}

package struct CaseRecord: Sendable, Hashable, Codable {
  package var key: Case
  package var outcome: Outcome<Figures>
  package var origin: PointOrigin
  /// The machine of the times; nil if unknown, and for points still to be written, which get their run's.
  package var timesOrigin: TimesOrigin?
  /// The source's header; nil if it is unknown or kept elsewhere.
  package var header: ImageHeader?
  /// SHA-256 of a file from another encoder.
  package var fileHash: String?

  package init(
    key: Case, outcome: Outcome<Figures>, origin: PointOrigin = .grid, timesOrigin: TimesOrigin? = nil,
    header: ImageHeader? = nil, fileHash: String? = nil
  ) {
    (self.key, self.outcome, self.origin) = (key, outcome, origin)
    (self.timesOrigin, self.header, self.fileHash) = (timesOrigin, header, fileHash)
  }

  package var figures: Figures? { outcome.value }
}

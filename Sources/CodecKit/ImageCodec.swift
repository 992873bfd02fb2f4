package import Model
package import Pixels

/// What a codec is, before it does anything.
package struct CodecTraits: Sendable {
  /// The identifier that `--codec` takes: `heic`.
  package var id: String
  /// File extension of what it writes, without the dot.
  package var fileExtension: String
  /// The codec's own quality scale.
  package var nativeQuality: ClosedRange<Int>
  /// Whether an encode costs next to nothing beside the decode and the scores that follow it.
  package var isFast: Bool
  /// What its defaults come to, for people: `preset slow, 4:2:0`; empty for one without settings that matter.
  package var defaults: String
  /// Kept out of lists for users: codecs for tests and benchmarks of heicbench itself.
  package var isHidden: Bool
  private let findTitle: @Sendable () -> String
  private let findSettings: @Sendable () -> [SettingSpecification]
  private let findLibraries: @Sendable () -> [LibraryVersion]
  private let findAbsence: @Sendable () -> String?

  /// The name for people, with the library that is mapped: `JPEG (libjpeg-turbo)`.
  package var title: String { findTitle() }
  /// The settings it takes, which may depend on the library's version.
  package var settings: [SettingSpecification] { findSettings() }
  /// Every library it stands on, encoder and decoder, as the libraries report themselves at run time.
  ///
  /// Libraries are asked, and those that are opened at run time opened, when this is read and not before: a
  /// process that never meets JPEG XL need not pay for libjxl's start.
  package var libraries: [LibraryVersion] { findLibraries() }
  /// Why the codec cannot be used here, with what to install; nil where it can. Opens libraries as `libraries`
  /// does.
  package var absence: String? { findAbsence() }

  /// Describes a codec.
  package init(
    id: String, title: @autoclosure @escaping @Sendable () -> String, fileExtension: String,
    libraries: @autoclosure @escaping @Sendable () -> [LibraryVersion],
    nativeQuality: ClosedRange<Int>,
    settings: @autoclosure @escaping @Sendable () -> [SettingSpecification], defaults: String = "",
    isFast: Bool = false, isHidden: Bool = false,
    absence: @autoclosure @escaping @Sendable () -> String? = nil
  ) {
    self.id = id
    self.findTitle = title
    self.fileExtension = fileExtension
    self.findLibraries = libraries
    self.nativeQuality = nativeQuality
    self.findSettings = settings
    self.isFast = isFast
    self.defaults = defaults
    self.isHidden = isHidden
    self.findAbsence = absence
  }
}

/// The rasters that a codec takes under given settings without changing them.
package struct PixelSupport: Sendable, Hashable, Codable {
  /// Whether alpha comes back from a round trip.
  package var alpha: Bool
  /// The deepest samples it takes, in bits.
  package var maximumBitDepth: Int
  /// The longest side in pixels.
  package var maximumSide: Int

  /// Describes what is taken.
  package init(alpha: Bool, maximumBitDepth: Int, maximumSide: Int) {
    self.alpha = alpha
    self.maximumBitDepth = maximumBitDepth
    self.maximumSide = maximumSide
  }
}

/// A variant at one quality: what a single encode is told.
package struct EncodeSettings: Sendable, Hashable {
  /// Codec and canonical settings.
  package var variant: CodecVariant
  /// The quality on the codec's own scale.
  package var nativeQuality: Int
  private let specifications: [String: String]

  /// Resolves a canonical variant at a quality against the codec's traits.
  package init(variant: CodecVariant, quality: Quality, traits: CodecTraits) {
    self.variant = variant
    self.nativeQuality = quality.nativeValue(in: traits.nativeQuality)
    self.specifications = Dictionary(
      traits.settings.map { ($0.key, $0.defaultValue) }, uniquingKeysWith: { first, _ in first })
  }

  /// A setting's value, the codec's default where the variant does not name it; empty for unknown keys.
  package subscript(key: String) -> String { variant.settings[key] ?? specifications[key] ?? "" }

  /// A whole-number setting.
  package func integer(_ key: String) -> Int? { Int(self[key]) }

  /// A flag.
  package func flag(_ key: String) -> Bool { self[key] == "true" }

  /// The settings whose keys begin with `prefix`, the prefix removed, sorted by key.
  package func passedThrough(prefix: String) -> [(key: String, value: String)] {
    variant.settings.filter { $0.key.hasPrefix(prefix) }
      .map { (key: String($0.key.dropFirst(prefix.count)), value: $0.value) }
      .sorted { $0.key < $1.key }
  }
}

/// An encoder with its decoder, stateless: every C object lives inside one call.
///
/// The stopwatch is the caller's: `encode` goes from pixels in memory to the whole file in memory, `decode`
/// back, and neither touches the disk or does work that the other side of the comparison does not do.
package protocol ImageCodec: Sendable {
  /// What the codec is.
  var traits: CodecTraits { get }

  /// What rasters the codec takes under a canonical variant's settings.
  func support(for variant: CodecVariant) -> PixelSupport

  /// Checks what the specifications alone cannot: pass-through keys and combinations.
  func validate(_ variant: CodecVariant) throws(CodecError)

  /// Encodes an image as a complete file. Embeds the image's profile when it needs embedding.
  func encode(_ image: RasterImage, _ settings: EncodeSettings) throws(CodecError) -> [UInt8]

  /// Decodes what `encode` wrote. Gray comes back as gray where the format has it, and alpha as alpha.
  func decode(_ bytes: [UInt8]) throws(CodecError) -> RasterImage

  /// Bytes of a file that `encode` wrote which are not coded picture: container, headers, tables. Nil where the
  /// format is not taken apart.
  func containerBytes(of file: [UInt8]) -> Int?

  /// A file that `encode` wrote, made to show its upper left part alone; its coded bytes stay.
  /// - Throws: `unsupported` where the format cannot say that.
  func cutting(_ file: [UInt8], toWidth width: Int, height: Int) throws(CodecError) -> [UInt8]

  /// Whether a variant makes the source file itself smaller, and gives its bytes back, in place of its pixels.
  func recompresses(_ variant: CodecVariant) -> Bool

  /// Encodes a file of another format so that `restore` gives the same bytes again.
  func recompress(_ file: [UInt8], _ settings: EncodeSettings) throws(CodecError) -> [UInt8]

  /// The file that `recompress` was given.
  func restore(_ bytes: [UInt8]) throws(CodecError) -> [UInt8]
}

extension ImageCodec {
  /// Most formats are not taken apart.
  package func containerBytes(of file: [UInt8]) -> Int? { nil }

  /// Most formats show all that they hold.
  package func cutting(_ file: [UInt8], toWidth width: Int, height: Int) throws(CodecError) -> [UInt8] {
    throw .unsupported("\(traits.id) files cannot hold padding that is not shown")
  }

  /// Codecs encode pixels.
  package func recompresses(_ variant: CodecVariant) -> Bool { false }

  /// Refused.
  package func recompress(_ file: [UInt8], _ settings: EncodeSettings) throws(CodecError) -> [UInt8] {
    throw .unsupported("\(traits.id) recompresses no files")
  }

  /// Refused.
  package func restore(_ bytes: [UInt8]) throws(CodecError) -> [UInt8] {
    throw .unsupported("\(traits.id) recompresses no files")
  }
}

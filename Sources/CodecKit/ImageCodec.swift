public import BenchModel
public import Pixels

/// What a codec is, before it does anything.
public struct CodecTraits: Sendable {
  /// The identifier that `--codec` takes: `heic`.
  public var id: String
  /// The name for people: `HEIC (libheif, x265)`.
  public var title: String
  /// File extension of what it writes, without the dot.
  public var fileExtension: String
  /// Every library it stands on, encoder and decoder, as the libraries report themselves at run time.
  public var libraries: [LibraryVersion]
  /// The codec's own quality scale.
  public var nativeQuality: ClosedRange<Int>
  /// The settings it takes.
  public var settings: [SettingSpecification]
  /// Whether an encode costs next to nothing beside the decode and the scores that follow it.
  public var isFast: Bool
  /// What its defaults come to, for people: `preset slow, 4:2:0`; empty for one without settings that matter.
  public var defaults: String
  /// Kept out of lists for users: codecs for tests and benchmarks of heicbench itself.
  public var isHidden: Bool
  /// Why the codec cannot be used here, with what to install; nil where it can.
  public var absence: String?

  /// Describes a codec.
  public init(
    id: String, title: String, fileExtension: String, libraries: [LibraryVersion],
    nativeQuality: ClosedRange<Int>, settings: [SettingSpecification], defaults: String = "",
    isFast: Bool = false, isHidden: Bool = false, absence: String? = nil
  ) {
    self.id = id
    self.title = title
    self.fileExtension = fileExtension
    self.libraries = libraries
    self.nativeQuality = nativeQuality
    self.settings = settings
    self.isFast = isFast
    self.defaults = defaults
    self.isHidden = isHidden
    self.absence = absence
  }
}

/// The rasters that a codec takes under given settings without changing them.
public struct PixelSupport: Sendable, Hashable {
  /// Whether alpha comes back from a round trip.
  public var alpha: Bool
  /// The deepest samples it takes, in bits.
  public var maximumBitDepth: Int
  /// The longest side in pixels.
  public var maximumSide: Int

  /// Describes what is taken.
  public init(alpha: Bool, maximumBitDepth: Int, maximumSide: Int) {
    self.alpha = alpha
    self.maximumBitDepth = maximumBitDepth
    self.maximumSide = maximumSide
  }
}

/// A variant at one quality: what a single encode is told.
public struct EncodeSettings: Sendable, Hashable {
  /// Codec and canonical settings.
  public var variant: CodecVariant
  /// The quality on the codec's own scale.
  public var nativeQuality: Int
  private let specifications: [String: String]

  /// Resolves a canonical variant at a quality against the codec's traits.
  public init(variant: CodecVariant, quality: Quality, traits: CodecTraits) {
    self.variant = variant
    self.nativeQuality = quality.nativeValue(in: traits.nativeQuality)
    self.specifications = Dictionary(
      traits.settings.map { ($0.key, $0.defaultValue) }, uniquingKeysWith: { first, _ in first })
  }

  /// A setting's value, the codec's default where the variant does not name it; empty for unknown keys.
  public subscript(key: String) -> String { variant.settings[key] ?? specifications[key] ?? "" }

  /// A whole-number setting.
  public func integer(_ key: String) -> Int? { Int(self[key]) }

  /// A flag.
  public func flag(_ key: String) -> Bool { self[key] == "true" }

  /// The settings whose keys begin with `prefix`, the prefix removed, sorted by key.
  public func passedThrough(prefix: String) -> [(key: String, value: String)] {
    variant.settings.filter { $0.key.hasPrefix(prefix) }
      .map { (key: String($0.key.dropFirst(prefix.count)), value: $0.value) }
      .sorted { $0.key < $1.key }
  }
}

/// An encoder with its decoder, stateless: every C object lives inside one call.
///
/// The stopwatch is the caller's: `encode` goes from pixels in memory to the whole file in memory, `decode`
/// back, and neither touches the disk or does work that the other side of the comparison does not do.
public protocol ImageCodec: Sendable {
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
}

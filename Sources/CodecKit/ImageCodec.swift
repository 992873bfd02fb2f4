package import Model
package import Pixels

package struct CodecTraits: Sendable, Codable {
  /// Identifier for `--codec`, such as `heic`.
  package var id: String
  /// File extension of its output, without the dot.
  package var fileExtension: String
  package var nativeQuality: ClosedRange<Int>
  /// True if encoding takes almost no time beside the decode and the scores after it.
  package var isFast: Bool
  /// Settings of much faster encodes, for a first look or the tries of a search: `preset=ultrafast`; empty if it has none.
  package var quick: String
  /// True for codecs for tests and benchmarks of heicbench itself, left out of lists for users.
  package var isHidden: Bool
  /// Name for people, with the mapped library: `JPEG (libjpeg-turbo)`.
  @FoundOnReading package var title: String
  /// Effect of the defaults, for people: `preset slow, 4:2:0`; empty if no setting matters.
  @FoundOnReading package var defaults: String
  /// Settings, which may depend on the library's version.
  @FoundOnReading package var settings: [SettingSpecification]
  /// All its libraries, encoder and decoder, as they report themselves at run time.
  ///
  /// Reading this queries the libraries, and opens those loaded at run time, so that a process that never meets JPEG XL
  /// does not pay for libjxl's start.
  @FoundOnReading package var libraries: [LibraryVersion]
  /// Reason why the codec is unusable here, with what to install; nil if usable. Opens libraries like `libraries`.
  @FoundOnReading package var absence: String?

  package init(
    id: String, title: @autoclosure @escaping @Sendable () -> String, fileExtension: String,
    libraries: @autoclosure @escaping @Sendable () -> [LibraryVersion],
    nativeQuality: ClosedRange<Int>,
    settings: @autoclosure @escaping @Sendable () -> [SettingSpecification],
    defaults: @autoclosure @escaping @Sendable () -> String = "",
    quick: String = "", isFast: Bool = false, isHidden: Bool = false,
    absence: @autoclosure @escaping @Sendable () -> String? = nil
  ) {
    (self.id, self.fileExtension, self.nativeQuality) = (id, fileExtension, nativeQuality)
    (self.isFast, self.quick, self.isHidden) = (isFast, quick, isHidden)
    (_title, _defaults, _settings) = (.init(find: title), .init(find: defaults), .init(find: settings))
    (_libraries, _absence) = (.init(find: libraries), .init(find: absence))
  }

  /// A copy with further settings, which leaves the libraries alone until they are read.
  package func adding(_ further: [SettingSpecification]) -> CodecTraits {
    var copy = self
    copy._settings = .init { settings + further }
    return copy
  }

  /// A copy with `change` applied to every text from the libraries.
  package func mapTexts(_ change: (String) -> String) -> CodecTraits {
    var copy = self
    (copy.title, copy.absence) = (change(title), absence.map(change))
    copy.libraries = libraries.map {
      LibraryVersion(name: change($0.name), version: change($0.version), build: $0.build.map(change))
    }
    return copy
  }
}

/// A value of this process's libraries, found each time it is read; another process gets the value itself.
@propertyWrapper
package struct FoundOnReading<Value: Codable & Sendable>: Codable, Sendable {
  private var find: @Sendable () -> Value

  init(find: @escaping @Sendable () -> Value) { self.find = find }

  package init(from decoder: any Decoder) throws {
    let value = try Value(from: decoder)
    find = { value }
  }

  package func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }

  package var wrappedValue: Value {
    get { find() }
    set { find = { newValue } }
  }
}

/// Rasters that a codec takes unchanged under given settings.
package struct PixelSupport: Sendable, Hashable, Codable {
  package var alpha: Bool
  /// In bits per sample.
  package var maximumBitDepth: Int
  /// In pixels.
  package var maximumSide: Int

  package init(alpha: Bool, maximumBitDepth: Int, maximumSide: Int) {
    self.alpha = alpha
    self.maximumBitDepth = maximumBitDepth
    self.maximumSide = maximumSide
  }
}

/// A variant at one quality: the settings of a single encode.
package struct EncodeSettings: Sendable, Hashable {
  package var variant: CodecVariant
  /// Quality on the codec's own scale.
  package var nativeQuality: Int
  private let specifications: [String: String]

  package init(variant: CodecVariant, quality: Quality, traits: CodecTraits) {
    self.variant = variant
    self.nativeQuality = quality.nativeValue(in: traits.nativeQuality)
    self.specifications = Dictionary(
      traits.settings.map { ($0.key, $0.defaultValue) }, uniquingKeysWith: { first, _ in first })
  }

  /// A setting's value, or the codec's default; empty for unknown keys.
  package subscript(key: String) -> String { variant.settings[key] ?? specifications[key] ?? "" }

  package func integer(_ key: String) -> Int? { Int(self[key]) }

  package func flag(_ key: String) -> Bool { self[key] == "true" }

  /// True if chroma is halved in both directions, as far as the settings say.
  package var halvesChroma: Bool { self["chroma"] == "420" && !flag("lossless") }

  /// Settings with this key prefix, the prefix removed, sorted by key.
  package func passedThrough(prefix: String) -> [(key: String, value: String)] {
    variant.settings.filter { $0.key.hasPrefix(prefix) }
      .map { (key: String($0.key.dropFirst(prefix.count)), value: $0.value) }
      .sorted { $0.key < $1.key }
  }
}

/// An encoder with its decoder, stateless: every C object lives inside one call.
///
/// The caller takes the time: `encode` goes from pixels in memory to the whole file in memory, `decode` back; neither
/// touches the disk or does work that the codecs it is compared with do not.
package protocol ImageCodec: Sendable {
  var traits: CodecTraits { get }

  func support(for variant: CodecVariant) -> PixelSupport

  /// Checks what the specifications alone cannot: pass-through keys and combinations.
  func validate(_ variant: CodecVariant) throws(CodecError)

  /// Encodes an image as a complete file, with its profile if that needs embedding.
  func encode(_ image: RasterImage, _ settings: EncodeSettings) throws(CodecError) -> [UInt8]

  /// Decodes a file that `encode` wrote. Gray stays gray if the format has it, and alpha stays alpha.
  func decode(_ bytes: [UInt8]) throws(CodecError) -> RasterImage

  /// The base of a file with a gain map, decoded, and the bytes of base and map; nil for other files.
  func gainMapBase(
    of file: [UInt8]
  ) throws(CodecError) -> (picture: RasterImage, bytes: Int, mapBytes: Int)?

  /// Bytes of `encode`'s file outside the coded picture (container, headers, tables); nil if not parsed.
  func containerBytes(of file: [UInt8]) -> Int?

  /// Crops a file that `encode` wrote to its upper left part, with the coded bytes unchanged.
  /// - Throws: `unsupported` if the format cannot express that.
  func cutting(_ file: [UInt8], toWidth width: Int, height: Int) throws(CodecError) -> [UInt8]

  /// True if a variant shrinks the source file itself, restorable byte by byte, rather than its pixels.
  func recompresses(_ variant: CodecVariant) -> Bool

  /// Encodes a file of another format so that `restore` returns the same bytes.
  func recompress(_ file: [UInt8], _ settings: EncodeSettings) throws(CodecError) -> [UInt8]

  func restore(_ bytes: [UInt8]) throws(CodecError) -> [UInt8]
}

extension ImageCodec {
  package func gainMapBase(
    of file: [UInt8]
  ) throws(CodecError) -> (picture: RasterImage, bytes: Int, mapBytes: Int)? { nil }

  package func containerBytes(of file: [UInt8]) -> Int? { nil }

  package func cutting(_ file: [UInt8], toWidth width: Int, height: Int) throws(CodecError) -> [UInt8] {
    throw .unsupported("\(traits.id) files cannot hold padding that is not shown")
  }

  package func recompresses(_ variant: CodecVariant) -> Bool { false }

  package func recompress(_ file: [UInt8], _ settings: EncodeSettings) throws(CodecError) -> [UInt8] {
    throw .unsupported("\(traits.id) recompresses no files")
  }

  package func restore(_ bytes: [UInt8]) throws(CodecError) -> [UInt8] {
    throw .unsupported("\(traits.id) recompresses no files")
  }
}

@_exported public import Model
@_exported public import Pixels

/// The properties of a codec, known before it encodes anything.
public struct CodecTraits: Sendable, Codable {
  /// Identifier for `--codec`, such as `heic`.
  public var id: String
  /// File extension of its output, without the dot.
  public var fileExtension: String
  /// The usable range of its own scale of 0 to 100: a quality of 0.85 means 85, or the nearest end of the range. Higher
  /// is better.
  public var nativeQuality: ClosedRange<Int>
  /// True if encoding takes almost no time compared with the decode and the scores after it.
  public var isFast: Bool
  /// Settings for much faster encodes, for a first look or the tries of a search: `preset=ultrafast`; empty if there
  /// are none.
  public var quick: String
  /// True for codecs for tests and benchmarks of heicbench itself, which lists for users leave out.
  public var isHidden: Bool
  /// The display name, with the mapped library: `JPEG (libjpeg-turbo)`.
  @FoundOnReading public var title: String
  /// The effect of the defaults in words: `preset slow, 4:2:0`; empty if no setting matters.
  @FoundOnReading public var defaults: String
  /// The settings, which may depend on the library's version.
  @FoundOnReading public var settings: [SettingSpecification]
  /// Changes of settings that are worth trying; changes that do not apply here are skipped.
  @FoundOnReading public var trials: [SettingTrial]
  /// All libraries of the encoder and decoder, as they identify themselves at run time.
  ///
  /// Reading this queries the libraries, and opens those loaded at run time, so a process that never needs JPEG XL does
  /// not pay for starting libjxl.
  @FoundOnReading public var libraries: [LibraryVersion]
  /// The reason that the codec is unusable here, and what to install; nil if it is usable. Opens libraries, as
  /// `libraries` does.
  @FoundOnReading public var absence: String?

  /// Describes a codec. Texts and libraries are determined when first read.
  public init(
    id: String, title: @autoclosure @escaping @Sendable () -> String, fileExtension: String,
    libraries: @autoclosure @escaping @Sendable () -> [LibraryVersion],
    nativeQuality: ClosedRange<Int>,
    settings: @autoclosure @escaping @Sendable () -> [SettingSpecification],
    defaults: @autoclosure @escaping @Sendable () -> String = "",
    trials: @autoclosure @escaping @Sendable () -> [SettingTrial] = [],
    quick: String = "", isFast: Bool = false, isHidden: Bool = false,
    absence: @autoclosure @escaping @Sendable () -> String? = nil
  ) {
    (self.id, self.fileExtension, self.nativeQuality) = (id, fileExtension, nativeQuality)
    (self.isFast, self.quick, self.isHidden) = (isFast, quick, isHidden)
    (_title, _defaults, _settings) = (.init(find: title), .init(find: defaults), .init(find: settings))
    _trials = .init(find: trials)
    (_libraries, _absence) = (.init(find: libraries), .init(find: absence))
  }

  /// The settings that apply together with the given ones, one for each key.
  public func settings(beside given: [String: String]) -> [SettingSpecification] {
    let all = settings
    return all.filter { Self.obstacle(to: $0, beside: given, among: all) == nil }
  }

  /// The first setting that prevents another from applying, its value, and the values that would not; nil if the other
  /// applies.
  private static func obstacle(
    to setting: SettingSpecification, beside given: [String: String], among all: [SettingSpecification]
  ) -> (key: String, value: String, needed: [String])? {
    for (key, values) in setting.needs.sorted(by: { $0.key < $1.key }) {
      let value = given[key] ?? all.first { $0.key == key }?.defaultValue ?? ""
      if !values.contains(value) { return (key, value, values) }
    }
    return nil
  }

  /// The error for a setting that does not apply together with others, naming those that do.
  func refusal(of key: String, beside given: [String: String]) -> CodecError {
    let all = settings
    let obstacles = all.filter { $0.key == key }.compactMap {
      Self.obstacle(to: $0, beside: given, among: all)
    }
    guard let obstacle = obstacles.first else { return .invalidSetting("\(id) has no setting “\(key)”") }
    let applying = settings(beside: given).filter { !$0.isOfHDR && $0.key != obstacle.key }.map(\.key)
    let others = applying.isEmpty ? "no others apply" : "these apply: \(applying.joined(separator: ", "))"
    return .invalidSetting(
      "\(id): \(key) applies only with \(obstacle.key)=\(obstacle.needed.joined(separator: " or ")); with "
        + "\(obstacle.key)=\(obstacle.value), \(others)")
  }

  /// A copy with further settings, which does not query the libraries until they are read.
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

/// A value from this process's libraries, determined each time it is read; another process receives the value itself.
@propertyWrapper
public struct FoundOnReading<Value: Codable & Sendable>: Codable, Sendable {
  private var find: @Sendable () -> Value

  init(find: @escaping @Sendable () -> Value) { self.find = find }

  /// Decodes the value from another process.
  public init(from decoder: any Decoder) throws {
    let value = try Value(from: decoder)
    find = { value }
  }

  /// Encodes the current value.
  public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }

  /// The value; computed on each read unless it was set.
  public var wrappedValue: Value {
    get { find() }
    set { find = { newValue } }
  }
}

/// The rasters that a codec accepts unchanged with given settings.
public struct PixelSupport: Sendable, Hashable, Codable {
  /// True if transparent pixels are kept.
  public var alpha: Bool
  /// The maximum bits per sample.
  public var maximumBitDepth: Int
  /// The maximum side in pixels.
  public var maximumSide: Int

  /// Describes the rasters that a codec accepts.
  public init(alpha: Bool, maximumBitDepth: Int, maximumSide: Int) {
    self.alpha = alpha
    self.maximumBitDepth = maximumBitDepth
    self.maximumSide = maximumSide
  }
}

/// A variant at one quality: the settings of a single encode.
public struct EncodeSettings: Sendable, Hashable {
  /// The codec and the settings that differ from its defaults.
  public var variant: CodecVariant
  /// Quality on the codec's own scale.
  public var nativeQuality: Int
  private let specifications: [String: String]

  /// Maps a quality to the scale of a codec's traits.
  public init(variant: CodecVariant, quality: Quality, traits: CodecTraits) {
    self.variant = variant
    self.nativeQuality = quality.nativeValue(in: traits.nativeQuality)
    self.specifications = Dictionary(
      traits.settings(beside: variant.settings).map { ($0.key, $0.defaultValue) },
      uniquingKeysWith: { first, _ in first })
  }

  /// A setting's value, or the codec's default; empty for unknown keys.
  public subscript(key: String) -> String { variant.settings[key] ?? specifications[key] ?? "" }

  /// A setting's value as a number; nil if it is not one.
  public func integer(_ key: String) -> Int? { Int(self[key]) }

  /// True if a flag is set.
  public func flag(_ key: String) -> Bool { self[key] == "true" }

  /// True if chroma is halved in both directions, as far as the settings say.
  public var halvesChroma: Bool { self["chroma"] == "420" && !flag("lossless") }

  /// Settings with this key prefix, the prefix removed, sorted by key.
  public func passedThrough(prefix: String) -> [(key: String, value: String)] {
    variant.settings.filter { $0.key.hasPrefix(prefix) }
      .map { (key: String($0.key.dropFirst(prefix.count)), value: $0.value) }
      .sorted { $0.key < $1.key }
  }
}

/// An encoder with its decoder, stateless: every C object lives inside one call.
///
/// The caller measures time: `encode` goes from pixels in memory to the whole file in memory, `decode` back. Neither
/// may touch the disk or do work that competing codecs do not do. Calls come from worker processes, one at a time in
/// each. A call that hangs or takes too much memory loses its worker and only that point, so a codec need not watch for
/// cancellation.
///
/// What a codec must guarantee (`CodecContract` tests it):
/// - **Size and channels** come back unchanged. Gray may come back as colour if the format has no gray. Alpha must not
///   change: a codec without alpha says so in `support` and refuses it.
/// - **Colours**: a profile other than sRGB is embedded and comes back, in any equivalent form.
/// - **Depth**: samples with up to the bits in `support` are not rounded to fewer before the encoder gets them.
/// - **Damage** gives a `CodecError`, or a picture of the stated size; no input may trap.
/// - **The same picture and settings** give the same file, and a higher quality gives more bytes and a closer picture.
/// - Anything it cannot do throws `CodecError.unsupported` with the reason, which a table shows.
public protocol ImageCodec: Sendable {
  var traits: CodecTraits { get }

  func support(for variant: CodecVariant) -> PixelSupport

  /// Checks what specifications alone cannot express: pass-through keys and combinations.
  func validate(_ variant: CodecVariant) throws(CodecError)

  /// Encodes an image as a complete file, with its profile if it needs embedding.
  func encode(_ image: RasterImage, _ settings: EncodeSettings) throws(CodecError) -> [UInt8]

  /// Encodes like `encode`, and also returns the encoder's own list of the settings it used; nil if it gives none. May
  /// capture the process's standard error during the call, so only workers call it.
  func encodeReporting(
    _ image: RasterImage, _ settings: EncodeSettings
  ) throws(CodecError) -> (file: [UInt8], settings: String)?

  /// Decodes a file that `encode` wrote. Gray stays gray if the format has it, and alpha stays alpha.
  func decode(_ bytes: [UInt8]) throws(CodecError) -> RasterImage

  /// The base of a file with a gain map, decoded, and the bytes of base and map; nil for other files.
  func gainMapBase(
    of file: [UInt8]
  ) throws(CodecError) -> (picture: RasterImage, bytes: Int, mapBytes: Int)?

  /// The bytes of a file from `encode` outside the coded picture (container, headers, tables); nil if not parsed.
  func containerBytes(of file: [UInt8]) -> Int?

  /// Crops a file that `encode` wrote to its upper left part, with the coded bytes unchanged.
  /// - Throws: `unsupported` if the format cannot express that.
  func cutting(_ file: [UInt8], toWidth width: Int, height: Int) throws(CodecError) -> [UInt8]

  /// The lowest native quality that results in the same files as this one.
  func lowestQuality(like native: Int, _ variant: CodecVariant) -> Int

  /// True if a variant recompresses the source file itself, restorable byte for byte, rather than encoding its pixels.
  func recompresses(_ variant: CodecVariant) -> Bool

  /// Encodes a file of another format so that `restore` returns the same bytes.
  func recompress(_ file: [UInt8], _ settings: EncodeSettings) throws(CodecError) -> [UInt8]

  func restore(_ bytes: [UInt8]) throws(CodecError) -> [UInt8]

  /// Encodes a JPEG file as the codec's usual program does, if the program encodes pixels other than `image`, the
  /// decoded file; nil if it encodes the same pixels.
  func encodeByProgram(
    _ file: [UInt8], of image: RasterImage, _ settings: EncodeSettings
  ) throws(CodecError) -> [UInt8]?
}

extension ImageCodec {
  /// Checks nothing by default.
  public func validate(_ variant: CodecVariant) throws(CodecError) {}

  /// Returns nil by default.
  public func encodeReporting(
    _ image: RasterImage, _ settings: EncodeSettings
  ) throws(CodecError) -> (file: [UInt8], settings: String)? { nil }

  /// Returns nil by default: no gain maps.
  public func gainMapBase(
    of file: [UInt8]
  ) throws(CodecError) -> (picture: RasterImage, bytes: Int, mapBytes: Int)? { nil }

  /// Returns nil by default: the container is not parsed.
  public func containerBytes(of file: [UInt8]) -> Int? { nil }

  /// Throws `unsupported` by default.
  public func cutting(_ file: [UInt8], toWidth width: Int, height: Int) throws(CodecError) -> [UInt8] {
    throw .unsupported("\(traits.id) files cannot contain hidden padding")
  }

  /// Returns the same quality by default: every quality results in different files.
  public func lowestQuality(like native: Int, _ variant: CodecVariant) -> Int { native }

  /// Returns false by default.
  public func recompresses(_ variant: CodecVariant) -> Bool { false }

  /// Throws `unsupported` by default.
  public func recompress(_ file: [UInt8], _ settings: EncodeSettings) throws(CodecError) -> [UInt8] {
    throw .unsupported("\(traits.id) does not recompress files")
  }

  /// Returns nil by default.
  public func encodeByProgram(
    _ file: [UInt8], of image: RasterImage, _ settings: EncodeSettings
  ) throws(CodecError) -> [UInt8]? { nil }

  /// Throws `unsupported` by default.
  public func restore(_ bytes: [UInt8]) throws(CodecError) -> [UInt8] {
    throw .unsupported("\(traits.id) does not recompress files")
  }
}

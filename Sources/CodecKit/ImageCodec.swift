@_exported public import Model
@_exported public import Pixels

/// What is known about a codec before it encodes anything.
public struct CodecTraits: Sendable, Codable {
  /// Identifier for `--codec`, such as `heic`.
  public var id: String
  /// File extension of its output, without the dot.
  public var fileExtension: String
  /// The range of its own scale of 0 to 100: a quality of 0.85 asks for 85, or for the nearest end. Higher is better.
  public var nativeQuality: ClosedRange<Int>
  /// True if encoding takes almost no time beside the decode and the scores after it.
  public var isFast: Bool
  /// Settings of much faster encodes, for a first look or the tries of a search: `preset=ultrafast`; empty if it has none.
  public var quick: String
  /// True for codecs for tests and benchmarks of heicbench itself, left out of lists for users.
  public var isHidden: Bool
  /// Name for people, with the mapped library: `JPEG (libjpeg-turbo)`.
  @FoundOnReading public var title: String
  /// Effect of the defaults, for people: `preset slow, 4:2:0`; empty if no setting matters.
  @FoundOnReading public var defaults: String
  /// Settings, which may depend on the library's version.
  @FoundOnReading public var settings: [SettingSpecification]
  /// Changes of settings that are worth trying; those that do not apply here are skipped.
  @FoundOnReading public var trials: [SettingTrial]
  /// All its libraries, encoder and decoder, as they report themselves at run time.
  ///
  /// Reading this queries the libraries, and opens those loaded at run time, so that a process that never meets JPEG XL
  /// does not pay for libjxl's start.
  @FoundOnReading public var libraries: [LibraryVersion]
  /// Reason why the codec is unusable here, with what to install; nil if usable. Opens libraries like `libraries`.
  @FoundOnReading public var absence: String?

  /// Describes a codec. Texts and libraries are found when they are first asked for.
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

  /// The settings that apply beside those given, one of each key.
  public func settings(beside given: [String: String]) -> [SettingSpecification] {
    let all = settings
    return all.filter { Self.obstacle(to: $0, beside: given, among: all) == nil }
  }

  /// The first setting that keeps another one from applying, its value, and those that would not; nil if it applies.
  private static func obstacle(
    to setting: SettingSpecification, beside given: [String: String], among all: [SettingSpecification]
  ) -> (key: String, value: String, needed: [String])? {
    for (key, values) in setting.needs.sorted(by: { $0.key < $1.key }) {
      let value = given[key] ?? all.first { $0.key == key }?.defaultValue ?? ""
      if !values.contains(value) { return (key, value, values) }
    }
    return nil
  }

  /// The error for a setting that does not apply beside others, with those that do.
  func refusal(of key: String, beside given: [String: String]) -> CodecError {
    let all = settings
    let obstacles = all.filter { $0.key == key }.compactMap {
      Self.obstacle(to: $0, beside: given, among: all)
    }
    guard let obstacle = obstacles.first else { return .invalidSetting("\(id) has no setting “\(key)”") }
    let applying = settings(beside: given).filter { !$0.isOfHDR && $0.key != obstacle.key }.map(\.key)
    let others = applying.isEmpty ? "there are no others" : "there are \(applying.joined(separator: ", "))"
    return .invalidSetting(
      "\(id): \(key) applies beside \(obstacle.key)=\(obstacle.needed.joined(separator: " or ")) alone; beside "
        + "\(obstacle.key)=\(obstacle.value) \(others)")
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
public struct FoundOnReading<Value: Codable & Sendable>: Codable, Sendable {
  private var find: @Sendable () -> Value

  init(find: @escaping @Sendable () -> Value) { self.find = find }

  /// Takes the value of another process.
  public init(from decoder: any Decoder) throws {
    let value = try Value(from: decoder)
    find = { value }
  }

  /// Writes the value as it is now.
  public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }

  /// The value, computed each time unless it was set.
  public var wrappedValue: Value {
    get { find() }
    set { find = { newValue } }
  }
}

/// Rasters that a codec takes unchanged under given settings.
public struct PixelSupport: Sendable, Hashable, Codable {
  /// True if transparent pixels are kept.
  public var alpha: Bool
  /// In bits per sample.
  public var maximumBitDepth: Int
  /// In pixels.
  public var maximumSide: Int

  /// States what a codec takes.
  public init(alpha: Bool, maximumBitDepth: Int, maximumSide: Int) {
    self.alpha = alpha
    self.maximumBitDepth = maximumBitDepth
    self.maximumSide = maximumSide
  }
}

/// A variant at one quality: the settings of a single encode.
public struct EncodeSettings: Sendable, Hashable {
  /// The codec with the settings that differ from its defaults.
  public var variant: CodecVariant
  /// Quality on the codec's own scale.
  public var nativeQuality: Int
  private let specifications: [String: String]

  /// Maps a quality onto the scale of a codec's traits.
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
/// The caller takes the time: `encode` goes from pixels in memory to the whole file in memory, `decode` back; neither
/// touches the disk or does work that the codecs it is compared with do not. Calls come from worker processes, one at a
/// time in each; a call that hangs or takes too much memory loses its worker, which costs that point alone, so that a
/// codec need not watch for cancellation.
///
/// What a codec keeps (`CodecContract` tries it):
/// - **Size and channels** come back as they went in. Gray may come back as colour where the format has no gray, alpha
///   never comes back as something else: a codec without it says so in `support` and refuses it.
/// - **Colours**: a profile other than sRGB is embedded and comes back, in whatever spelling means the same.
/// - **Depth**: samples of up to `support`'s bits are not rounded to fewer before the encoder sees them.
/// - **Damage** is a `CodecError`, or a picture of the stated size; no bytes trap.
/// - **The same picture and settings** give the same file, and more quality gives more bytes and a closer picture.
/// - What it cannot do is `CodecError.unsupported` with the reason, which a table shows.
public protocol ImageCodec: Sendable {
  var traits: CodecTraits { get }

  func support(for variant: CodecVariant) -> PixelSupport

  /// Checks what the specifications alone cannot: pass-through keys and combinations.
  func validate(_ variant: CodecVariant) throws(CodecError)

  /// Encodes an image as a complete file, with its profile if that needs embedding.
  func encode(_ image: RasterImage, _ settings: EncodeSettings) throws(CodecError) -> [UInt8]

  /// Encodes like `encode` and returns the encoder's own list of the settings it ran with, too; nil if it does not give
  /// one. May capture the process's standard error meanwhile, so only workers call it.
  func encodeReporting(
    _ image: RasterImage, _ settings: EncodeSettings
  ) throws(CodecError) -> (file: [UInt8], settings: String)?

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

  /// The lowest native quality that makes the same files as this one.
  func lowestQuality(like native: Int, _ variant: CodecVariant) -> Int

  /// True if a variant shrinks the source file itself, restorable byte by byte, rather than its pixels.
  func recompresses(_ variant: CodecVariant) -> Bool

  /// Encodes a file of another format so that `restore` returns the same bytes.
  func recompress(_ file: [UInt8], _ settings: EncodeSettings) throws(CodecError) -> [UInt8]

  func restore(_ bytes: [UInt8]) throws(CodecError) -> [UInt8]

  /// Encodes a JPEG file as the codec's usual program does, where the program encodes other pixels than `image`, the
  /// decoded file; nil where it encodes these.
  func encodeByProgram(
    _ file: [UInt8], of image: RasterImage, _ settings: EncodeSettings
  ) throws(CodecError) -> [UInt8]?
}

extension ImageCodec {
  /// By default there is nothing to check.
  public func validate(_ variant: CodecVariant) throws(CodecError) {}

  /// By default nil.
  public func encodeReporting(
    _ image: RasterImage, _ settings: EncodeSettings
  ) throws(CodecError) -> (file: [UInt8], settings: String)? { nil }

  /// By default a codec makes no gain maps.
  public func gainMapBase(
    of file: [UInt8]
  ) throws(CodecError) -> (picture: RasterImage, bytes: Int, mapBytes: Int)? { nil }

  /// By default the container is not parsed.
  public func containerBytes(of file: [UInt8]) -> Int? { nil }

  /// By default unsupported.
  public func cutting(_ file: [UInt8], toWidth width: Int, height: Int) throws(CodecError) -> [UInt8] {
    throw .unsupported("\(traits.id) files cannot hold padding that is not shown")
  }

  /// By default every quality makes files of its own.
  public func lowestQuality(like native: Int, _ variant: CodecVariant) -> Int { native }

  /// By default no variant does.
  public func recompresses(_ variant: CodecVariant) -> Bool { false }

  /// By default unsupported.
  public func recompress(_ file: [UInt8], _ settings: EncodeSettings) throws(CodecError) -> [UInt8] {
    throw .unsupported("\(traits.id) recompresses no files")
  }

  /// By default nil.
  public func encodeByProgram(
    _ file: [UInt8], of image: RasterImage, _ settings: EncodeSettings
  ) throws(CodecError) -> [UInt8]? { nil }

  /// By default unsupported.
  public func restore(_ bytes: [UInt8]) throws(CodecError) -> [UInt8] {
    throw .unsupported("\(traits.id) recompresses no files")
  }
}

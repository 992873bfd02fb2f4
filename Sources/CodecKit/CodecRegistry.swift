package import Model

package struct CodecRegistry: Sendable {
  /// The codecs, in the order of `heicbench codecs`.
  package let codecs: [any ImageCodec]
  /// The readers, in the order in which they try to recognise a file.
  package let readers: [any ImageReader]
  package let writer: any ImageWriter
  private let mapped: @Sendable () -> [MappedFile]

  /// Lists codecs, readers and the writer; `mapped` returns the shared libraries mapped into the process.
  package init(
    codecs: [any ImageCodec], readers: [any ImageReader], writer: any ImageWriter,
    mapped: @escaping @Sendable () -> [MappedFile] = { [] }
  ) {
    self.codecs = codecs
    self.readers = readers
    self.writer = writer
    self.mapped = mapped
  }

  /// A copy with further codecs; each replaces one with the same name.
  package func adding(_ further: [any ImageCodec]) -> CodecRegistry {
    let names = Set(further.map(\.traits.id))
    return CodecRegistry(
      codecs: codecs.filter { !names.contains($0.traits.id) } + further, readers: readers, writer: writer,
      mapped: mapped)
  }

  /// The mapped shared libraries behind all codecs, after loading them all.
  package func mappedFiles() -> [MappedFile] {
    for codec in codecs { _ = codec.traits.libraries }
    return mapped()
  }

  package func codec(_ id: String) -> (any ImageCodec)? { codecs.first { $0.traits.id == id } }

  /// The formats that the readers support: `PNG, JPEG, PNM and HEIC`.
  package var readableFormats: String {
    let names = readers.flatMap(\.formats)
    guard let last = names.last, names.count > 1 else { return names.joined() }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }

  package func reader(for bytes: [UInt8]) -> (any ImageReader)? { readers.first { $0.recognises(bytes) } }

  /// Parses the argument of `--codec`, `NAME[@BUILD][:key=value,…]`, into a canonical variant.
  ///
  /// Drops defaults; refuses unknown codecs, keys and values, naming what is allowed and the nearest match.
  /// `allowingAbsent` also accepts a codec that is unusable here.
  package func variant(
    _ spelling: String, allowingAbsent: Bool = false
  ) throws(CodecError) -> CodecVariant {
    let parts = spelling.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let names = parts[0].split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    let id = String(names[0])
    guard let codec = codec(id) else {
      let known = codecs.filter { !$0.traits.isHidden }.map(\.traits.id)
      if let meant = Self.otherNames[id.lowercased()] {
        throw .invalidSetting("no codec “\(id)”; heicbench calls it \(meant)")
      }
      let list = id.contains(",") ? "; repeat --codec for several codecs" : ""
      throw .invalidSetting(
        "no codec “\(id)”\(suggestion(for: id, among: known)); available: \(known.joined(separator: ", "))\(list)"
      )
    }
    if !allowingAbsent, let absence = codec.traits.absence { throw .invalidSetting("\(id): \(absence)") }
    let settings = try settings(parts.count == 2 ? String(parts[1]) : nil, of: codec.traits)
    let defaults = Dictionary(
      codec.traits.settings(beside: settings).map { ($0.key, $0.defaultValue) },
      uniquingKeysWith: { first, _ in first })
    let variant = CodecVariant(
      codec: id, build: names.count == 2 ? String(names[1]) : nil,
      settings: settings.filter { defaults[$0.key] != $0.value })
    try codec.validate(variant)
    return variant
  }

  /// The settings as given, including defaults. Each must apply beside the others; a default that does not is an error
  /// like any other value.
  private func settings(_ list: String?, of traits: CodecTraits) throws(CodecError) -> [String: String] {
    guard let list else { return [:] }
    var given: [(key: String, value: String)] = []
    for item in list.split(separator: ",", omittingEmptySubsequences: false) {
      given.append(try setting(item, of: traits))
    }
    let settings = Dictionary(given, uniquingKeysWith: { first, _ in first })
    if let (key, _) = given.first(where: { item in given.count { $0.key == item.key } > 1 }) {
      throw .invalidSetting("\(traits.id): “\(key)” is given twice")
    }
    let applying = traits.settings(beside: settings)
    var canonical: [String: String] = [:]
    for (key, value) in given {
      guard let specification = applying.first(where: { $0.key == key || $0.accepts(passThroughKey: key) })
      else {
        // A flag that is off has no effect.
        if value == "false", traits.settings.contains(where: { $0.key == key && $0.values == .flag }) {
          continue
        }
        throw traits.refusal(of: traits.specification(of: key)?.key ?? key, beside: settings)
      }
      guard let one = specification.canonical(value) else {
        throw .invalidSetting(
          "\(traits.id): \(key) takes \(specification.allowedValues)"
            + "\(specification.needed(among: settings)), not “\(value)”")
      }
      canonical[key] = one
    }
    return canonical
  }

  /// Other names that people use for codecs.
  private static let otherNames = [
    "jpegxl": "jxl", "jpeg-xl": "jxl", "heif": "heic", "hevc": "heic", "jpg": "jpeg", "av1": "avif",
  ]

  private func setting(
    _ item: Substring, of traits: CodecTraits
  ) throws(CodecError) -> (key: String, value: String) {
    let halves = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let key = String(halves[0])
    let value = halves.count == 2 ? String(halves[1]) : "true"
    if let open = traits.settings.first(where: { $0.accepts(passThroughKey: key) }) {
      guard halves.count == 2, !value.isEmpty else {
        throw .invalidSetting("\(traits.id): “\(item)” needs a value, \(open.allowedValues)")
      }
      return (key, value)
    }
    guard traits.specification(of: key) != nil else {
      var seen: Set<String> = []
      let keys = traits.settings.map(\.key).filter { seen.insert($0).inserted }
      throw .invalidSetting(
        "\(traits.id) has no setting “\(key)”\(suggestion(for: key, among: keys)); "
          + (keys.isEmpty ? "it has none" : "available: \(keys.joined(separator: ", "))"))
    }
    return (key, value)
  }
}

extension CodecTraits {
  fileprivate func specification(of key: String) -> SettingSpecification? {
    settings.first { $0.key == key || $0.accepts(passThroughKey: key) }
  }
}

extension SettingSpecification {
  /// The given settings that it depends on: ` with encoder=svt`.
  fileprivate func needed(among given: [String: String]) -> String {
    let found = needs.keys.sorted().compactMap { key in given[key].map { "\(key)=\($0)" } }
    return found.isEmpty ? "" : " with " + found.joined(separator: " and ")
  }

  fileprivate func accepts(passThroughKey key: String) -> Bool {
    guard case .passThrough(let prefix) = values else { return false }
    return key.hasPrefix(prefix) && key.count > prefix.count
  }
}

extension CodecRegistry {
  /// The libraries behind a format: those of its codec, else of its reader.
  package func libraries(of format: String) -> [LibraryVersion] {
    codec(format)?.traits.libraries ?? readers.lazy.compactMap { $0.libraries[format] }.first ?? []
  }

  /// The canonical spelling of the libraries that decode a format: `libraries` without the encoders.
  package func decoder(of format: String) -> String {
    libraries(of: format).filter { !Self.encoders.contains($0.name) }.canonicalSpelling
  }

  /// Libraries that take no part in decoding.
  private static let encoders: Set = ["x265", "kvazaar", "rav1e", "SVT-AV1"]
}

package import Model

package struct CodecRegistry: Sendable {
  /// In the order of `heicbench codecs`.
  package let codecs: [any ImageCodec]
  /// In the order in which they are asked to recognise a file.
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

  /// The mapped shared libraries behind all codecs, after loading each.
  package func mappedFiles() -> [MappedFile] {
    for codec in codecs { _ = codec.traits.libraries }
    return mapped()
  }

  package func codec(_ id: String) -> (any ImageCodec)? { codecs.first { $0.traits.id == id } }

  /// The formats that the readers read: `PNG, JPEG, PNM and HEIC`.
  package var readableFormats: String {
    let names = readers.flatMap(\.formats)
    guard let last = names.last, names.count > 1 else { return names.joined() }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }

  package func reader(for bytes: [UInt8]) -> (any ImageReader)? { readers.first { $0.recognises(bytes) } }

  /// Parses the argument of `--codec`, `NAME[@BUILD][:key=value,…]`, into a canonical variant.
  ///
  /// Drops defaults; refuses unknown codecs, keys and values with what is allowed and the nearest match.
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
      let list = id.contains(",") ? "; for several repeat --codec" : ""
      throw .invalidSetting(
        "no codec “\(id)”\(suggestion(for: id, among: known)); there are \(known.joined(separator: ", "))\(list)"
      )
    }
    if !allowingAbsent, let absence = codec.traits.absence { throw .invalidSetting("\(id): \(absence)") }
    var settings: [String: String] = [:]
    if parts.count == 2 {
      for item in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
        let (key, value) = try setting(item, of: codec.traits)
        guard settings.updateValue(value, forKey: key) == nil else {
          throw .invalidSetting("\(id): “\(key)” is given twice")
        }
      }
    }
    let defaults = Dictionary(
      codec.traits.settings.map { ($0.key, $0.defaultValue) }, uniquingKeysWith: { first, _ in first })
    let variant = CodecVariant(
      codec: id, build: names.count == 2 ? String(names[1]) : nil,
      settings: settings.filter { defaults[$0.key] != $0.value })
    try codec.validate(variant)
    return variant
  }

  /// What people also call codecs.
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
    guard let specification = traits.settings.first(where: { $0.key == key }) else {
      let keys = traits.settings.map(\.key)
      throw .invalidSetting(
        "\(traits.id) has no setting “\(key)”\(suggestion(for: key, among: keys)); "
          + (keys.isEmpty ? "it has none" : "there are \(keys.joined(separator: ", "))"))
    }
    guard let canonical = specification.canonical(value) else {
      throw .invalidSetting("\(traits.id): \(key) takes \(specification.allowedValues), not “\(value)”")
    }
    return (key, canonical)
  }
}

extension SettingSpecification {
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

  /// Canonical spelling of the libraries that decode a format: `libraries` without the encoders.
  package func decoder(of format: String) -> String {
    libraries(of: format).filter { !Self.encoders.contains($0.name) }.canonicalSpelling
  }

  /// Libraries that take no part in decoding.
  private static let encoders: Set = ["x265", "kvazaar", "rav1e", "SVT-AV1"]
}

package import Model

/// All codecs and readers of the program: the one list to add to.
package struct CodecRegistry: Sendable {
  /// The codecs, in the order in which `heicbench codecs` lists them.
  package let codecs: [any ImageCodec]
  /// The readers, in the order in which they are asked whether they recognise a file.
  package let readers: [any ImageReader]
  /// The lossless writer.
  package let writer: any ImageWriter
  private let mapped: @Sendable () -> [MappedFile]

  /// Lists codecs, readers and the writer; `mapped` tells which shared libraries the process has mapped.
  package init(
    codecs: [any ImageCodec], readers: [any ImageReader], writer: any ImageWriter,
    mapped: @escaping @Sendable () -> [MappedFile] = { [] }
  ) {
    self.codecs = codecs
    self.readers = readers
    self.writer = writer
    self.mapped = mapped
  }

  /// The shared libraries behind the codecs that this process has mapped, when all codecs have loaded theirs.
  package func mappedFiles() -> [MappedFile] {
    for codec in codecs { _ = codec.traits.libraries }
    return mapped()
  }

  /// The codec with this identifier, or nil.
  package func codec(_ id: String) -> (any ImageCodec)? { codecs.first { $0.traits.id == id } }

  /// The reader that recognises the bytes, or nil where none does.
  package func reader(for bytes: [UInt8]) -> (any ImageReader)? { readers.first { $0.recognises(bytes) } }

  /// Reads what `--codec` takes, `NAME[@BUILD][:key=value,…]`, into a canonical variant, whose build is that of the
  /// libraries which this process has loaded.
  ///
  /// Defaults are dropped; unknown codecs, keys and values are refused with what is allowed and the nearest
  /// match. `allowingAbsent` takes a codec too that cannot be used here.
  package func variant(
    _ spelling: String, allowingAbsent: Bool = false
  ) throws(CodecError) -> CodecVariant {
    let parts = spelling.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let names = parts[0].split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    let id = String(names[0])
    guard let codec = codec(id) else {
      let known = codecs.filter { !$0.traits.isHidden }.map(\.traits.id)
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

  /// One `key=value`, checked against the specifications.
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
  /// Whether this is a pass-through that takes `key`.
  fileprivate func accepts(passThroughKey key: String) -> Bool {
    guard case .passThrough(let prefix) = values else { return false }
    return key.hasPrefix(prefix) && key.count > prefix.count
  }
}

import Model

/// Traits with the libraries of one process, sent to another.
extension CodecTraits: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, title, fileExtension, libraries, nativeQuality, settings, defaults, isFast, isHidden, absence
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(title, forKey: .title)
    try container.encode(fileExtension, forKey: .fileExtension)
    try container.encode(libraries, forKey: .libraries)
    try container.encode(nativeQuality, forKey: .nativeQuality)
    try container.encode(settings, forKey: .settings)
    try container.encode(defaults, forKey: .defaults)
    try container.encode(isFast, forKey: .isFast)
    try container.encode(isHidden, forKey: .isHidden)
    try container.encodeIfPresent(absence, forKey: .absence)
  }

  /// Decodes another process's traits, with its values fixed.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let title = try container.decode(String.self, forKey: .title)
    let libraries = try container.decode([LibraryVersion].self, forKey: .libraries)
    let settings = try container.decode([SettingSpecification].self, forKey: .settings)
    let absence = try container.decodeIfPresent(String.self, forKey: .absence)
    self.init(
      id: try container.decode(String.self, forKey: .id), title: title,
      fileExtension: try container.decode(String.self, forKey: .fileExtension), libraries: libraries,
      nativeQuality: try container.decode(ClosedRange<Int>.self, forKey: .nativeQuality),
      settings: settings,
      defaults: try container.decode(String.self, forKey: .defaults),
      isFast: try container.decode(Bool.self, forKey: .isFast),
      isHidden: try container.decode(Bool.self, forKey: .isHidden), absence: absence)
  }

  /// A copy with `change` applied to every text from the libraries.
  package func mapTexts(_ change: (String) -> String) -> CodecTraits {
    let (title, absence) = (change(title), absence.map(change))
    let libraries = libraries.map {
      LibraryVersion(name: change($0.name), version: change($0.version), build: $0.build.map(change))
    }
    return CodecTraits(
      id: id, title: title, fileExtension: fileExtension, libraries: libraries, nativeQuality: nativeQuality,
      settings: settings, defaults: defaults, isFast: isFast, isHidden: isHidden, absence: absence)
  }
}

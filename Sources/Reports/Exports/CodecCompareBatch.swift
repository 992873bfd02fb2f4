import Model
import Store

/// One variant's batch, written row by row.
struct CodecCompareBatch {
  let variant: CodecVariant
  let name: String
  private let fields: [CodecCompareField]
  private var file: AtomicFile
  private var buffer = TextBuffer()
  private var isFirst = true

  /// Opens the batch and writes the values common to all its rows.
  init(
    variant: CodecVariant, fields: [CodecCompareField], manifest: RunManifest?, file: AtomicFile,
    name: String
  ) {
    self.variant = variant
    self.fields = fields
    self.name = name
    self.file = file
    let constants = Self.constants(variant, manifest)
    buffer.write("{\n\"constant_descriptions\": ")
    JSONValue.array(constants.map { .object([($0.name, .text($0.meaning))]) }).write(into: &buffer)
    buffer.write(",\n\"constant_values\": ")
    JSONValue.array(constants.map { .text($0.value) }).write(into: &buffer)
    buffer.write(",\n\"field_descriptions\": ")
    JSONValue.array(fields.map { .object([($0.name, .text($0.meaning))]) }).write(into: &buffer)
    buffer.write(",\n\"field_values\": [")
  }

  mutating func append(_ row: ResultRow) throws {
    buffer.write(isFirst ? "\n[" : ",\n[")
    isFirst = false
    for (index, field) in fields.enumerated() {
      if index > 0 { buffer.write(", ") }
      JSONText.write(field.cell(row), into: &buffer)
    }
    buffer.write("]")
    if buffer.isLarge { buffer.flush(to: &file) }
  }

  mutating func finish() throws {
    buffer.write("\n]\n}\n")
    buffer.flush(to: &file)
    try file.commit()
  }

  private static func constants(
    _ variant: CodecVariant, _ manifest: RunManifest?
  ) -> [(name: String, meaning: String, value: String)] {
    let libraries = manifest?.variants.first { $0.variant == variant }?.libraries ?? []
    return [
      ("name", "Name of the batch", variant.name),
      ("codec", "Codec", variant.codec),
      ("version", "Versions of the libraries", libraries.canonicalSpelling),
      ("time", "When the run began", manifest?.started ?? ""),
      ("source data set", "Where the images come from", manifest?.roots.joined(separator: " ") ?? ""),
      ("encoding cmd", "The command of the run", manifest?.command.joined(separator: " ") ?? ""),
    ]
  }
}

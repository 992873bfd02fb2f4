import Analysis
import Model
import Reports
import Store

extension ConversionReport {
  /// The answer as JSON, described by `$defs/convert_check` in docs/schema.json.
  package var json: String {
    let document = JSONValue.object([
      ("format", .text("heicbench-convert-check")), ("format_version", .integer(1)),
      ("folder", folderJSON), ("projections", .array(projections.map(Self.json))),
    ])
    var buffer = TextBuffer()
    document.write(into: &buffer)
    return buffer.text + "\n"
  }

  private var folderJSON: JSONValue {
    .object([
      ("name", .text(folder.name)), ("files", .integer(folder.files)), ("bytes", .integer(folder.bytes)),
      ("sample", .integer(folder.sample)), ("seed", .text(String(folder.seed))),
      (
        "formats",
        .array(
          folder.formats.map {
            .object([
              ("format", .text($0.name)), ("files", .integer($0.files)), ("bytes", .integer($0.bytes)),
              ("sample", .integer($0.sample)),
            ])
          })
      ),
      ("unusable", .strings(folder.unusable)),
      ("contents", .array(folder.contents.map(contentJSON))),
    ])
  }

  private func contentJSON(_ line: FolderContents.Line) -> JSONValue {
    var seen: Set<CodecVariant> = []
    let variants = projections.map(\.variant).filter { seen.insert($0).inserted }
    return .object([
      ("kind", .text(line.kind.rawValue)), ("files", .integer(line.files)), ("count", .integer(line.count)),
      ("bytes", .integer(line.bytes)),
      (
        "fates",
        .array(
          variants.map {
            .object([
              ("variant", .text($0.name)), ("tool", .text(ConversionFate.tool(for: $0))),
              ("fate", .text(ConversionFate.of(line.kind, in: $0).text)),
            ])
          })
      ),
    ])
  }

  private static func json(_ projection: ConversionProjection) -> JSONValue {
    .object([
      ("variant", .text(projection.variant.name)), ("score", .number(projection.score, decimals: 4)),
      ("converted", .integer(projection.converted)), ("smaller", .integer(projection.smaller)),
      ("out_of_reach", .integer(projection.outOfReach)), ("failed", .integer(projection.failed)),
      ("bytes", json(projection.bytes)), ("bytes_where_smaller", json(projection.bytesWhereSmaller)),
      ("encode_cpu_s", json(projection.seconds)), ("files", .array(projection.files.map(json))),
    ])
  }

  private static func json(_ estimate: RatioEstimate?) -> JSONValue {
    guard let estimate else { return .cell(.empty) }
    return .object([
      ("total", .number(estimate.total, decimals: 3)),
      ("lower", .number(estimate.interval?.lower, decimals: 3)),
      ("upper", .number(estimate.interval?.upper, decimals: 3)),
    ])
  }

  private static func json(_ file: TriedConversion) -> JSONValue {
    let (status, reason): (String, String?) =
      switch file.outcome {
      case .converted: ("converted", nil)
      case .outOfReach: ("out-of-reach", nil)
      case .impossible(let reason): ("unsupported", reason)
      case .failed(let reason): ("failed", reason)
      }
    return .object([
      ("image", .text(file.image)), ("source_bytes", .integer(file.fileBytes)),
      ("bytes", .cell(Cell(integer: file.bytes))), ("status", .text(status)),
      ("quality", .cell(file.quality.map { .numeral($0.description) } ?? .empty)),
      ("score", .number(file.score, decimals: 2)), ("encode_cpu_s", .number(file.seconds, decimals: 3)),
      ("reason", .text(reason)),
    ])
  }
}

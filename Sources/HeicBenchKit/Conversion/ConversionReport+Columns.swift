import Analysis
import Model
import Reports
import Store

extension ConversionReport {
  static let columns: [Column<ConversionProjection>] = [
    .code("variant", "Codec") { $0.shown.name },
    .text("score", "SSIMULACRA2") { $0.score.map(Numerals.short) ?? "without loss" },
    .number("quality", "Set", decimals: 2) { $0.quality },
    .text("reached", "Reach it") {
      $0.quality == nil || $0.scored.isEmpty ? nil : "\($0.reached) of \($0.scored.count)"
    },
    Column("megabytes_now", title: "Now", unit: "MB") { projection in
      let known = projection.bytes?.known
      return Cell(number: known.map { $0 / 1e6 }, decimals: known.map { $0 < 10e6 ? 3 : 1 } ?? 1)
    },
    Column("megabytes_all", title: "All converted", unit: "MB") { megabytes($0.bytes) },
    .change("change_all", "change", decimals: 1) { $0.bytes?.changePercent },
    .text("interval_all", "95 %") { interval($0.bytes, of: $0) },
    Column("megabytes_smaller", title: "Where smaller", unit: "MB") { megabytes($0.bytesWhereSmaller) },
    .change("change_smaller", "change", decimals: 1) { $0.bytesWhereSmaller?.changePercent },
    .text("interval_smaller", "95 %") { interval($0.bytesWhereSmaller, of: $0) },
    .text("smaller", "Smaller") {
      $0.setting == .outOfReach ? nil : "\($0.smaller) of \($0.files.count)"
    },
    .number("encode_cpu_s", "Encode CPU", unit: "s", decimals: 1) { $0.seconds?.total },
  ]

  private static func megabytes(_ estimate: FolderEstimate?) -> Cell {
    Cell(number: estimate.map { $0.total / 1e6 }, decimals: estimate.map { $0.known < 10e6 ? 3 : 1 } ?? 1)
  }

  var contentColumns: [Column<ConversionFolder.Content>] {
    [
      .text("kind", "What") { $0.kind.title }, .count("files", "Files") { $0.files },
      .count("bytes", "Bytes") { $0.bytes > 0 ? $0.bytes : nil },
    ]
      + variants.map { variant in
        .text(variant.name, "\(variant.name) (\(toolNames(variant)))") { $0.fate(in: variant) }
      }
  }

  /// `cwebp`, or `heif-convert, cjpeg` if it depends on the format.
  private func toolNames(_ variant: CodecVariant) -> String {
    folder.tools(for: variant).map(\.name).joined(separator: ", ")
  }

  private static func interval(_ estimate: FolderEstimate?, of row: ConversionProjection) -> String? {
    guard let ends = estimate?.changeInterval, ends.lower < ends.upper else { return nil }
    return
      "\(row.isRough ? "rough: " : "")\(Numerals.signed(ends.lower, decimals: 1)) to \(Numerals.signed(ends.upper, decimals: 1))"
  }

  /// The answer as JSON, described by `$defs/convert_check` in docs/schema.json.
  package var json: String {
    JSONValue.document(
      "heicbench-convert-check",
      [
        ("answer", .text(answer)), ("finished", .cell(.flag(!wasInterrupted))), ("folder", folderJSON),
        ("projections", .array(projections.map(Self.json))),
        ("remarks", .array(remarks.kinds.map(Self.json))), ("reads", .text(ImageInput.readableFormats)),
      ])
  }

  private var folderJSON: JSONValue {
    let formats: [Column<ConversionFolder.Format>] = [
      .text("format", "") { $0.name }, .count("files", "") { $0.files },
      .count("bytes", "") { $0.bytes }, .count("sample", "") { $0.sample },
    ]
    let contents = folder.contents.map { line -> JSONValue in
      let fates: [Column<CodecVariant>] = [
        .text("variant", "") { $0.name }, .text("tool", "") { toolNames($0) },
        .text("fate", "") { line.fate(in: $0) },
      ]
      return .object([
        ("kind", .text(line.kind.rawValue)), ("files", .integer(line.files)), ("count", .integer(line.count)),
        ("bytes", .integer(line.bytes)), ("fates", .rows(fates, variants)),
      ])
    }
    return .object(
      [
        ("name", .text(folder.name)), ("files", .integer(folder.files)), ("bytes", .integer(folder.bytes)),
        ("copies", .integer(folder.copies)), ("sample", .integer(folder.sample)),
        ("seed", .text(String(folder.seed))),
        ("formats", .rows(formats, folder.formats)),
      ] + folder.skipped.skipped.json + [
        ("unusable", .strings(folder.unusable)), ("contents", .array(contents)),
      ])
  }

  private static func json(_ remark: RemarkTally.Kind) -> JSONValue {
    .object([
      ("remark", .text(remark.text)), ("files", .integer(remark.files)),
      ("examples", .strings(remark.examples)),
    ])
  }

  private static func json(_ projection: ConversionProjection) -> JSONValue {
    func estimate(_ estimate: FolderEstimate?) -> JSONValue {
      guard let estimate else { return .cell(.empty) }
      return .object([
        ("total", .number(estimate.total, decimals: 3)),
        ("lower", .number(estimate.interval?.lower, decimals: 3)),
        ("upper", .number(estimate.interval?.upper, decimals: 3)),
      ])
    }
    return .object([
      ("variant", .text(projection.variant.name)), ("score", .number(projection.score, decimals: 4)),
      ("quality", .number(projection.quality, decimals: 2)), ("reached", .integer(projection.reached)),
      ("rough", .cell(.flag(projection.isRough))),
      ("smaller_share", .number(projection.smallerShare, decimals: 4)),
      ("converted", .integer(projection.converted)), ("smaller", .integer(projection.smaller)),
      ("out_of_reach", .integer(projection.outOfReach.count)), ("failed", .integer(projection.failed)),
      ("bytes", estimate(projection.bytes)), ("bytes_where_smaller", estimate(projection.bytesWhereSmaller)),
      ("encode_cpu_s", estimate(projection.seconds)), ("files", .rows(files, projection.files)),
    ])
  }

  private static let files: [Column<TriedConversion>] = [
    .text("image", "") { $0.image }, .count("source_bytes", "") { $0.fileBytes },
    .count("bytes", "") { $0.bytes },
    .text("status", "") { $0.isQuick && $0.bytes != nil ? "guessed" : $0.outcome.status.word },
    Column("quality", title: "") { $0.quality.map { .numeral($0.description) } ?? .empty },
    .number("score", "", decimals: 2) { $0.score },
    .number("encode_cpu_s", "", decimals: 3) { $0.seconds },
    .text("reason", "") { $0.outcome.status.reason },
  ]
}

extension TriedConversion.Outcome {
  fileprivate var status: (word: String, reason: String?) {
    switch self {
    case .converted: ("converted", nil)
    case .outOfReach: ("out-of-reach", nil)
    case .impossible(let reason): ("unsupported", reason)
    case .failed(let reason): ("failed", reason)
    }
  }
}

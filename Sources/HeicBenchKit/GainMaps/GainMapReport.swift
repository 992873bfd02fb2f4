import Codecs
import Metrics
import Model
import Pixels
import Reports
import Store

/// Reads of files with a gain map: their parts, and what displays show of them.
enum GainMapReport {
  /// A section of tables; empty if there are no reads.
  static func blocks(_ reads: [CaseRecord]) -> [ReportBlock] {
    guard !reads.isEmpty else { return [] }
    let title = "Gain maps"
    var blocks: [ReportBlock] = [
      .heading(title),
      .paragraph(
        "The base picture and the map that makes it brighter, in bytes as stored. CPU: decoding both and applying "
          + "the whole map."),
      .table(ReportTable(title, columns, reads, fold: .open)),
    ]
    let pictures = reads.flatMap { record in
      (record.figures?.gainMap?.pictures ?? []).map { (record, $0) }
    }
    if !pictures.isEmpty {
      blocks += [
        .paragraph(
          "What a display with this headroom shows, compared with the full HDR original: below the file's own headroom "
            + "every file loses highlights. A sweep measures the base as SDR."
        ),
        .table(ReportTable("With the gain map applied", pictureColumns, pictures, fold: .open)),
      ]
    }
    return blocks
  }

  private static var columns: [Column<CaseRecord>] {
    [
      .code("image", "Image") { $0.key.image.name },
      .text("kinds", "Metadata") { $0.figures?.gainMap?.kinds.joined(separator: ", ") },
      .count("base_bytes", "Base", unit: "bytes") { $0.figures?.gainMap?.baseBytes },
      .count("map_bytes", "Map", unit: "bytes") { $0.figures?.gainMap?.mapBytes },
      .count("map_metadata_bytes", "Its metadata", unit: "bytes") { $0.figures?.gainMap?.metadataBytes },
      .text("map_size", "Map") { $0.figures?.gainMap.map { "\($0.mapWidth)×\($0.mapHeight)" } },
      .count("map_channels", "Channels") { $0.figures?.gainMap?.mapChannels },
      .text("map_scale", "Scale") { $0.figures?.gainMap.map { "1/\(Numerals.short($0.scale))" } },
      .number("headroom", "Headroom", unit: "stops", decimals: 2) { $0.figures?.gainMap?.headroom },
      .number("cpu_ms", "CPU", unit: "ms", decimals: 1) { $0.cpu?.median },
    ]
  }

  private static var pictureColumns: [Column<(record: CaseRecord, picture: GainMapFigures.Picture)>] {
    [
      .code("image", "Image") { $0.record.key.image.name },
      .number("shown_headroom", "Display", unit: "stops", decimals: 2) { $0.picture.headroom },
    ]
      + MetricTraits.hdr.map { metric in
        .number(metric.column, metric.title, unit: metric.unit, decimals: metric.decimals) {
          $0.picture.scores[metric.id]
        }
      }
  }

  static func json(_ record: CaseRecord) -> JSONValue {
    let parts = record.figures?.gainMap
    let pictures = (parts?.pictures ?? []).map { picture in
      JSONValue.object(
        [("headroom", .number(picture.headroom))]
          + MetricTraits.hdr.map { metric in
            (metric.column, .number(picture.scores[metric.id], decimals: metric.decimals))
          })
    }
    return .object([
      ("image", .text(record.key.image.name)),
      ("metadata", .array((parts?.kinds ?? []).map { .text($0) })),
      ("base_bytes", .integer(parts?.baseBytes ?? 0)), ("map_bytes", .integer(parts?.mapBytes ?? 0)),
      ("map_metadata_bytes", .integer(parts?.metadataBytes ?? 0)),
      ("map_width", .integer(parts?.mapWidth ?? 0)), ("map_height", .integer(parts?.mapHeight ?? 0)),
      ("map_channels", .integer(parts?.mapChannels ?? 0)), ("map_scale", .number(parts?.scale)),
      ("headroom", .number(parts?.headroom)), ("cpu_ms", .number(record.cpu?.median)),
      ("pictures", .array(pictures)),
    ])
  }
}

extension GainMapFile {
  var figures: GainMapFigures {
    GainMapFigures(
      kinds: kinds.map(\.rawValue), baseBytes: sizes.base, mapBytes: sizes.map,
      metadataBytes: sizes.metadata, mapWidth: map.width, mapHeight: map.height, mapChannels: mapChannels,
      scale: scale, headroom: metadata.maximumHeadroom)
  }

  /// The parts of a file, or the reason why its map cannot be applied; nil if it has no map.
  static func summary(of bytes: [UInt8]) -> String? {
    do { return try GainMapFile(bytes)?.summary } catch { return "gain map unusable: \(error)" }
  }

  /// `gain map (ISO 21496-1): base 120,000 bytes, map 9,000, metadata 62; 400×300 (1/4), gray; 2.3 stops`.
  private var summary: String {
    "gain map (\(kinds.map(\.rawValue).joined(separator: ", "))): base \(Numerals.grouped(sizes.base)) bytes, map "
      + "\(Numerals.grouped(sizes.map)), metadata \(Numerals.grouped(sizes.metadata)); \(map.width)×\(map.height) "
      + "(1/\(Numerals.short(scale))), \(mapChannels == 1 ? "gray" : "colour"); "
      + "\(Numerals.fixed(metadata.maximumHeadroom, decimals: 2)) stops"
  }
}

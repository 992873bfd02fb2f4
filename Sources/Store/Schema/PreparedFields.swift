import GRDB
import Model
import Pixels

/// The columns of table `prepared`: an image, the steps of its preparation, or why it cannot be used.
enum PreparedFields {
  typealias Field = StoredField<ImageRecord, ImageRecord>

  static let all: [Field] = [
    Field(
      declarations: ["file_bytes INTEGER NOT NULL"], holds: [StoreCondition.whole("file_bytes", 0)],
      write: { [$0.fileBytes.databaseValue] }, read: { $2.fileBytes = try $0.count($1) }),
    header, raster,
    Field(
      declarations: ["pixels INTEGER", "raw_bytes INTEGER"],
      holds: ["pixels", "raw_bytes"].map { StoreCondition.optional($0, StoreCondition.whole($0, 0)) },
      write: { [$0.preparedPixels.databaseValue, $0.rawBytes.databaseValue] }, read: nil),
    Field(
      declarations: ["profile TEXT"], holds: [text("profile")],
      write: { [$0.profile.databaseValue] }, read: { $2.profile = try $0.text($1) }),
    Field(
      declarations: ["steps TEXT"],
      holds: [text("steps"), "(steps IS NULL OR json_valid(steps) AND json_type(steps) = 'array')"],
      write: { $0.steps.isEmpty ? nil : [try StoredJSON.text($0.steps).databaseValue] },
      read: { $2.steps = try $0.text($1).map { try StoredJSON.value([String].self, $0) } ?? [] }),
    Field(
      declarations: ["problem_kind TEXT", "problem TEXT"], holds: [text("problem_kind"), text("problem")],
      write: { $0.problem.map { [$0.kind.rawValue.databaseValue, $0.message.databaseValue] } },
      read: { row, column, record in
        guard let message = try row.text(column + 1) else { return }
        record.problem = Failure(storedKind: try row.text(column), message: message)
      }),
  ]

  static let columns = all.flatMap(\.columns)

  private static let header = Field(
    declarations: [
      "format TEXT", "width INTEGER", "height INTEGER", "bit_depth INTEGER", "layout TEXT", "lossy INTEGER",
    ],
    holds: [
      text("format"), side("width"), side("height"), depth("bit_depth"), text("layout"),
      "(format IS NULL OR width IS NOT NULL AND height IS NOT NULL AND bit_depth IS NOT NULL)",
    ],
    write: {
      $0.header.map { header in
        [
          header.format.databaseValue, header.width.databaseValue, header.height.databaseValue,
          header.bitDepth.databaseValue, header.layout.rawValue.databaseValue, header.isLossy.databaseValue,
        ]
      }
    },
    read: { row, column, record in
      guard let format = try row.text(column), let layout = try layout(row, column + 4) else { return }
      record.header = ImageHeader(
        format: format, width: try row.count(column + 1), height: try row.count(column + 2),
        bitDepth: try row.count(column + 3), layout: layout, isLossy: try row.integer(column + 5) == 1)
    })

  private static let raster = Field(
    declarations: [
      "prepared_width INTEGER", "prepared_height INTEGER", "prepared_depth INTEGER", "prepared_layout TEXT",
    ],
    holds: [
      side("prepared_width"), side("prepared_height"), depth("prepared_depth"), text("prepared_layout"),
    ],
    write: { record in
      [
        record.preparedWidth.databaseValue, record.preparedHeight.databaseValue,
        (record.preparedFormat?.bitDepth).databaseValue,
        (record.preparedFormat?.layout.rawValue).databaseValue,
      ]
    },
    read: { row, column, record in
      record.preparedWidth = try row.integer(column)
      record.preparedHeight = try row.integer(column + 1)
      guard let depth = try row.integer(column + 2), let layout = try layout(row, column + 3) else { return }
      record.preparedFormat = PixelFormat(layout: layout, bitDepth: depth)
    })

  /// Reads the columns that start at an index; nil for an image that has no row.
  static func record(
    _ row: CurrentRow, from first: Int, _ identity: ImageIdentity, _ preparation: String
  ) throws -> ImageRecord? {
    guard try row.integer(first) != nil else { return nil }
    var record = ImageRecord(identity: identity, preparation: preparation, fileBytes: 0)
    var column = first
    for field in all {
      try field.read?(row, column, &record)
      column += field.declarations.count
    }
    return record
  }

  private static func layout(_ row: CurrentRow, _ column: Int) throws -> ChannelLayout? {
    try row.text(column).flatMap(ChannelLayout.init)
  }

  private static func text(_ column: String) -> String {
    StoreCondition.optional(column, StoreCondition.text(column))
  }

  /// A side in pixels; larger ones are impossible, and their product could overflow.
  private static func side(_ column: String) -> String {
    StoreCondition.optional(column, StoreCondition.whole(column, 1, Int(Int32.max)))
  }

  private static func depth(_ column: String) -> String {
    StoreCondition.optional(column, StoreCondition.whole(column, 1, 32))
  }
}

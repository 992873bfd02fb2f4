package import Analysis
package import Model
package import Store

/// The table “against the files themselves”.
package enum FileColumns {
  package static func all(headline: MetricTraits?) -> [Column<FileComparison>] {
    [
      Column("variant", title: "Codec", alignment: .leading) { .code($0.variant.name) },
      Column("target", title: headline?.title ?? "Score", unit: headline?.unit ?? "") {
        .numeral(Numerals.short($0.target))
      },
      Column("file_bytes", title: "Files as they are", unit: "bytes") { Cell(integer: $0.fileBytes) },
      Column("bytes", title: "Converted", unit: "bytes") {
        Cell(number: $0.bytes, decimals: 0)
      },
      Column("bytes_change_percent", title: "Change", unit: "%") {
        Cell(change: $0.changePercent, decimals: 1)
      },
      Column("larger", title: "Files that grow") { Cell(integer: $0.larger) },
      Column("images", title: "Images") { Cell(integer: $0.images) },
      Column("out_of", title: "of") { Cell(integer: $0.outOf) },
    ]
  }

  static let explanation = """
    What the lossy source files take now, and what a conversion of the same pixels takes at a score. The score \
    is against the file as it is: a conversion adds its own loss, and whatever the file holds beside its pixels \
    (camera data, thumbnails, profiles) counts in the file's bytes alone.
    """
}

import Metrics
import Model
import SampleData
import Store
import Testing

struct MeasurementColumnsTests {
  /// The output contract of the design, without the extra columns at its end.
  private static let contract = """
    image,width,height,bit_depth,alpha,source_format,codec,settings,quality,native_quality,status,\
    encoded_bytes,bits_per_pixel,compression_ratio,encode_wall_ms,encode_cpu_ms,decode_wall_ms,\
    decode_cpu_ms,repeats,peak_memory_mib,psnr_y_db,psnr_rgb_db,ssim,ms_ssim,ssimulacra2
    """.split(separator: ",").map(String.init)

  @Test("The contract's columns come first and in order, whatever was measured")
  func order() {
    for metrics in [[], SampleRows.metrics, SampleRows.metrics.reversed()] {
      let names = MeasurementColumns.all(metrics: metrics).map(\.name)
      #expect(names.starts(with: Self.contract))
      #expect(names.last == "error")
      #expect(Set(names).count == names.count)
    }
  }

  @Test("Besides scores, all columns are known to the reader of CSV files")
  func readersNames() {
    let scores = Set(MeasurementColumns.scores(metrics: MetricTraits.hdr).map(\.name))
    let names = MeasurementColumns.all(metrics: MetricTraits.hdr).map(\.name)
    #expect(names.filter { !scores.contains($0) } == CSVColumnNames.header(metrics: []))
    let plain = MeasurementColumns.all(metrics: SampleRows.metrics).map(\.name)
    #expect(
      names.filter { !scores.contains($0) && !plain.contains($0) } == [
        "base_ssimulacra2", "base_bytes", "map_bytes",
      ])
  }

  @Test("An external metric gets its column after the standard ones")
  func outsideMetric() {
    let names = MeasurementColumns.all(metrics: SampleRows.metrics).map(\.name)
    #expect(names[Self.contract.count] == "outside")
  }

  @Test("Every field of a row has a column")
  func everyField() {
    let full = MeasurementColumns.all(metrics: SampleRows.metrics).map { $0.cell(SampleRows.mixed[1]) }
    let names = MeasurementColumns.all(metrics: SampleRows.metrics).map(\.name)
    let empty = zip(names, full).filter { $1 == .empty }.map(\.0)
    #expect(
      empty == [
        "psnr_rgb_db", "ms_ssim", "imported_file", "imported_format", "imported_making",
        "metadata_bytes", "chroma_bound_ssimulacra2", "processor", "remarks", "error",
      ])
  }

  @Test("The row of an unreadable image has a name, a status and a cause")
  func unreadable() {
    var row = ResultRow(image: "broken.png", status: .failed)
    row.error = "not a PNG"
    let writer = RowWriter(csv: MeasurementColumns.all(metrics: []))
    let line = writer.text([row]).split(separator: "\n")[1]
    #expect(
      line.replacing(",", with: " ").split(separator: " ") == ["broken.png", "failed", "not", "a", "PNG"])
  }
}

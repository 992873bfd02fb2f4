import GRDB
package import Model

extension ResultStore {
  /// The measured points of an image: their files, scores, memory of the decode, and median times, whatever
  /// their run.
  package func points(
    of image: ImageIdentity, preparation: String
  ) throws(StoreError) -> [Case: Figures] {
    try read { db in
      let dictionary = try StoreDictionary(db)
      let metrics = StoredMetric.of(nil, among: dictionary.metrics)
      let columns =
        ["setup", "quality", "bytes", "hash", "encode_wall", "encode_cpu", "decode_wall", "decode_cpu"]
        + ["decode_peak"] + metrics.map(\.column)
      let statement = try db.cachedStatement(
        sql: """
          SELECT \(columns.map { "p.\($0)" }.joined(separator: ", "))
          FROM image i JOIN result p ON p.image = i.id AND p.way = '' AND p.status = \(StoreWriter.Status.measured)
          WHERE i.name = ? AND i.hash = ?
          """)
      let rows = try Row.fetchCursor(
        statement, arguments: [image.name, StoredHash.value(image.contentHash)])
      let row = CurrentRow(of: statement)
      func samples(_ column: Int) throws -> [TimingSample] {
        guard let wall = try row.integer(column), let cpu = try row.integer(column + 1) else { return [] }
        return [TimingSample(wallNanoseconds: Int64(wall), cpuNanoseconds: Int64(cpu))]
      }
      var points: [Case: Figures] = [:]
      while try rows.next() != nil {
        guard let setup = dictionary.setups[Int64(try row.count(0))], setup.preparation == preparation,
          let quality = Quality(thousandths: try row.count(1))
        else { continue }
        let key = Case(
          image: image, preparation: preparation, variant: setup.variant, quality: quality,
          libraries: setup.libraries)
        var figures = Figures(encodedBytes: try row.count(2), encodedHash: try row.hash(3))
        (figures.timing.encode, figures.timing.decode) = (try samples(4), try samples(6))
        figures.figures[.decodePeak] = try row.integer(8)
        for (index, metric) in metrics.enumerated() {
          figures.scores[metric.name] = try row.number(9 + index)
        }
        points[key] = figures
      }
      return points
    }
  }

  /// The digests of all files ever encoded from images of a name, whatever their content and the libraries.
  package func encodedHashes(
    image name: String, variant: CodecVariant, quality: Quality
  ) throws(StoreError) -> Set<String> {
    try read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT p.hash FROM image i JOIN result p ON p.image = i.id AND p.way = '' JOIN setup s ON s.id = p.setup
          WHERE i.name = ? AND s.codec = ? AND s.build = ? AND s.settings = ? AND p.quality = ? AND p.hash IS NOT NULL
          """,
        arguments: [
          name, variant.codec, variant.build ?? "", try StoredJSON.text(variant.settings),
          quality.thousandths,
        ])
      return Set(try rows.map { try $0.hash(0) })
    }
  }
}

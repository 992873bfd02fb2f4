import GRDB
package import Model

extension ResultStore {
  /// The measured points of an image from any run: files, scores, memory of the decode, and median times with their
  /// origin.
  package func points(
    of image: ImageIdentity, preparation: String
  ) throws(StoreError) -> [Case: CaseRecord] {
    try read { db in
      guard let number = try StoreIdentifiers.image(image, db) else { return [:] }
      let dictionary = try StoreDictionary(db)
      let metrics = StoredMetric.of(nil, among: dictionary.metrics)
      let columns =
        ["setup", "quality", "bytes", "hash", "encode_wall", "encode_cpu", "decode_wall", "decode_cpu"]
        + ["decode_peak", "run"] + metrics.map(\.column)
      let sql = """
        SELECT \(columns.map { "p.\($0)" }.joined(separator: ", ")), \(RunView.originColumns)
        FROM result p LEFT JOIN run u ON u.id = p.run
        WHERE p.image = ? AND p.way = '' AND p.status = \(ResultRow.Status.measured.number)
        """
      func samples(_ row: CurrentRow, _ column: Int) throws -> [TimingSample] {
        guard let wall = try row.integer(column), let cpu = try row.integer(column + 1) else { return [] }
        return [TimingSample(wallNanoseconds: Int64(wall), cpuNanoseconds: Int64(cpu))]
      }
      var points: [Case: CaseRecord] = [:]
      try db.forEach(sql, [number]) { row in
        guard let setup = dictionary.setups[try row.number(of: 0)], setup.preparation == preparation,
          let quality = Quality(thousandths: try row.count(1))
        else { return }
        let key = Case(
          image: image, preparation: preparation, variant: setup.variant, quality: quality,
          libraries: setup.libraries)
        var figures = Figures(encodedBytes: try row.count(2), encodedHash: try row.hash(3))
        (figures.timing.encode, figures.timing.decode) = (try samples(row, 4), try samples(row, 6))
        figures.figures[.decodePeak] = try row.integer(8)
        for (index, metric) in metrics.enumerated() {
          figures.scores[metric.name] = try row.number(10 + index)
        }
        let origin = try row.integer(9).map { _ in try RunView.origin(row, from: columns.count) }
        points[key] = CaseRecord(key: key, outcome: .measured(figures), timesOrigin: origin)
      }
      return points
    }
  }

  /// The digests of all files ever encoded from images with a name, whatever their content and libraries.
  package func encodedHashes(
    image name: String, variant: CodecVariant, quality: Quality
  ) throws(StoreError) -> Set<String> {
    try read { db in
      let sql = """
        SELECT p.hash FROM image i JOIN result p ON p.image = i.id AND p.way = '' JOIN setup s ON s.id = p.setup
        WHERE i.name = ? AND s.codec = ? AND s.build = ? AND s.settings = ? AND p.quality = ? AND p.hash IS NOT NULL
        """
      let settings = try StoredJSON.text(variant.settings)
      return Set(
        try db.map(sql, [name, variant.codec, variant.build ?? "", settings, quality.thousandths]) {
          try $0.hash(0)
        })
    }
  }
}

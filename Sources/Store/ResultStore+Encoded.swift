import GRDB
package import Model

package struct EncodedIdentity: Sendable, Hashable {
  /// SHA-256, 64 hexadecimal digits.
  package let hash: String
  package let bytes: Int
  /// The score by the metric that was asked for.
  package var score: Double?
}

extension ResultStore {
  /// The measured points of an image, whatever their run.
  /// - Parameter metric: The identifier of a metric of heicbench's own.
  package func encodedFiles(
    of image: ImageIdentity, preparation: String, metric: String? = nil
  ) throws(StoreError) -> [Case: EncodedIdentity] {
    try read { db in
      let dictionary = try StoreDictionary(db)
      let score = dictionary.metrics.first { $0.stored == metric }.map { "p.\($0.column)" } ?? "NULL"
      let rows = try Row.fetchCursor(
        db.cachedStatement(
          sql: """
            SELECT p.setup, p.quality, p.hash, p.bytes, \(score)
            FROM image i JOIN result p ON p.image = i.id AND p.way = ''
            WHERE i.name = ? AND i.hash = ? AND p.status = \(StoreWriter.Status.measured)
            """),
        arguments: [image.name, StoredHash.value(image.contentHash)])
      var files: [Case: EncodedIdentity] = [:]
      while let row = try rows.next() {
        guard let setup = dictionary.setups[Int64(try row.required(0, Row.integer))],
          setup.preparation == preparation,
          let quality = Quality(thousandths: try row.required(1, Row.integer))
        else { continue }
        let key = Case(
          image: image, preparation: preparation, variant: setup.variant, quality: quality,
          libraries: setup.libraries)
        files[key] = EncodedIdentity(
          hash: try row.hash(2), bytes: try row.required(3, Row.integer), score: try row.number(4))
      }
      return files
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

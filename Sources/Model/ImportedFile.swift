/// A folder of files that another encoder made from a run's originals, with their name in the results.
package struct ImportedSeries: Sendable, Hashable, Codable {
  /// The name used in place of a codec's in all results.
  package var name: String
  /// The folder as given, printable.
  package var folder: String

  package init(name: String, folder: String) {
    (self.name, self.folder) = (name, folder)
  }

  /// The variant used as a key for its files.
  package var variant: CodecVariant { CodecVariant(codec: name) }
}

extension Case {
  /// A file of a series, made from an original under a preparation.
  package init(image: ImageIdentity, preparation: String, series: String, file: String) {
    self.init(
      image: image, preparation: preparation, variant: CodecVariant(codec: series), encodedAt: nil,
      way: .imported(file: file), libraries: "")
  }

  package var series: String { variant.codec }
  /// The path of an imported file below the series' folder, printable.
  package var file: String { if case .imported(let file) = way { file } else { "" } }
}

/// A worker's results for a file that another encoder made from the open image.
package struct ImportedMeasurement: Sendable, Hashable, Codable {
  /// File size with all its contents.
  package var bytes: Int
  /// Bytes outside the picture and its transparency: profile, metadata, previews. Nil in records of versions without
  /// this figure.
  package var metadataBytes: Int?
  /// The format by content: `heic`.
  package var format: String
  package var making: FileMaking
  /// The libraries that decoded it, canonically spelled; empty for formats that need none.
  package var decoder: String
  package var decode: TimingSample
  /// The requested metrics.
  package var asked: [String]
  /// Score by metric identifier; a metric undefined for the image is absent.
  package var scores: [String: Double]
  /// Changes made to the pixels before scoring, a short phrase each.
  package var steps: [String]
  /// Reasons for missing scores of external metric programs, by identifier.
  package var failedScores: [String: String]?
  /// Digests of external metric programs, as in `RunManifest.metricPrograms`.
  package var metricPrograms: [String: String]?

  package init(
    bytes: Int, format: String, making: FileMaking, decoder: String, decode: TimingSample,
    asked: [String], scores: [String: Double], steps: [String]
  ) {
    (self.bytes, self.format, self.making, self.decoder) = (bytes, format, making, decoder)
    (self.decode, self.asked, self.scores, self.steps) = (decode, asked, scores, steps)
  }
}

extension ImportedMeasurement {
  /// False for values that heicbench could not have written.
  var isPossible: Bool {
    Bound.bytes.contains(bytes) && decode.wallNanoseconds >= 0 && decode.cpuNanoseconds >= 0
      && (0..<bytes).contains(metadataBytes ?? 0) && !scores.values.contains(where: \.isNaN)
  }

  /// Drops scores of programs that differ from another run's program of the same name: they belong to another metric.
  package func scored(by programs: [String: String]?) -> ImportedMeasurement {
    guard let own = metricPrograms else { return self }
    var measurement = self
    for (id, program) in own where programs?[id] != program {
      measurement.scores[id] = nil
      measurement.asked.removeAll { $0 == id }
    }
    return measurement
  }
}

extension Figures {
  package init(imported file: ImportedMeasurement) {
    self.init(bytes: file.bytes, detail: .imported(file))
  }

  package var imported: ImportedMeasurement? { if case .imported(let file) = detail { file } else { nil } }
}

extension CaseRecord {
  /// The figures of an imported file; nil for a refused one.
  package var imported: ImportedMeasurement? { figures?.imported }

  /// An imported file without scores of programs other than these.
  package func scored(by programs: [String: String]?) -> CaseRecord {
    guard let imported else { return self }
    var record = self
    record.outcome = .measured(Figures(imported: imported.scored(by: programs)))
    return record
  }
}

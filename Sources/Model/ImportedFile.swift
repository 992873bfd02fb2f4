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

/// The key of an imported file's result.
package struct ImportKey: Sendable, Hashable, Codable {
  package var image: ImageIdentity
  /// The preparation of the original, canonically spelled.
  package var preparation: String
  package var series: String
  /// The path below the series' folder, printable.
  package var file: String

  package init(image: ImageIdentity, preparation: String, series: String, file: String) {
    (self.image, self.preparation, self.series, self.file) = (image, preparation, series, file)
  }
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

/// The result of an import.
package enum ImportVerdict: Sendable, Hashable, Codable {
  /// Decoded and scored.
  case measured(ImportedMeasurement)
  /// Unusable, or not a picture of the original.
  case refused(Failure)
}

extension ImportVerdict {
  /// Drops scores of programs that differ from another run's program of the same name: they belong to another metric.
  package func scored(by programs: [String: String]?) -> ImportVerdict {
    guard case .measured(var measurement) = self, let own = measurement.metricPrograms else { return self }
    for (id, program) in own where programs?[id] != program {
      measurement.scores[id] = nil
      measurement.asked.removeAll { $0 == id }
    }
    return .measured(measurement)
  }
}

package struct ImportRecord: Sendable, Hashable, Codable {
  package var key: ImportKey
  package var hash: String
  package var outcome: ImportVerdict

  package init(key: ImportKey, hash: String, outcome: ImportVerdict) {
    (self.key, self.hash, self.outcome) = (key, hash, outcome)
  }
}

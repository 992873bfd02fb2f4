/// A folder of files that another encoder made of a run's originals, under the name that its results have.
package struct ImportedSeries: Sendable, Hashable, Codable {
  /// The name: it stands where a codec's stands in all results.
  package var name: String
  /// The folder as it was given, printable.
  package var folder: String

  /// Names a folder.
  package init(name: String, folder: String) {
    (self.name, self.folder) = (name, folder)
  }

  /// The variant that its files are filed under.
  package var variant: CodecVariant { CodecVariant(codec: name) }
}

/// What a result of an imported file is filed under.
package struct ImportKey: Sendable, Hashable, Codable {
  /// The original.
  package var image: ImageIdentity
  /// How the original was prepared, canonically spelled.
  package var preparation: String
  /// The name of the series.
  package var series: String
  /// The file's path below the folder of its series, printable.
  package var file: String

  /// Names a file of an original.
  package init(image: ImageIdentity, preparation: String, series: String, file: String) {
    (self.image, self.preparation, self.series, self.file) = (image, preparation, series, file)
  }
}

/// What a worker finds out about a file that another encoder made of the open image.
package struct ImportedMeasurement: Sendable, Hashable, Codable {
  /// Size of the file in bytes, with all that is in it.
  package var bytes: Int
  /// How many of them are neither the picture's nor its transparency's: profile, metadata, previews. Nil in records of
  /// versions that did not look.
  package var metadataBytes: Int?
  /// Its format by content: `heic`.
  package var format: String
  /// What it tells of how it was made.
  package var making: FileMaking
  /// The libraries that decoded it, canonically spelled; empty for formats without any of note.
  package var decoder: String
  /// What the decode took.
  package var decode: TimingSample
  /// The metrics that were asked for.
  package var asked: [String]
  /// Score by metric identifier; a metric that is not defined for the image is absent.
  package var scores: [String: Double]
  /// What was done to the pixels before they were scored, a short phrase each.
  package var steps: [String]
  /// Why metrics that are programs gave no score, by identifier.
  package var failedScores: [String: String]?
  /// What stood behind the metrics that are programs, as in the manifest of a run.
  package var metricPrograms: [String: String]?

  /// States what was found.
  package init(
    bytes: Int, format: String, making: FileMaking, decoder: String, decode: TimingSample,
    asked: [String], scores: [String: Double], steps: [String]
  ) {
    (self.bytes, self.format, self.making, self.decoder) = (bytes, format, making, decoder)
    (self.decode, self.asked, self.scores, self.steps) = (decode, asked, scores, steps)
  }
}

/// What became of an imported file.
package enum ImportVerdict: Sendable, Hashable, Codable {
  /// It was decoded and scored.
  case measured(ImportedMeasurement)
  /// It cannot be used, or is no picture of the original.
  case refused(Failure)
}

extension ImportVerdict {
  /// The same without scores of programs that another run had under the name: they are another metric's.
  package func scored(by programs: [String: String]?) -> ImportVerdict {
    guard case .measured(var measurement) = self, let own = measurement.metricPrograms else { return self }
    for (id, program) in own where programs?[id] != program {
      measurement.scores[id] = nil
      measurement.asked.removeAll { $0 == id }
    }
    return .measured(measurement)
  }
}

/// An imported file with what became of it.
package struct ImportRecord: Sendable, Hashable, Codable {
  /// What it is filed under.
  package var key: ImportKey
  /// SHA-256 of the file.
  package var hash: String
  /// What became of it.
  package var outcome: ImportVerdict

  /// States a record.
  package init(key: ImportKey, hash: String, outcome: ImportVerdict) {
    (self.key, self.hash, self.outcome) = (key, hash, outcome)
  }
}

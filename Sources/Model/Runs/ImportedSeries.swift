/// A folder of files that another encoder made from a run's originals, and the name for them in the results.
package struct ImportedSeries: Sendable, Hashable, Codable {
  /// The name used instead of a codec's name in all results.
  package var name: String
  /// The folder as given, printable.
  package var folder: String

  package init(name: String, folder: String) {
    (self.name, self.folder) = (name, folder)
  }

  package var variant: CodecVariant { CodecVariant(codec: name) }
}

extension Case {
  package init(image: ImageIdentity, preparation: String, series: String, file: String) {
    self.init(
      image: image, preparation: preparation, variant: CodecVariant(codec: series), encodedAt: nil,
      way: .imported(file: file), libraries: "")
  }

  package var series: String { variant.codec }
  /// The path of an imported file below the series' folder, printable.
  package var file: String { if case .imported(let file) = way { file } else { "" } }
}

extension CaseRecord {
  /// The imported file without scores of programs that differ from a run's programs of the same name, since those
  /// belong to another metric.
  package func scored(by programs: [String: String]?) -> CaseRecord {
    guard var figures, let own = figures.metricPrograms else { return self }
    for (id, program) in own where programs?[id] != program {
      figures.scores[id] = nil
      figures.asked?.removeAll { $0 == id }
    }
    var record = self
    record.outcome = .measured(figures)
    return record
  }
}

extension Figures {
  /// The figures of a chain; all its encodes had the same quality.
  package init(chain: [Figures], at quality: Quality, asked: [String]) {
    self.init(nativeQuality: quality.thousandths / 10, encodedBytes: chain.first?.encodedBytes ?? 0)
    (generations, self.asked) = (chain, asked)
  }

  /// The quality found for a chain, kept as a native quality because searches try whole numbers.
  var searchedQuality: Quality? { Quality(native: nativeQuality) }
}

extension CaseRecord {
  package var chain: [Figures] { figures?.generations ?? [] }

  /// The quality of every encode of a chain; nil if none reaches the requested score.
  package var chainQuality: Quality? { key.encodedAt ?? figures?.searchedQuality }
}

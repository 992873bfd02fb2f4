internal import Model

// What the points themselves say about how the two runs were made.
extension GateComparison {
  /// The variants that are compared with the same codec under other settings.
  func settingsChanges(variants: [CodecVariant]) -> [RunChange] {
    columns.sorted { $0.key < $1.key }.filter { $0.value.partner != $0.key }.map { variant, column in
      RunChange(
        what: "settings of \(variants[variant].codec)", before: variants[column.partner].name,
        after: variants[variant].name)
    }
  }

  /// The variants whose library versions differ.
  func libraryChanges(libraries: [String], variants: [CodecVariant]) -> [RunChange] {
    columns.sorted { $0.key < $1.key }.flatMap { variant, column in
      column.libraryPairs.filter { $0.before != $0.after }.sorted().map { pair in
        RunChange(
          what: "libraries of \(variants[variant].name)", before: libraries[pair.before],
          after: libraries[pair.after])
      }
    }
  }
}

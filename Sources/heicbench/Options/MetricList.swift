import Metrics
import Model

/// The value of `--metrics`: identifiers with commas between, `all`, or `none`.
struct MetricList: ParsedValue, Equatable {
  let identifiers: [String]

  static var all: MetricList { MetricList(identifiers: MetricTraits.standard.map(\.id)) }

  init(identifiers: [String]) { self.identifiers = identifiers }

  init(parsing text: String) throws(MetricError) {
    switch text {
    case "all": self = .all
    case "none": self.init(identifiers: [])
    default:
      var seen: Set<String> = []
      let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      let identifiers = names.filter { seen.insert($0).inserted }
      let known = MetricTraits.standard.map(\.id)
      if let unknown = identifiers.first(where: { !known.contains($0) }) {
        throw .unknownMetric(
          "no metric “\(unknown)”\(suggestion(for: unknown, among: known)); there are "
            + "\(known.joined(separator: ", ")), all and none")
      }
      self.init(identifiers: identifiers)
    }
  }
}

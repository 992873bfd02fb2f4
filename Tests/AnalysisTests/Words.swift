@testable import Analysis
@testable import Reports

// Figures are asserted as they are read, in words, where words say all that matters of them.

extension Analysis {
  var wording: Wording { Wording(self) }
  /// The first verdict's sentence.
  var sentence: String { wording.sentence(verdicts[0]) }
  /// What adds to it.
  var details: [String] { wording.details(verdicts[0]) }
}

extension GateReport {
  var wording: GateWording { GateWording(self) }
}

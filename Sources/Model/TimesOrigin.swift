/// Where times come from: a machine, and how many jobs ran on it side by side.
package struct TimesOrigin: Sendable, Hashable, Codable {
  /// The host's name.
  package var host: String
  /// The processor's model name.
  package var processor: String
  /// Jobs side by side. The exclusive pass runs one whatever this says.
  package var jobs: Int
  /// By how many per cent the machine drifted during the run's exclusive pass; nil where there was none.
  package var driftPercent: Double?

  /// Names an origin.
  package init(host: String, processor: String, jobs: Int, driftPercent: Double? = nil) {
    self.host = host
    self.processor = processor
    self.jobs = jobs
    self.driftPercent = driftPercent
  }
}

extension MachineDescription {
  /// Whether times of this origin are this machine's. A merged run has several machines, whose names are joined
  /// by commas.
  package func includes(_ origin: TimesOrigin) -> Bool {
    Self.contains(host, origin.host) && Self.contains(processor, origin.processor)
  }

  private static func contains(_ names: String, _ name: String) -> Bool {
    names == name || names.split(separator: ", ").contains { $0 == name }
  }
}

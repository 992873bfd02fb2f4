/// The origin of times: a machine, and the number of parallel jobs on it.
package struct TimesOrigin: Sendable, Hashable, Codable {
  package var host: String
  package var processor: String
  /// Parallel jobs. The exclusive pass always runs one.
  package var jobs: Int
  /// The machine's drift during the run's exclusive pass, in percent; nil without such a pass.
  package var driftPercent: Double?

  package init(host: String, processor: String, jobs: Int, driftPercent: Double? = nil) {
    self.host = host
    self.processor = processor
    self.jobs = jobs
    self.driftPercent = driftPercent
  }
}

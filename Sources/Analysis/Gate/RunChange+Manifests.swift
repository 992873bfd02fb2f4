internal import Model

extension RunChange {
  /// What the manifests of two runs say differently, as far as it bears on figures. Library versions come from
  /// the rows, which have them for each point.
  static func between(_ before: RunManifest?, _ after: RunManifest?) -> [RunChange] {
    guard let before, let after else { return [] }
    let pairs: [(String, String, String)] = [
      ("heicbench", before.version, after.version),
      ("preparation", before.preparation.canonicalSpelling, after.preparation.canonicalSpelling),
      ("qualities", spelling(before), spelling(after)),
      ("host", before.machine.host, after.machine.host),
      ("processor", before.machine.processor, after.machine.processor),
      ("system", before.machine.system, after.machine.system),
      ("cores", "\(before.machine.cores)", "\(after.machine.cores)"),
      ("jobs", "\(before.jobs)", "\(after.jobs)"),
      ("threads", threads(before), threads(after)),
      ("repeats", "\(before.repeats)", "\(after.repeats)"),
    ]
    return pairs.filter { $0.1 != $0.2 }.map { RunChange(what: $0.0, before: $0.1, after: $0.2) }
  }

  /// Why times of the two runs cannot be compared; nil where they can.
  static func timeObstacle(_ before: RunManifest?, _ after: RunManifest?) -> String? {
    guard let before, let after else { return "the machine of one side is not known" }
    if before.machine.host != after.machine.host || before.machine.processor != after.machine.processor {
      return "they come from different machines"
    }
    if before.jobs != after.jobs { return "\(before.jobs) and \(after.jobs) jobs ran side by side" }
    return threads(before) == threads(after) ? nil : "encoders had different numbers of threads"
  }

  /// Whether host, jobs and threads agree.
  static func timesAreComparable(_ before: RunManifest?, _ after: RunManifest?) -> Bool {
    timeObstacle(before, after) == nil
  }

  private static func spelling(_ manifest: RunManifest) -> String {
    manifest.target ?? QualityList(manifest.qualities).description
  }

  /// Threads by codec, since variants may differ between runs.
  private static func threads(_ manifest: RunManifest) -> String {
    Set(manifest.variants.map { "\($0.variant.codec) \($0.threads)" }).sorted().joined(separator: ", ")
  }
}

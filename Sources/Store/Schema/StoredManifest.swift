import Model
import Synchronization

/// Decodes run descriptions, possibly from a stranger, and checks them, so that later code need not check for
/// impossible values.
enum StoredManifest {
  /// The maximum length of a list; real lists of variants, metrics and roots fit into a command line.
  private static let longestList = 100_000
  private static let decimals = 0...15
  private static let counts = 0...1_000_000_000_000
  /// Sums of the sizes that headers claim, with room to project them.
  private static let pixels = 0...1e40

  /// The last manifest read, with its text: a run's manifest is read again for every few images.
  private static let recent = Mutex<(text: String, manifest: RunManifest)?>(nil)

  static func value(_ text: String) throws -> RunManifest {
    if let known = recent.withLock({ $0?.text == text ? $0?.manifest : nil }) { return known }
    let manifest = try StoredJSON.value(RunManifest.self, text)
    if let problem = problem(of: manifest) {
      throw DecodingError.dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: problem))
    }
    recent.withLock { $0 = (text, manifest) }
    return manifest
  }

  private static func problem(of manifest: RunManifest) -> String? {
    let lists = [
      manifest.roots.count, manifest.command.count, manifest.variants.count, manifest.metrics.count,
      manifest.passedOver.count, manifest.imports?.count ?? 0,
      manifest.unread?.count ?? 0,
    ]
    if lists.contains(where: { $0 > longestList }) { return "a list is too long" }
    if manifest.qualities.count > 1001 { return "more qualities than exist" }
    for metric in manifest.metrics {
      guard decimals.contains(metric.decimals) else { return "a metric with \(metric.decimals) decimals" }
      guard counts.contains(metric.minimumSide) else {
        return "a metric from \(metric.minimumSide) pixels up"
      }
    }
    let numbers =
      [manifest.jobs, manifest.repeats, manifest.machine.cores] + manifest.variants.map(\.threads)
      + manifest.passedOver.values + (manifest.unread ?? []).map(\.files)
    guard numbers.allSatisfy(counts.contains), manifest.machine.memoryBytes >= 0,
      (manifest.unread ?? []).allSatisfy({ $0.bytes >= 0 })
    else {
      return "a count is out of range"
    }
    return manifest.sample.flatMap(problem(of:))
  }

  private static func problem(of sample: DrawnSample) -> String? {
    let isPossible =
      counts.contains(sample.images) && counts.contains(sample.population)
      && sample.images <= sample.population && sample.largestPixels ?? 0 >= 0
      && pixels.contains(sample.pixels) && pixels.contains(sample.populationPixels)
    return isPossible ? nil : "an impossible sample"
  }
}

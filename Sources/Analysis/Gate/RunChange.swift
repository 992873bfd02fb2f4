package import Model
package import Store

/// A difference between the circumstances of two runs.
package struct RunChange: Sendable, Hashable {
  package enum Subject: Sendable, Hashable {
    case settings(codec: String)
    case libraries(CodecVariant)
    /// Bytes of an image's source, by the start of its hash.
    case source(image: String)
    case preparedSize(image: String)
    case furtherSources(Int)
    case goneImages(NameList)
    case newImages(NameList)
    case qualities(gone: [Quality], new: [Quality])
    case variants(gone: [CodecVariant], added: [CodecVariant])
    case manifest(String)
  }

  package var subject: Subject
  /// Nil if the subject says it all.
  package var before: String?
  package var after: String?

  init(_ subject: Subject, before: String? = nil, after: String? = nil) {
    (self.subject, self.before, self.after) = (subject, before, after)
  }
}

/// Names in order of arrival, of which the first few are kept.
package struct NameList: Sendable, Hashable {
  private static let limit = 5
  package private(set) var count = 0
  package private(set) var first: [String] = []

  package init() {}

  /// Adds a new name; duplicates are not detected.
  package mutating func add(_ name: String) {
    count += 1
    if first.count < Self.limit { first.append(name) }
  }
}

package enum GateRemark: Sendable, Hashable {
  case newVariants([CodecVariant])
  case timesNotCompared(TimeObstacle)
  /// Points missing from the baseline, and the images and qualities that are entirely new.
  case newPoints(Int, images: NameList, qualities: [Quality])
  case mended(points: Int)
  case mendedImages(NameList)
  case unusableImages(NameList)
  /// Images of the baseline with another name, as `old → new`; they are compared all the same.
  case renamedImages(NameList)
  case unknownLibraries
  /// Thresholds of the committed file without figures.
  case idleThresholds([String])
  case unfinishedBaseline(RunProgress)
}

/// Reason why times of two runs cannot be compared.
package enum TimeObstacle: Sendable, Hashable {
  /// One side has no manifest.
  case unknownMachine
  case differentMachines
  case jobs(Int, Int)
  case threads
  /// Reads or tiles that were not timed on one machine, with the same jobs, on both sides.
  case origins

  /// Returns the obstacle between two runs; nil if their times are comparable.
  static func between(_ before: RunManifest?, _ after: RunManifest?) -> TimeObstacle? {
    guard let before, let after else { return .unknownMachine }
    if before.machine.host != after.machine.host || before.machine.processor != after.machine.processor {
      return .differentMachines
    }
    if before.jobs != after.jobs { return .jobs(before.jobs, after.jobs) }
    return before.threadsByCodec == after.threadsByCodec ? nil : .threads
  }
}

extension RunChange {
  /// Returns the differences of two manifests that bear on figures. Library versions come from the rows.
  static func between(_ before: RunManifest?, _ after: RunManifest?) -> [RunChange] {
    guard let before, let after else { return [] }
    let fields: [(name: String, value: (RunManifest) -> String)] = [
      ("heicbench", \.version), ("preparation", \.preparation.canonicalSpelling),
      ("qualities", { $0.target ?? QualityList($0.qualities).description }), ("host", \.machine.host),
      ("processor", \.machine.processor), ("system", \.machine.system), ("cores", { "\($0.machine.cores)" }),
      ("jobs", { "\($0.jobs)" }), ("threads", \.threadsByCodec), ("repeats", { "\($0.repeats)" }),
    ]
    return fields.filter { $0.value(before) != $0.value(after) }.map {
      RunChange(.manifest($0.name), before: $0.value(before), after: $0.value(after))
    }
  }
}

extension RunManifest {
  /// Threads by codec, since variants may differ between runs.
  fileprivate var threadsByCodec: String {
    Set(variants.map { "\($0.variant.codec) \($0.threads)" }).sorted().joined(separator: ", ")
  }
}

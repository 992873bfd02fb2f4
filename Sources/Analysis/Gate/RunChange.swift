package import Model
package import Store

/// A difference between the circumstances of two runs.
package struct RunChange: Sendable, Hashable {
  /// What differs.
  package enum Subject: Sendable, Hashable {
    /// The settings under which a codec was compared with itself.
    case settings(codec: String)
    /// The library versions of a variant.
    case libraries(CodecVariant)
    /// The bytes of an image's source, by the start of its hash.
    case source(image: String)
    /// The size of an image's prepared raster.
    case preparedSize(image: String)
    /// So many further images are not the same.
    case furtherSources(Int)
    /// Images that only the baseline has.
    case goneImages(NameList)
    /// Images that only the run has.
    case newImages(NameList)
    /// Qualities that only one side has.
    case qualities(gone: [Quality], new: [Quality])
    /// Variants that only one side has.
    case variants(gone: [CodecVariant], added: [CodecVariant])
    /// A field of the manifest, by its name.
    case manifest(String)
  }

  /// What differs.
  package var subject: Subject
  /// The baseline's value; nil where the subject tells it.
  package var before: String?
  /// The run's value.
  package var after: String?

  package init(_ subject: Subject, before: String? = nil, after: String? = nil) {
    self.subject = subject
    self.before = before
    self.after = after
  }
}

/// Names in the order in which they came, of which the first few are told.
package struct NameList: Sendable, Hashable {
  private static let limit = 5
  /// How many there are.
  package private(set) var count = 0
  /// The first few.
  package private(set) var first: [String] = []

  package init() {}

  /// Adds a name that was not added before.
  package mutating func add(_ name: String) {
    count += 1
    if first.count < Self.limit { first.append(name) }
  }
}

/// What is worth knowing about a comparison and fails nothing.
package enum GateRemark: Sendable, Hashable {
  /// Variants that the baseline does not have.
  case newVariants([CodecVariant])
  /// Why times are not compared.
  case timesNotCompared(TimeObstacle)
  /// Points that the baseline does not have, and the images and qualities that are new as a whole.
  case newPoints(Int, images: NameList, qualities: [Quality])
  /// Points that failed in the baseline.
  case mended(points: Int)
  /// Images that could not be used in the baseline.
  case mendedImages(NameList)
  /// Images that cannot be used, and could not be in the baseline.
  case unusableImages(NameList)
  /// Images of the baseline that go by another name, as `old → new`, and are compared all the same.
  case renamedImages(NameList)
  /// Library versions are not known on both sides.
  case unknownLibraries
  /// Thresholds of the committed file that nothing was held against.
  case idleThresholds([String])
  /// The baseline's own run did not come to its end.
  case unfinishedBaseline(RunProgress)
}

/// Why times of two runs cannot be compared.
package enum TimeObstacle: Sendable, Hashable {
  /// One side has no manifest.
  case unknownMachine
  case differentMachines
  /// Other numbers of points were measured side by side.
  case jobs(Int, Int)
  /// Encoders had other numbers of threads.
  case threads

  /// The obstacle between two runs; nil where their times can be compared.
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
  /// What the manifests of two runs say differently, as far as it bears on figures. Library versions come from
  /// the rows, which have them for each point.
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

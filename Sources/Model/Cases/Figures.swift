package struct TimingSample: Sendable, Hashable, Codable {
  /// Time on the monotonic clock, in nanoseconds.
  package var wallNanoseconds: Int64
  /// CPU time of the whole process with all threads, in nanoseconds.
  package var cpuNanoseconds: Int64

  package init(wallNanoseconds: Int64, cpuNanoseconds: Int64) {
    self.wallNanoseconds = wallNanoseconds
    self.cpuNanoseconds = cpuNanoseconds
  }
}

/// Repeats of the timed calls at one point, under the same conditions, in order.
package struct TimingSeries: Sendable, Hashable, Codable {
  package enum Conditions: String, Sendable, Hashable, Codable {
    /// Other jobs of the sweep ran at the same time: CPU time is valid, wall time is not.
    case contended
    /// The sweep ran one job, neither pinned nor interleaved.
    case single
    /// The exclusive timing pass: one pinned child, interleaved order, warm-up discarded.
    case exclusive
  }

  package var conditions: Conditions
  private var samples: [TimedOperation: [TimingSample]] = [:]

  package init(conditions: Conditions, encode: [TimingSample], decode: [TimingSample]) {
    self.conditions = conditions
    (self.encode, self.decode) = (encode, decode)
  }

  package subscript(operation: TimedOperation) -> [TimingSample] {
    get { samples[operation] ?? [] }
    set { samples[operation] = newValue.isEmpty ? nil : newValue }
  }

  package var encode: [TimingSample] {
    get { self[.encode] }
    set { self[.encode] = newValue }
  }

  package var decode: [TimingSample] {
    get { self[.decode] }
    set { self[.decode] = newValue }
  }
}

package struct Figures: Sendable, Hashable {
  /// The quality on the codec's own scale.
  package var nativeQuality: Int
  package var encodedBytes: Int
  /// SHA-256 of the encoded file, 64 hexadecimal digits.
  package var encodedHash: String
  package var repeatsAgree: Bool
  package var timing: TimingSeries
  /// Further figures in their stored units; unknown ones are absent.
  package var figures: [Quantity: Int] = [:]
  /// Score by metric identifier; a metric undefined for the image is absent.
  package var scores: [String: Double]
  /// Reasons for missing scores by metric identifier, such as a failed program.
  package var failedScores: [String: String] = [:]
  /// CPU time of scoring in nanoseconds, including an error map drawn in the same pass.
  package var scoringCPUNanoseconds: Int64
  /// Oddities short of failure, one sentence each: `warnings while decoding: 2`.
  package var remarks: [String]
  /// The format of a file that was not encoded for this case, determined by its content.
  package var format: String?
  /// The requested metrics, for ways that are measured again if more metrics are requested.
  package var asked: [String]?
  /// The making of an imported file according to the file, on one line; empty if it does not say.
  package var making: String?
  /// The libraries that decoded an imported file, canonically spelled; empty for formats that need none.
  package var decoder: String?
  /// Digests of external metric programs, as in `RunManifest.metricPrograms`.
  package var metricPrograms: [String: String]?
  /// Every file of a chain of encodes.
  package var generations: [Figures]?
  package var tiles: TiledLevels?
  package var gainMap: GainMapFigures?

  package init(
    nativeQuality: Int = 0, encodedBytes: Int, encodedHash: String = "", repeatsAgree: Bool = true,
    timing: TimingSeries = untimed,
    figures: [Quantity: Int] = [:], scores: [String: Double] = [:],
    scoringCPUNanoseconds: Int64 = 0, remarks: [String] = []
  ) {
    self.nativeQuality = nativeQuality
    self.encodedBytes = encodedBytes
    self.encodedHash = encodedHash
    self.repeatsAgree = repeatsAgree
    self.timing = timing
    self.figures = figures
    self.scores = scores
    self.scoringCPUNanoseconds = scoringCPUNanoseconds
    self.remarks = remarks
  }
}

extension Figures: Codable {
  enum CodingKeys: String, CodingKey {
    case nativeQuality, encodedBytes, encodedHash, repeatsAgree, timing, figures, scores, failedScores
    case scoringCPUNanoseconds, remarks, format, asked, making, decoder, metricPrograms, generations, tiles
    case gainMap
  }

  private struct Part: Sendable {
    let key: CodingKeys
    let encode: @Sendable (Figures, inout KeyedEncodingContainer<CodingKeys>) throws -> Void
    let decode: @Sendable (inout Figures, KeyedDecodingContainer<CodingKeys>) throws -> Void

    /// A part that is left out if it has its usual value, because stores have thousands of reads with only a few parts
    /// each.
    init<Value: Codable & Equatable & SendableMetatype>(
      _ path: any WritableKeyPath<Figures, Value> & Sendable, _ key: CodingKeys
    ) {
      self.key = key
      encode = { figures, container in
        let value = figures[keyPath: path]
        if value != Figures.usual[keyPath: path] { try container.encode(value, forKey: key) }
      }
      decode = { figures, container in
        figures[keyPath: path] = try container.decode(Value.self, forKey: key)
      }
    }
  }

  package static let untimed = TimingSeries(conditions: .contended, encode: [], decode: [])
  private static let usual = Figures(encodedBytes: -1)

  private static let parts: [CodingKeys: Part] = Dictionary(
    uniqueKeysWithValues: [
      Part(\.nativeQuality, .nativeQuality), Part(\.encodedBytes, .encodedBytes),
      Part(\.encodedHash, .encodedHash), Part(\.repeatsAgree, .repeatsAgree), Part(\.timing, .timing),
      Part(\.figures, .figures), Part(\.scores, .scores), Part(\.failedScores, .failedScores),
      Part(\.scoringCPUNanoseconds, .scoringCPUNanoseconds), Part(\.remarks, .remarks),
      Part(\.format, .format), Part(\.asked, .asked), Part(\.making, .making), Part(\.decoder, .decoder),
      Part(\.metricPrograms, .metricPrograms), Part(\.generations, .generations), Part(\.tiles, .tiles),
      Part(\.gainMap, .gainMap),
    ].map { ($0.key, $0) })

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self = Self.usual
    for key in container.allKeys { try Self.parts[key]?.decode(&self, container) }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    for part in Self.parts.values { try part.encode(self, &container) }
  }
}

package struct Failure: Sendable, Hashable, Codable, Error {
  /// The category of the failure, which decides whether a retry can help.
  package enum Kind: String, Sendable, Hashable, Codable {
    case source
    /// The codec or its library reported an error, or its output does not decode to the input.
    case codec
    case metric
    /// The child was killed by a signal that it raised itself.
    case crash
    case timeout
    case memory
    /// The child ended without an answer, or sent something other than a reply.
    case broken
    /// One of heicbench's own limits was exceeded, such as the number of pixels.
    case limit
    /// The codec or the file does not support the operation. Only errors have this kind; an `Outcome` has a separate
    /// case.
    case unsupported
  }

  package var kind: Kind
  /// A sentence that does not name the point: `killed by SIGSEGV`, `no answer in 60 s`.
  package var message: String

  package init(kind: Kind, message: String) {
    self.kind = kind
    self.message = message
  }

  package static func unsupported(_ reason: String) -> Failure {
    Failure(kind: .unsupported, message: reason)
  }

  package var recorded: Failure {
    kind == .unsupported ? Failure(kind: .codec, message: "unsupported: \(message)") : self
  }

  package var isWorthRetrying: Bool { [.crash, .timeout, .memory, .broken].contains(kind) }
}

/// The outcome of a measurement: of a point, a read or a cut. There is no “cancelled”: the next run measures anything
/// without an outcome.
package enum Outcome<Value: Sendable & Codable>: Sendable, Codable {
  case measured(Value)
  /// The codec or the file does not support it, for the given reason.
  case unsupported(String)
  /// A measurement that should have worked.
  case failed(Failure)

  package init(_ failure: Failure) {
    self = failure.kind == .unsupported ? .unsupported(failure.message) : .failed(failure)
  }

  package var value: Value? {
    if case .measured(let value) = self { value } else { nil }
  }

  package var failure: Failure? {
    if case .failed(let failure) = self { failure } else { nil }
  }

  package func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Outcome<Other> {
    switch self {
    case .measured(let value): .measured(try transform(value))
    case .unsupported(let reason): .unsupported(reason)
    case .failed(let failure): .failed(failure)
    }
  }
}

extension Outcome: Equatable where Value: Equatable {}
extension Outcome: Hashable where Value: Hashable {}

package typealias PointOutcome = Outcome<Figures>

extension CaseRecord {
  /// The record, with scores of other metrics added from another record of the same case and file.
  package func keepingScores(of other: CaseRecord) -> CaseRecord {
    guard case .measured(var figures) = outcome, let others = other.figures, other.fileHash == fileHash else {
      return self
    }
    figures.keepScores(of: others)
    var record = self
    record.outcome = .measured(figures)
    return record
  }
}

extension Figures {
  /// Adds scores of other metrics from earlier figures of the same bytes and decoder. Reads do not keep the hash of an
  /// encode, which may differ from an earlier encode of the same size, so their common scores must agree.
  package mutating func keepScores(of earlier: Figures) {
    guard encodedBytes == earlier.encodedBytes, encodedHash == earlier.encodedHash,
      decoder == earlier.decoder, generations?.map(\.encodedHash) == earlier.generations?.map(\.encodedHash),
      !encodedHash.isEmpty || Self.readMetrics.allSatisfy({ agree(with: earlier, on: $0) })
    else { return }
    let (new, failed) = (scores, failedScores)
    scores.merge(earlier.scores.filter { failed[$0.key] == nil }) { own, _ in own }
    failedScores.merge(earlier.failedScores.filter { new[$0.key] == nil }) { own, _ in own }
    if let metrics = asked { asked = metrics + (earlier.asked ?? []).filter { !metrics.contains($0) } }
    if let programs = earlier.metricPrograms {
      metricPrograms = (metricPrograms ?? [:]).merging(programs) { own, _ in own }
    }
    for (index, file) in (earlier.generations ?? []).enumerated() {
      generations?[index].keepScores(of: file)
    }
  }

  private func agree(with other: Figures, on metric: String) -> Bool {
    guard let own = scores[metric], let score = other.scores[metric] else { return true }
    return own == score || abs(own - score) < 1e-6
  }

  /// True if the figures have exactly the parts that belong to this kind of way.
  package func are(of kind: Way.Kind) -> Bool {
    let own: [Way.Kind: Bool] = [
      .tiles: tiles != nil, .imported: making != nil || decoder != nil, .generations: generations != nil,
    ]
    return own.allSatisfy { $0.value == ($0.key == kind) }
  }

  /// The first figure that is impossible for this way and this number of repeats; nil if all are plausible.
  package func impossibility(of way: Way, repeats: Int? = nil) -> String? {
    if let (quantity, _) = figures.first(where: { !$0.key.bounds.contains($0.value) }) {
      return "the \(quantity.traits.title.lowercased())"
    }
    let times = TimedOperation.allCases.flatMap { timing[$0] }.flatMap {
      [$0.wallNanoseconds, $0.cpuNanoseconds]
    }
    let rules: [(Bool, String)] = [
      (Bound.bytes.contains(encodedBytes), "the file's size"),
      (times.allSatisfy(Bound.time.contains), "its times"),
      (scores.values.allSatisfy { $0.isFinite || $0 == .infinity }, "a score that is not a number"),
      (remarks.count < 1000, "its remarks"),
    ]
    return rules.first { !$0.0 }?.1 ?? problem(of: way, repeats: repeats)
  }

  /// Returns the rule of the way, other than bounds of numbers, that the figures break; nil if they break none.
  private func problem(of way: Way, repeats: Int?) -> String? {
    guard are(of: way.kind) else { return "the kind of its results" }
    switch way {
    case .point, .whole: return nil
    case .read(let route, _):
      guard gainMap?.isPossible(fileBytes: encodedBytes) ?? (route != .gainMap) else {
        return "the parts of its gain map"
      }
      let quantities: [Quantity] = [
        .width, .height, .decodedWidth, .decodedHeight, .deliveredWidth, .deliveredHeight,
      ]
      guard format != nil, quantities.allSatisfy({ figures[$0] != nil }) else { return "the picture's size" }
      guard let touched = figures[.touchedBytes], touched <= encodedBytes else {
        return "the number of bytes that it read"
      }
      guard impossibleReadScore == nil, encodedHash.isEmpty else { return "a score that was not requested" }
      let count = timing.decode.count
      return repeats.map { $0 == count } ?? (count > 0) ? nil : "\(count) times"
    case .tiles(let cut): return tiles?.impossibility(of: cut)
    case .imported:
      guard (0..<encodedBytes).contains(figures[.metadata] ?? 0) else { return "the bytes of its metadata" }
      return format != nil && asked != nil ? nil : "the kind of its file"
    case .generations(let count, _):
      let files = generations ?? []
      guard files.count == count else { return "\(files.count) generations" }
      return files.lazy.compactMap { $0.impossibility(of: .point) }.first
    }
  }
}

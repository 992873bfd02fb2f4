package import CodecKit
import Dispatch
import HeicBenchKit
import Metrics
package import Model
import Synchronization
import Workers

package struct ViewConfiguration: Sendable {
  package var pictures: [ListedPicture]
  /// The paths from the command line, for the command that sweeps all of them.
  package var roots: [String]
  /// The initial variants of the right side, or of both; a build's variants are read once the build has been tried.
  package var variants: [CodecVariant]
  package var builds: [LibraryBuild]
  package var limits: ReadLimits
  /// The metrics that score whole files; `further` adds to those that every view shows.
  var metrics: [String] { Self.scored + further.filter { !Self.scored.contains($0) } }
  package var further: [String] = []
  static let scored = ["ssimulacra2", "psnr-y"]
  package var cores = MachineCores.count
  package var pictureBytes = 768 << 20
  package var requiresSandbox = false
  /// The results folder in which a blind test stores its trials; nil for a view without one.
  package var blindFolder: String?
  package var workerExecutable = RunnerConfiguration.ownExecutable

  package init(
    pictures: [ListedPicture], roots: [String], variants: [CodecVariant], builds: [LibraryBuild] = [],
    limits: ReadLimits
  ) {
    (self.pictures, self.roots, self.variants) = (pictures, roots, variants)
    (self.builds, self.limits) = (builds, limits)
  }
}

/// Answers the page: keeps pictures, tracks moves, hands work to the pool and results to the outbox.
///
/// One page at a time is connected. Its methods may be called from any thread and never wait for a codec.
package final class ViewEngine: Sendable {
  package enum UploadLimit {
    package static let file = 64 << 20
    package static let total = 512 << 20
    package static let count = 1000
  }

  package struct MadeFile: Sendable {
    package var bytes: [UInt8]
    package var name: String
  }

  struct State {
    var pictures: [ListedPicture]
    var ledger = MoveLedger()
    var outbox: Outbox?
    var cache: ByteCache<PictureKey, CachedPicture>
    var thumbnails = ByteCache<Int, Outbox.Pixels>(limit: 64 << 20)
    var made: [Side: (number: Int, file: MadeFile)] = [:]
    var variants: [Side: CodecVariant] = [:]
    var tried: [EncodeKey: WholeFigures] = [:]
    /// Bytes of files with almost no picture in them, which each piece includes; the keys have no quality.
    var overheads: [EncodeKey: Int] = [:]
    var uploads = 0
    var uploadedBytes = 0
    var blind: BlindDesk?
  }

  struct PictureKey: Hashable {
    var index: Int
    var preparation: Preparation
  }

  struct EncodeKey: Hashable {
    var picture: PictureKey
    var variant: CodecVariant
    var quality: Quality?

    init(_ move: Move, _ quality: Quality?, _ preparation: Preparation) {
      picture = PictureKey(index: move.picture, preparation: preparation)
      (variant, self.quality) = (move.variant, quality)
    }
  }

  let resolver: VariantResolver
  let configuration: ViewConfiguration
  let state: Mutex<State>
  let jobs: LiveJobs<Purpose>
  private let pool: WorkerPool

  package init(_ configuration: ViewConfiguration, registry: CodecRegistry) throws {
    var runner = RunnerConfiguration(
      workerExecutable: configuration.workerExecutable, limits: configuration.limits)
    runner.requiresSandbox = configuration.requiresSandbox
    try runner.checkSandbox()
    _ = try MetricSuite(sdr: configuration.metrics)
    resolver = try VariantResolver(
      registry: registry, builds: configuration.builds, program: configuration.workerExecutable)
    var configuration = configuration
    configuration.variants = try configuration.variants.map { [resolver] in try resolver.variant($0.name) }
    self.configuration = configuration
    var first = State(
      pictures: configuration.pictures, cache: ByteCache(limit: configuration.pictureBytes))
    let sides = Side.allCases.suffix(configuration.variants.count)
    for (side, variant) in zip(sides, configuration.variants) { first.variants[side] = variant }
    first.blind = try configuration.blindFolder.map { BlindDesk(log: try BlindLog(folder: $0)) }
    state = Mutex(first)
    // One more session for background work.
    (runner.jobs, runner.builds) = (configuration.cores + 1, resolver.libraryBuilds)
    runner.sharesFiles = false
    pool = WorkerPool(runner, standby: configuration.cores)
    jobs = LiveJobs(pool, lanes: configuration.cores)
    try PlainThread.start { [weak self, pool, jobs] in
      pool.serve(jobs) { self?.send(PageEvent.Failed(nil, PlainText.line($0, limit: 500))) }
    }
  }

  func isWanted(_ purpose: Purpose) -> Bool {
    state.withLock { $0.outbox != nil && $0.ledger.wants(purpose) }
  }

  func dropStale() {
    jobs.drop { [self] in !isWanted($0) }
    state.withLock { state in
      if let outbox = state.outbox { outbox.drop { !state.ledger.wants($0) } }
    }
  }

  /// Begins a conversation with a page and ends the previous one, since there is only one user.
  package func connect() -> Outbox {
    let outbox = Outbox { [weak self] in self?.isWanted($0) ?? false }
    let (old, pictures) = state.withLock { state in
      let old = state.outbox
      state.outbox = outbox
      state.ledger = MoveLedger()
      state.made = [:]
      return (old, state.pictures)
    }
    old?.close(after: PageEvent.Replaced())
    // The next page also counts its moves from one, so its predecessor's work would pass for its own.
    jobs.end { if case .move = $0 { true } else { false } }
    dropStale()
    outbox.send(
      PageEvent.Hello(
        pictures: pictures.map { PageEvent.Listed(name: $0.name) }, codecs: resolver.choices,
        left: configuration.variants.dropLast().first?.name ?? "original",
        right: configuration.variants.last?.name ?? "heic", roots: configuration.roots,
        builds: resolver.libraryBuilds.map { "\($0.name)=\($0.folder)" }))
    return outbox
  }

  func disconnect(_ outbox: Outbox) {
    outbox.close()
    let isCurrent = state.withLock { state in
      guard state.outbox === outbox else { return false }
      state.outbox = nil
      return true
    }
    if isCurrent { dropStale() }
  }

  /// Handles a message from the page; ignores messages from earlier pages.
  func receive(_ text: String, from outbox: Outbox) {
    guard state.withLock({ $0.outbox === outbox }) else { return }
    do {
      let (count, isBlind) = state.withLock { ($0.pictures.count, $0.blind != nil) }
      if isBlind, let command = try BlindCommand(text, pictures: count) { return try perform(command) }
      switch try PageCommand(text, pictures: count, variant: resolver.variant) {
      case .show(let index): show(index)
      case .move(let move): take(move)
      case .original(let side): showOriginal(on: side)
      case .settle(let side, let number): settle(side, number)
      case .thumbnails(let wanted): fill(wanted)
      }
    } catch {
      let purpose = (error as? PageCommand.Refusal)?.purpose
      outbox.send(PageEvent.Failed(purpose, PlainText.line("\(error)", limit: 500)))
    }
  }

  /// Adds a picture dropped onto the page and returns its index. Throws a reason for the page if it is too much.
  package func add(_ bytes: [UInt8], name: String) throws(PageCommand.Refusal) -> Int {
    let name = PlainText.line(name, limit: 200)
    let listed = ListedPicture(name: name.isEmpty ? "picture" : name, source: .memory(bytes))
    let isTaken = state.withLock { state in
      guard bytes.count <= UploadLimit.file, state.uploadedBytes + bytes.count <= UploadLimit.total,
        state.uploads < UploadLimit.count
      else { return nil as (index: Int, outbox: Outbox?)? }
      state.uploads += 1
      state.uploadedBytes += bytes.count
      state.pictures.append(listed)
      return (state.pictures.count - 1, state.outbox)
    }
    guard let (index, outbox) = isTaken else {
      throw PageCommand.Refusal(
        description: "too much: the view takes at most \(UploadLimit.count) files of at most "
          + "\(UploadLimit.file >> 20) MiB each, and \(UploadLimit.total >> 20) MiB together; name the folder "
          + "on the command line instead")
    }
    outbox?.send(PageEvent.Added(pictures: [PageEvent.Listed(name: listed.name)]))
    return index
  }

  /// The whole file made for a side's move; nil if it is missing or has been replaced.
  package func file(of side: Side, number: Int) -> MadeFile? {
    state.withLock { state in
      state.made[side].flatMap { $0.number == number ? $0.file : nil }
    }
  }

  package func close() {
    let (outbox, desk) = state.withLock { state in
      defer { state.outbox = nil }
      return (state.outbox, state.blind)
    }
    outbox?.close()
    pool.cancel()
    // Stores an answer that is still waiting.
    desk?.files.sync {}
  }

  func send(_ event: some Encodable & Sendable, for purpose: Purpose? = nil) {
    state.withLock { $0.outbox }?.send(event, for: purpose)
  }

  func fail(_ purpose: Purpose, _ failure: Failure, by worker: ViewWorker) {
    guard !worker.isCancelled, isWanted(purpose) else { return }
    // A neighbour of the picture on the screen matters only once the page turns to it, which opens it again.
    if case .picture(let index) = purpose, state.withLock({ $0.ledger.picture }) != index { return }
    send(PageEvent.Failed(purpose, PlainText.line(failure.message, limit: 500)))
    if case .move(let side, let number) = purpose {
      state.withLock { $0.ledger.fail(side, number) }
      dropStale()
    }
  }

  /// The preparation that a sweep with the sides' variants would use, or with the first ones if both are originals.
  var preparation: Preparation { commonPreparation(of: state.withLock { $0.variants }) }

  /// Where it decides something about the state, it must be computed under the same lock.
  func commonPreparation(of variants: [Side: CodecVariant]) -> Preparation {
    resolver.preparation(for: variants.isEmpty ? configuration.variants : Array(variants.values))
  }

  /// Seconds that a worker may take for this many pixels.
  static func deadline(pixels: Int) -> Double { 60 + 30 * Double(pixels) / 1e6 }
}

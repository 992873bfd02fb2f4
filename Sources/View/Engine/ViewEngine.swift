package import CodecKit
import Foundation
package import Model
import Pixels
import Sweep
import Synchronization
import Workers

/// What a view shows and may spend.
package struct ViewConfiguration: Sendable {
  /// The pictures that were named at the start.
  package var pictures: [ListedPicture]
  /// What was named on the command line, for the command that sweeps all of it.
  package var roots: [String]
  /// What the sides begin with, as `--codec` takes it; one of a build is read once the build is tried.
  package var variants: [CodecVariant]
  /// Other builds of the libraries that a side can show.
  package var builds: [LibraryBuild]
  /// What a reader may spend on a file.
  package var limits: ReadLimits
  /// How many encodes run side by side.
  package var cores = MachineCores.count
  /// Bytes of pictures that are kept in memory.
  package var pictureBytes = 768 << 20
  /// Whether there is no view where the system gives no whole sandbox for workers.
  package var requiresSandbox = false
  /// The program that is started as a worker.
  package var workerExecutable = RunnerConfiguration.ownExecutable

  /// Configures a view.
  package init(
    pictures: [ListedPicture], roots: [String], variants: [CodecVariant], builds: [LibraryBuild] = [],
    limits: ReadLimits
  ) {
    (self.pictures, self.roots, self.variants) = (pictures, roots, variants)
    (self.builds, self.limits) = (builds, limits)
  }
}

/// Answers the page: keeps pictures, numbers moves, hands work to the crew and results to the outbox.
///
/// One page at a time is connected. Calls may come from any thread and never wait for a codec.
package final class ViewEngine: Sendable {
  /// What the page may send as pictures of its own.
  package enum UploadLimit {
    /// Bytes of one file.
    package static let file = 64 << 20
    /// Bytes of all files together.
    package static let total = 512 << 20
    /// Files.
    package static let count = 1000
  }

  /// A file that one side made, to be taken away.
  package struct MadeFile: Sendable {
    /// The bytes.
    package var bytes: [UInt8]
    /// What to call it.
    package var name: String
  }

  struct State {
    var pictures: [ListedPicture]
    var ledger = MoveLedger()
    var outbox: Outbox?
    var shelf: ByteCache<ShelfKey, ShelvedPicture>
    var thumbnails = ByteCache<Int, Outbox.Pixels>(limit: 64 << 20)
    var moves: [Side: Move] = [:]
    var started: [Side: ContinuousClock.Instant] = [:]
    var progress: [Side: MoveProgress] = [:]
    var made: [Side: (number: Int, file: MadeFile)] = [:]
    var variants: [Side: CodecVariant] = [:]
    var tried: [TriedKey: WholeFigures] = [:]
    /// Bytes of files with next to no picture in them, which pieces have each.
    var overheads: [OverheadKey: Int] = [:]
    /// Moves that failed: the rest of their work is of no use.
    var failed: [Side: Int] = [:]
    var uploadedBytes = 0
    var uploads = 0
    var statistics = Statistics()
  }

  /// What was done so far, for whoever tests or tunes the view.
  package struct Statistics: Sendable, Codable {
    /// Cells that were asked for.
    package var thumbnails = 0
    /// Those that were in memory.
    package var thumbnailHits = 0
    /// Workers killed over stale work.
    package var killed = 0
  }

  /// A picture and how it was prepared.
  struct ShelfKey: Hashable {
    var index: Int
    var preparation: Preparation
  }

  let book: VariantBook
  let configuration: ViewConfiguration
  let state: Mutex<State>
  private let hires: Hires

  /// Starts the workers.
  package init(_ configuration: ViewConfiguration, registry: CodecRegistry) throws {
    var runner = RunnerConfiguration(
      workerExecutable: configuration.workerExecutable, limits: configuration.limits)
    runner.requiresSandbox = configuration.requiresSandbox
    try runner.checkSandbox()
    book = try VariantBook(
      registry: registry, builds: configuration.builds, program: configuration.workerExecutable)
    var configuration = configuration
    configuration.variants = try configuration.variants.map { [book] in try book.variant($0.name) }
    self.configuration = configuration
    var first = State(
      pictures: configuration.pictures, shelf: ByteCache(limit: configuration.pictureBytes))
    for (side, variant) in zip(Side.allCases, configuration.variants) { first.variants[side] = variant }
    state = Mutex(first)
    hires = Hires()
    hires.crew = try WorkerCrew(
      launch: runner.launch(preparation: Preparation(), metrics: []), builds: book.libraryBuilds,
      cores: configuration.cores, isWanted: { [weak self] in self?.isWanted($0) ?? false },
      onTrouble: { [weak self] in self?.send(PageEvent.Failed(nil, PlainText.line($0, limit: 500))) })
  }

  /// The crew, which needs the engine before the engine can have it. Set once, before anyone else knows the engine.
  private final class Hires: @unchecked Sendable {
    var crew: WorkerCrew?
  }

  var crew: WorkerCrew? { hires.crew }

  /// Whether anyone still wants what comes of a purpose.
  func isWanted(_ purpose: Purpose) -> Bool {
    state.withLock { state in
      if case .move(let side, let number) = purpose, state.failed[side] == number { return false }
      return state.outbox != nil && state.ledger.wants(purpose)
    }
  }

  /// Begins a conversation with a page. A page that was there before is let go: there is one person.
  package func connect() -> Outbox {
    let outbox = Outbox { [weak self] in self?.isWanted($0) ?? false }
    let (old, pictures) = state.withLock { state in
      let old = state.outbox
      state.outbox = outbox
      state.ledger = MoveLedger()
      (state.moves, state.progress, state.made) = ([:], [:], [:])
      return (old, state.pictures)
    }
    old?.close()
    crew?.dropStale()
    outbox.send(
      PageEvent.Hello(
        pictures: pictures.map { PageEvent.Listed(name: $0.name) }, codecs: book.choices,
        left: configuration.variants.first?.name ?? "jpeg",
        right: configuration.variants.last?.name ?? "heic", roots: configuration.roots,
        builds: book.libraryBuilds.map { "\($0.name)=\($0.folder)" }))
    return outbox
  }

  /// Ends a conversation, and all work for it.
  package func disconnect(_ outbox: Outbox) {
    outbox.close()
    let isCurrent = state.withLock { state in
      guard state.outbox === outbox else { return false }
      state.outbox = nil
      return true
    }
    if isCurrent { crew?.dropStale() }
  }

  /// Takes a message of the page.
  package func receive(_ text: String, from outbox: Outbox) {
    guard state.withLock({ $0.outbox === outbox }) else { return }
    do {
      let count = state.withLock { $0.pictures.count }
      switch try PageCommand(text, pictures: count, variant: book.variant) {
      case .show(let index): show(index)
      case .move(let move): take(move)
      case .settle(let side, let number): settle(side, number)
      case .thumbnails(let wanted): fill(wanted)
      }
    } catch {
      outbox.send(PageEvent.Failed(nil, PlainText.line("\(error)", limit: 500)))
    }
  }

  /// Adds a picture that was dropped into the page. Throws the reason for the page where it is too much.
  /// - Returns: its index.
  package func add(_ bytes: [UInt8], name: String) throws(PageCommand.Refusal) -> Int {
    let result: Result<(Int, Outbox?), PageCommand.Refusal> = state.withLock { state in
      guard bytes.count <= UploadLimit.file, state.uploadedBytes + bytes.count <= UploadLimit.total,
        state.uploads < UploadLimit.count
      else {
        return .failure(
          PageCommand.Refusal(
            description: "too much: a file may have \(UploadLimit.file >> 20) MiB, all together "
              + "\(UploadLimit.total >> 20) MiB; name the folder on the command line instead"))
      }
      state.uploads += 1
      state.uploadedBytes += bytes.count
      let name = PlainText.line(name, limit: 200)
      state.pictures.append(ListedPicture(name: name.isEmpty ? "picture" : name, source: .memory(bytes)))
      return .success((state.pictures.count - 1, state.outbox))
    }
    let (index, outbox) = try result.get()
    let listed = state.withLock { $0.pictures[index].name }
    outbox?.send(PageEvent.Added(pictures: [PageEvent.Listed(name: listed)]))
    return index
  }

  /// The whole file that a side's move made; nil where it is not there, or not any more.
  package func file(of side: Side, number: Int) -> MadeFile? {
    state.withLock { state in
      state.made[side].flatMap { $0.number == number ? $0.file : nil }
    }
  }

  /// What was done so far.
  package var statistics: Statistics {
    var statistics = state.withLock { $0.statistics }
    statistics.killed = crew?.killed ?? 0
    return statistics
  }

  /// Ends all workers.
  package func close() {
    let outbox = state.withLock { state in
      defer { state.outbox = nil }
      return state.outbox
    }
    outbox?.close()
    crew?.close()
  }

  /// Sends to the page, if there is one.
  func send(_ event: some Encodable & Sendable, for purpose: Purpose? = nil) {
    state.withLock { $0.outbox }?.send(event, for: purpose)
  }

  /// Says what went wrong, unless nobody wants to know any more.
  func fail(_ purpose: Purpose, _ failure: Failure, by member: CrewMember) {
    guard !member.isCancelled, isWanted(purpose) else { return }
    send(PageEvent.Failed(purpose, PlainText.line(failure.message, limit: 500)))
    if case .move(let side, let number) = purpose {
      state.withLock { $0.failed[side] = number }
      crew?.dropStale()
    }
  }

  /// How the pictures are prepared: as a sweep of the two variants would.
  var preparation: Preparation {
    let variants = state.withLock { Array($0.variants.values) }
    return book.preparation(for: variants)
  }

  /// Seconds that a worker may take over so many pixels.
  static func deadline(pixels: Int) -> Double { 60 + 30 * Double(pixels) / 1e6 }
}

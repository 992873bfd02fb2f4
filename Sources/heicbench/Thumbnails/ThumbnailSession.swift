import CodecKit
import Codecs
import Foundation
import HeicBenchKit
import Model
import Reports
import Store
import Sweep
import Synchronization
import Workers

/// One call of `heicbench thumbnails`, from the options to the exit code.
struct ThumbnailSession {
  private let command: ThumbnailsCommand
  private let style: ThumbnailStyle
  private let interruption: Interruption

  init(_ command: ThumbnailsCommand) throws {
    self.command = command
    style = try command.style()
    interruption = try Interruption()
  }

  func run() throws -> ExitStatus {
    let images = try images()
    let folder = try ThumbnailFolder(command.paths.last ?? "", style)
    let tally = ThumbnailTally(isShown: !command.quiet && StandardError.isTerminal)
    let wanted = folder.wanted(images, again: command.again, tally)
    try folder.begin()
    defer {
      interruption.cancellation.release()
      folder.end()
    }
    let runner = ThumbnailRunner(style, registry: .standard, configuration: command.configuration)
    interruption.cancellation.perform { runner.cancel() }
    let start = Date()
    try runner.run(wanted) { file, outcome in
      switch outcome {
      case .failed(let failure): tally.fail(file.name, failure.message)
      case .made(let thumbnail):
        do {
          try folder.write(thumbnail, of: file)
          tally.count(thumbnail.route)
        } catch let error as OutputError where error.obstacle != nil {
          tally.fail(file.name, error.description)
        }
      }
    }
    return tell(tally, runner, total: images.count, seconds: Date().timeIntervalSince(start))
  }

  private func images() throws -> [GlancedFile] {
    let raw = RawArguments()
    let sources = CorpusSources(roots: command.paths.dropLast().map(raw.bytes))
    let reader = CorpusReader(registry: .standard, limits: command.configuration.limits)
    let images = try reader.glance(at: CorpusReader.find(sources)).images
    guard !images.isEmpty else { throw ImageInput.nothing(to: "make thumbnails of") }
    return images
  }

  private func tell(
    _ tally: ThumbnailTally, _ runner: ThumbnailRunner, total: Int, seconds: Double
  ) -> ExitStatus {
    let counts = tally.close()
    if !command.quiet {
      for (kind, score) in runner.judgements.sorted(by: { $0.key < $1.key }) {
        let verdict = score >= style.score ? "taken" : "not taken"
        let told = score > 0 ? Numerals.fixed(score, decimals: 1) : "next to nothing"
        StandardOutput.write("\(kind): scores \(told), \(verdict)\n")
      }
      StandardOutput.write(counts.sentence(seconds: seconds) + "\n")
    }
    if counts.done < total { return .interrupted }
    return counts.failed > 0 ? .someFailed : .success
  }
}

/// The folder that thumbnails go to.
private final class ThumbnailFolder: Sendable {
  /// Tells how the thumbnails beside it were asked for. What is older than it was asked for otherwise.
  private static let stampName = ".heicbench-thumbnails"

  private let folder: OwnedFolder
  private let scratch: String
  private let stamp: String
  private let fileExtension: String
  private let serial = Atomic(0)

  init(_ path: String, _ style: ThumbnailStyle) throws {
    try OutputFolder.make(path)
    folder = try OwnedFolder(path)
    scratch = try folder.makeScratch()
    switch style.format {
    case .png:
      fileExtension = "png"
      stamp = "\(style.side) png at \(style.score)\n"
    case .encoded(let encoding):
      let codec = encoding.variant.codec
      fileExtension = CodecRegistry.standard.codec(codec)?.traits.fileExtension ?? codec
      stamp = "\(style.side) \(encoding.variant.name) \(encoding.quality) at \(style.score)\n"
    }
  }

  /// The files whose thumbnails are missing or older than they are; the others are counted. Two files whose
  /// thumbnails would have one name cannot both have one.
  func wanted(_ images: [GlancedFile], again: Bool, _ tally: ThumbnailTally) -> [GlancedFile] {
    let isSame = folder.beginning(of: Self.stampName, count: stamp.utf8.count + 1) == Data(stamp.utf8)
    let since = isSame && !again ? folder.modified(Self.stampName) : nil
    var names: Set<String> = []
    return images.filter { image in
      let name = name(of: image)
      guard names.insert(name).inserted else {
        tally.fail(image.name, "another image's thumbnail has the name \(name)")
        return false
      }
      guard let since, let made = folder.modified(name), made >= max(since, image.modifiedNanoseconds),
        folder.standing(of: name, reads: false) == .ours
      else { return true }
      tally.skip()
      return false
    }
  }

  /// Notes how thumbnails are asked for from now on.
  func begin() throws {
    let known = folder.beginning(of: Self.stampName, count: stamp.utf8.count + 1)
    if known != Data(stamp.utf8) { try folder.write(stamp, to: Self.stampName) }
  }

  /// Takes away what is only needed while thumbnails are made.
  func end() { folder.removeScratch() }

  /// Puts a thumbnail in its place, whole or not at all.
  func write(_ thumbnail: MadeThumbnail, of image: GlancedFile) throws {
    let path = "\(scratch)/\(serial.add(1, ordering: .relaxed).newValue)"
    do {
      try thumbnail.bytes.write(to: URL(filePath: path))
    } catch {
      throw HeicBenchError(.resultsUnusable, "“\(path)” cannot be written: \(error.localizedDescription)")
    }
    try folder.move(path, to: name(of: image))
  }

  /// Below the folder, whatever a listed path says.
  private func name(of image: GlancedFile) -> String {
    let parts = image.name.split(separator: "/").filter { $0 != "." }.map { $0 == ".." ? "__" : $0 }
    return parts.joined(separator: "/") + "." + fileExtension
  }
}

/// Counts what becomes of files, from any thread, and names those that fail.
private final class ThumbnailTally: Sendable {
  struct Counts {
    var byRoute: [ReadRoute: Int] = [:]
    var skipped = 0
    var failed = 0

    var made: Int { byRoute.values.reduce(0, +) }
    var done: Int { made + skipped + failed }

    /// What was done, for people.
    func sentence(seconds: Double) -> String {
      var parts: [String] = []
      let ways: [(ReadRoute, String)] = [
        (.thumbnail, "from embedded ones"), (.scaled, "at a reduced size"), (.full, "by decoding all"),
      ]
      for (route, words) in ways {
        if let count = byRoute[route] { parts.append("\(count) \(words)") }
      }
      var text = Numerals.counted(made, "thumbnail")
      if !parts.isEmpty { text += ": " + parts.joined(separator: ", ") }
      if made > 0, seconds > 0 {
        text += "; \(Numerals.fixed(Double(made) / seconds, decimals: 1)) a second"
      }
      if skipped > 0 { text += "; \(skipped) were there already" }
      if failed > 0 { text += "; \(failed) failed" }
      return text + "."
    }
  }

  private let isShown: Bool
  private let counts = Mutex(Counts())

  init(isShown: Bool) { self.isShown = isShown }

  func count(_ route: ReadRoute) {
    let made = counts.withLock { counts in
      counts.byRoute[route, default: 0] += 1
      return counts.made
    }
    if isShown { StandardError.write("\r\(made) thumbnails") }
  }

  func skip() { counts.withLock { $0.skipped += 1 } }

  func fail(_ name: String, _ message: String) {
    counts.withLock { $0.failed += 1 }
    StandardError.notice("\(name): \(message)")
  }

  func close() -> Counts {
    if isShown { StandardError.write("\r") }
    return counts.withLock { $0 }
  }
}

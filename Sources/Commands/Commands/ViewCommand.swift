import ArgumentParser
import CodecKit
import Codecs
import Foundation
import HeicBenchKit
import Synchronization
import View
import Workers

struct ViewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "view", abstract: "Compare codecs on your pictures in a browser, with a slider.",
    discussion: """
      Serves a page for one person on this machine and prints its address. It shows your picture beside a codec, or \
      two codecs side by side, at the same score; sizes, times and scores appear as they are measured. Nothing leaves \
      the machine. Ctrl-C stops the command. See docs/view.md.

        heicbench view photos/
        heicbench view portrait.jpg --codec heic --codec avif --open
        heicbench view portrait.jpg --blind
      """)

  @Argument(
    help:
      "Image files and folders; pictures can be dropped into the page, too. (default: corpus/, if there is one)",
    completion: .file())
  var roots: [InputPath] = []

  @Option(
    "The codec to compare with the original; given twice, the codecs of the left and right side: "
      + "NAME[@BUILD][:key=value,…]. (default: heic)", value: "codec", name: .customLong("codec"))
  var codecs: [CodecVariant] = []

  @Flag(help: "Find the score below which you see a difference, in a blind test. See docs/blind.md.")
  var blind = false

  @Option(
    "The folder whose blind.csv keeps every trial of --blind. (default: results)", value: "folder",
    name: .output, completion: .directory)
  var output: String?

  @Option(
    "Metrics to show beside SSIMULACRA2 and PSNR-Y, comma-separated, or all. (default: none)",
    value: "metrics")
  var metrics: MetricList?

  @OptionGroup var libraries: LibraryOptions
  @OptionGroup var sandbox: SandboxOptions

  @Option("The port to listen on. (default: a free one)", value: "port")
  var port: UInt16?

  @Flag(help: "Listen on [::1] instead of 127.0.0.1.")
  var ipv6 = false

  @Flag(help: "Open the page in the browser.")
  var open = false

  @Option(
    "Refuse pictures with more pixels than this, in megapixels, before they are decoded.",
    value: "megapixels", transform: Limits.viewMegapixels.parse)
  var maxPixels = 50.0

  @OptionGroup var excluded: ExcludeOptions

  func validate() throws {
    try refuse(codecs.count > 2, "The page has two sides: give --codec at most twice.")
    try refuse(
      output != nil && !blind, "--output is for a --blind test; to keep files, use “Export” on the page."
    )
    try refuse(blind && Set(codecs).count < codecs.count, "A blind test takes each --codec only once.")
  }

  func run() throws {
    let interruption = try Interruption()
    let settings = try settings()
    let engine = try HeicBenchError.mapping { try ViewEngine(settings, registry: .standard) }
    let server = PageServer(engine, port: port ?? 0, isIPv6: ipv6)
    let page = open ? AddressPage() : nil
    defer { page?.remove() }
    let serving = Task.detached {
      try await server.run { address in
        // Flushed at once, for a reader behind a pipe.
        StandardOutput.write("\(address)\n")
        StandardError.notice("open this address in your browser (this computer only); press Ctrl-C to stop")
        page?.open(address)
      }
    }
    let end = Ending()
    interruption.cancellation.perform { end.come(with: nil) }
    Task.detached { do { try await serving.value } catch { end.come(with: error) } }
    let problem = end.wait()
    engine.close()
    if let problem { throw HeicBenchError(.resultsUnusable, "\(problem)") }
  }

  private var defaults: [String] { blind ? ["heic", "jpeg"] : ["heic"] }

  private func settings() throws -> ViewConfiguration {
    let isThere = FileManager.default.fileExists(atPath: "corpus")
    let roots = roots.isEmpty && isThere ? ["corpus"] : roots
    let limits = ReadLimits(maximumPixels: max(1, Int(maxPixels * 1e6)))
    let (found, passedOver) = try likelyImages(in: roots, limits)
    guard !found.isEmpty || roots.isEmpty else { throw ImageInput.nothing(to: "show", passedOver) }
    passedOver.lines.forEach(StandardError.notice)
    var settings = ViewConfiguration(
      pictures: found.map { ListedPicture(name: $0.name, source: .file($0.path)) },
      roots: roots.map { String(decoding: $0.bytes, as: UTF8.self) },
      variants: codecs.isEmpty ? try defaults.map { try CodecRegistry.standard.variant($0) } : codecs,
      builds: libraries.builds, limits: limits)
    settings.requiresSandbox = sandbox.requireSandbox
    settings.blindFolder = blind ? output ?? "results" : nil
    settings.further = metrics?.identifiers ?? []
    return settings
  }

  private func likelyImages(
    in roots: [InputPath], _ limits: ReadLimits
  ) throws -> (images: [(name: String, path: [UInt8])], passedOver: PassedOver) {
    guard !roots.isEmpty else { return ([], PassedOver()) }
    return try HeicBenchError.mapping {
      var workers = WorkerSettings()
      workers.requiresSandbox = sandbox.requireSandbox
      let reader = CorpusReader(
        WorkerDescriber(try workers.configuration(limits: limits)), limits: limits)
      let found = try CorpusReader.find(
        roots: roots.map(\.bytes), excluding: PathPatterns(excluded.patterns))
      return try reader.likelyImages(of: found)
    }
  }
}

/// Waits for the end of a command that runs until it is stopped.
private final class Ending: @unchecked Sendable {
  // Sendable because the semaphore may be shared.
  private let hasCome = DispatchSemaphore(value: 0)
  private let problem = Mutex<(any Error)??>(nil)

  func come(with error: (any Error)?) {
    problem.withLock { if case nil = $0 { $0 = .some(error) } }
    hasCome.signal()
  }

  func wait() -> (any Error)? {
    hasCome.wait()
    return problem.withLock { $0 ?? nil }
  }
}

/// A page that redirects to the address, in a file that only its owner can read. The browser gets the file, because the
/// address holds the token and everybody on the machine can read a program's arguments.
private struct AddressPage: Sendable {
  private let folder = FileManager.default.temporaryDirectory.appending(
    path: "heicbench-view-\(UUID().uuidString)")

  func remove() { try? FileManager.default.removeItem(at: folder) }

  func open(_ address: String) {
    let page = """
      <!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>heicbench view</title>
      <meta http-equiv="refresh" content="0; url=\(address)"><a href="\(address)">heicbench view</a>

      """
    let file = folder.appending(path: "view.html")
    #if os(macOS)
      let name = "open"
    #else
      let name = "xdg-open"
    #endif
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [name, file.path(percentEncoded: false)]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      try Data(page.utf8).write(to: file)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: file.path(percentEncoded: false))
      try process.run()
    } catch {
      StandardError.notice(
        "no browser could be started (\(error.localizedDescription)); open the address yourself")
    }
  }
}

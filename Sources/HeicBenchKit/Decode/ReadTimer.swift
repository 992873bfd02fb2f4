import CProcessShim
import CodecKit
import Model
import Workers

/// Times decodes of whole files, anew for each request, on one core. Files stay in memory, since builds are compared by
/// going over the same files repeatedly.
final class ReadTimer {
  private struct File {
    let bytes: [UInt8]
    let reader: any ImageReader
    let header: ImageHeader
  }

  /// The cache is emptied beyond this.
  private static let mostBytes = 64 << 20

  private let setup: WorkerSetup
  private let registry: CodecRegistry
  private var files: [ImageIdentity: File] = [:]

  /// Pins the process to the last core from now on.
  init(setup: WorkerSetup, registry: CodecRegistry) {
    (self.setup, self.registry) = (setup, registry)
    let cores = MachineCores.allowed.suffix(1).map { Int32(clamping: $0) }
    if !cores.isEmpty { _ = hb_pin(cores, cores.count) }
  }

  /// Decodes the file of a request `repeats` times.
  func time(_ request: ReadRequest) throws(PointProblem) -> Figures {
    guard request.key.encoding == nil, request.key.route == .full, request.key.wanted == .all else {
      throw .unsupported("only decodes of whole files, as they are, are timed by themselves")
    }
    let file = try opened(request)
    var measurement = Figures(
      format: file.header.format, fileBytes: file.bytes.count, width: file.header.width,
      height: file.header.height, touchedBytes: file.bytes.count)
    (measurement.decodedWidth, measurement.decodedHeight) = (file.header.width, file.header.height)
    (measurement.deliveredWidth, measurement.deliveredHeight) = (file.header.width, file.header.height)
    for _ in 0..<max(1, request.repeats) { measurement.samples.append(try decode(file)) }
    return measurement
  }

  /// The file, read and decoded once: a first call loads library pages, which must not count.
  private func opened(_ request: ReadRequest) throws(PointProblem) -> File {
    if let file = files[request.key.image] { return file }
    let file: File
    do {
      let bytes = try ReadMeasurer.foundFile(of: request)
      guard let reader = registry.reader(for: bytes) else {
        throw Failure(kind: .source, message: "not an image of a known format")
      }
      file = File(bytes: bytes, reader: reader, header: try reader.header(of: bytes))
    } catch {
      throw PointProblem(error, memoryLimit: setup.memoryLimit)
    }
    _ = try decode(file)
    if files.values.reduce(file.bytes.count, { $0 + $1.bytes.count }) > Self.mostBytes { files = [:] }
    files[request.key.image] = file
    return file
  }

  private func decode(_ file: File) throws(PointProblem) -> TimingSample {
    var stopwatch = Stopwatch(memoryLimit: setup.memoryLimit)
    let limits = setup.limits
    return try stopwatch.time { () throws(CodecError) in
      try file.reader.decode(file.bytes, .full, limits: limits)
    }.sample
  }
}

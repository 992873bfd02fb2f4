import CProcessShim
import CodecKit
import Model
import Workers

/// Times decodes of a whole unchanged file on one core, again for each question. Files stay in memory, since comparing
/// builds means reading the same files repeatedly.
struct TimeFileQuestion: Question {
  var file: ImageFile
  var repeats: Int

  private struct Files {
    var opened: [ImageIdentity: (bytes: [UInt8], reader: any ImageReader)] = [:]
  }

  /// The most bytes of files to keep in memory.
  private static let mostBytes = 64 << 20

  func reply(in session: WorkerSession, _: [UInt8]) throws -> [TimingSample] {
    let cores = MachineCores.allowed.suffix(1).map { Int32(clamping: $0) }
    if !cores.isEmpty { _ = hb_pin(cores, cores.count) }
    session.image = nil
    var files = session[Files.self] ?? Files()
    if files.opened[file.identity] == nil {
      let bytes = try file.identity.file(at: file.path)
      let reader = try session.registry.imageReader(for: bytes)
      // A first call loads library pages, which must not count.
      _ = try decode(bytes, reader, session)
      if files.opened.values.reduce(bytes.count, { $0 + $1.bytes.count }) > Self.mostBytes { files = Files() }
      files.opened[file.identity] = (bytes, reader)
      session[Files.self] = files
    }
    guard let opened = files.opened[file.identity] else { throw Refusal.noImage }
    return try (0..<max(1, repeats)).map { _ in try decode(opened.bytes, opened.reader, session) }
  }

  private func decode(
    _ bytes: [UInt8], _ reader: any ImageReader, _ session: WorkerSession
  ) throws -> TimingSample {
    var stopwatch = Stopwatch(memoryLimit: session.setup.memoryLimit)
    return try stopwatch.time { () throws(CodecError) in
      try reader.decode(bytes, .full, limits: session.setup.limits)
    }.sample
  }

  func remarks(in _: Answer) -> [String: [String]] { [:] }

  func verify(_ samples: inout [TimingSample], by check: AnswerCheck) throws(AnswerCheck.Invalid) {
    try check.check(samples, repeats: repeats...repeats)
  }
}

package import CodecKit
import Model

/// Describes files. The caller parses nothing: `WorkerDescriber` asks workers.
package protocol FileDescriber: Sendable {
  /// One description per file, in order. `progress` gets the number of files done so far.
  func describe(
    _ files: [FileToDescribe], as depth: FileDescription.Depth, progress: (_ done: Int) -> Void
  ) throws -> [FileDescription]
}

package struct FileToDescribe: Sendable, Hashable {
  /// The path's bytes.
  package var path: [UInt8]
  /// The size when the file was found.
  package var bytes: Int

  package init(path: [UInt8], bytes: Int) { (self.path, self.bytes) = (path, bytes) }
}

/// Has a pool's workers describe files, many in one message. If a file of a message ends its worker, the search for
/// that file splits the message; the file is then described as having that problem.
package struct WorkerDescriber: FileDescriber {
  private let pool: WorkerPool

  /// - Parameter pool: The workers; they keep running for the jobs that follow.
  package init(_ pool: WorkerPool) { self.pool = pool }

  /// Starts workers for descriptions only, which end with this value or with `end`.
  package init(_ configuration: RunnerConfiguration) {
    var own = configuration
    (own.externalMetrics, own.builds, own.keepFolder) = ([], [], nil)
    self.init(WorkerPool(own))
  }

  /// Ends the workers; new ones describe further files.
  package func end() { pool.retire() }

  /// - Throws: `WorkerStartError`, or `CancellationError` if the pool is cancelled.
  package func describe(
    _ files: [FileToDescribe], as depth: FileDescription.Depth, progress: (_ done: Int) -> Void = { _ in }
  ) throws -> [FileDescription] {
    var done = 0
    let batches = FileBatch.batches(of: files, as: depth)
    let described = try pool.map(batches, pixels: \.pixels) { slot, batch in
      try batch.described(by: slot)
    } ended: { batch in
      done += batch.files.count
      progress(done)
    }
    return described.flatMap(\.self)
  }
}

/// The files of one message.
private struct FileBatch: Sendable {
  /// Enough to make a message's own cost negligible.
  private static let mostFiles = 256
  private static let mostBytes = 64 << 20
  /// A lost batch is retried in this many parts, and each lost part file by file.
  private static let parts = 16

  var files: ArraySlice<FileToDescribe>
  let depth: FileDescription.Depth

  static func batches(of files: [FileToDescribe], as depth: FileDescription.Depth) -> [FileBatch] {
    var batches: [FileBatch] = []
    var start = files.startIndex
    while start < files.endIndex {
      var (end, bytes) = (start, 0)
      repeat {
        bytes += read(files[end], depth)
        end += 1
      } while end < files.endIndex && end - start < mostFiles && bytes < mostBytes
      batches.append(FileBatch(files: files[start..<end], depth: depth))
      start = end
    }
    return batches
  }

  /// The most bytes to read of a file.
  private static func read(_ file: FileToDescribe, _ depth: FileDescription.Depth) -> Int {
    let most = depth == .signature || depth == .glance ? 1 << 16 : SourceFile.largestFile
    return min(max(file.bytes, 0), most)
  }

  /// The size of a picture whose decode needs as much memory as the largest file.
  var pixels: Int { (files.lazy.map { Self.read($0, depth) }.max() ?? 0) / 40 }

  /// A slow disk reads a megabyte per second.
  private func seconds(_ configuration: RunnerConfiguration) -> Double {
    let bytes = files.reduce(0.0) { $0 + Double(Self.read($1, depth)) }
    return configuration.describingTimeout + bytes / 1e6 + 0.1 * Double(files.count)
  }

  func described(by slot: WorkerSlot) throws -> [FileDescription] {
    var paths = BytePacker()
    for file in files { paths.add(file.path) }
    let question = DescribeFiles(depth: depth, count: files.count)
    let response = try slot.ask(question, paths.bytes, within: seconds(slot.configuration))
    let failure: Failure
    switch response {
    case .answered(let answer):
      if let descriptions = try? unpacked(answer.bytes) { return descriptions }
      slot.retire()
      failure = Failure(kind: .broken, message: AnswerCheck.Invalid(detail: "its descriptions").description)
    case .failed(let reason): failure = reason
    case .unusable, .cancelled: throw CancellationError()
    }
    guard files.count > 1 else { return [try remains(after: failure, slot)] }
    let length = (files.count + Self.parts - 1) / Self.parts
    return try stride(from: files.startIndex, to: files.endIndex, by: length).flatMap { start in
      let part = files[start..<min(start + length, files.endIndex)]
      return try FileBatch(files: part, depth: depth).described(by: slot)
    }
  }

  private func unpacked(_ bytes: [UInt8]) throws(ByteUnpacker.Invalid) -> [FileDescription] {
    var (unpacker, descriptions) = (ByteUnpacker(bytes), [FileDescription]())
    for _ in files { descriptions.append(try FileDescription(from: &unpacker)) }
    guard unpacker.isAtEnd else { throw ByteUnpacker.Invalid() }
    return descriptions
  }

  /// The description of the only file, which ended a worker. If only its contents are at fault and not its header, the
  /// file can be used.
  private func remains(after failure: Failure, _ slot: WorkerSlot) throws -> FileDescription {
    func lost(_ part: String) -> Failure {
      Failure(kind: failure.kind, message: "\(failure.message) while reading its \(part)")
    }
    guard depth == .contents,
      var known = try FileBatch(files: files, depth: .digest).described(by: slot).first
    else { return FileDescription(lost: lost("header"), fileBytes: files.first?.bytes ?? 0) }
    if known.problem == nil { known.contents = .failure(lost("contents")) }
    return known
  }
}

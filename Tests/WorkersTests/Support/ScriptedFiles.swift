import Model
import TestSupport
import Workers

/// Scripted images in a folder, and workers for them.
struct ScriptedFiles {
  let folder: TemporaryFolder
  let files: [ImageFile]
  var configuration: RunnerConfiguration

  /// Images with these accidents (`nothing` for an intact one).
  init(_ images: [String] = ["nothing"]) throws {
    folder = try TemporaryFolder()
    files = try ScriptedFile.write(images, side: 16, into: folder).map {
      ImageFile(path: Array($0.path.utf8), identity: $0.identity, fileBytes: $0.bytes, header: $0.header)
    }
    configuration = RunnerConfiguration(jobs: 2, timeout: 30, workerExecutable: ScriptedWorker.program)
    configuration.memoryBudget = 1 << 30
  }

  /// Makes encodes of a variant hang.
  mutating func letEncodesHang() -> HangingEncodes {
    configuration.keepFolder = folder.path
    configuration.timeout = 3600
    return HangingEncodes(in: folder)
  }
}

import Foundation
package import Model

/// The program that tests start as a worker, and its stand-ins.
package enum ScriptedWorker {
  /// The program beside the test bundle.
  package static let program: String = {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let folders = [URL(filePath: own), Bundle.main.bundleURL, URL(filePath: CommandLine.arguments[0])]
      .map { $0.deletingLastPathComponent() }
    return folders.map { $0.appending(path: "worker-fixture").path }
      .first { FileManager.default.isExecutableFile(atPath: $0) } ?? "worker-fixture"
  }()

  /// The program under a unique name, so that its processes can be distinguished from those of other tests.
  package static func copy(in folder: TemporaryFolder) throws -> String {
    let copy = "\(folder.path)/worker"
    try self.copy(program, to: copy)
    return copy
  }

  /// A shell script in a folder that stands in for the program.
  package static func script(_ script: String, named name: String, in folder: TemporaryFolder) throws
    -> String
  {
    let path = folder.path + "/" + name
    let text = path + ".text"
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: text))
    guard chmod(text, 0o755) == 0 else { throw POSIXError(.EIO) }
    try copy(text, to: path)
    return path
  }

  /// Copies a program in another process. Files that this process has open for writing are briefly open in children
  /// that other tests fork, and a program cannot be started while that lasts.
  private static func copy(_ program: String, to path: String) throws {
    let process = try ProcessTable.start(["/bin/cp", "-p", program, path])
    var status: Int32 = 0
    guard waitpid(process, &status, 0) == process, status == 0 else { throw POSIXError(.EIO) }
  }
}

/// Encodes that hang for longer than any test. Each leaves a mark in a folder for kept files as it begins.
package struct HangingEncodes: Sendable {
  package let variant: CodecVariant
  private let folder: TemporaryFolder

  package init(in folder: TemporaryFolder) {
    self.folder = folder
    variant = CodecVariant(
      codec: "scripted", settings: ["do": "hang", "file:mark": folder.path + "/mark"])
  }

  /// Whether this many hang.
  package func are(_ count: Int) -> Bool {
    FileManager.default.contents(atPath: folder.path + "/mark")?.count == count
  }
}

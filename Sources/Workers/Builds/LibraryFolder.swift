import Foundation
import Model

/// The reason why a build of the libraries is unusable: the folder, the fault and the remedy.
package struct BuildError: Error, CustomStringConvertible {
  package let description: String

  init(_ build: LibraryBuild, _ reason: String) {
    description = "build “\(build.name)” (\(build.folder)): \(reason)"
  }

  init(description: String) { self.description = description }
}

/// The shared libraries of a folder, examined without loading any. The dynamic linker silently skips files that it
/// cannot use and loads the system's library instead.
struct LibraryFolder {
  let names: [String]
  private let folder: String

  init(_ build: LibraryBuild) throws(BuildError) {
    folder = build.folder
    guard !folder.contains(where: { ":;$".contains($0) }) else {
      throw BuildError(
        build, "the dynamic linker does not accept “:”, “;” or “$” in a folder's path; rename it")
    }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) else {
      throw BuildError(build, "there is no such folder")
    }
    guard isFolder.boolValue else {
      throw BuildError(build, "this is a file; name the folder that contains it")
    }
    guard let all = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      throw BuildError(build, "the folder cannot be read")
    }
    names = all.filter { $0.contains(".so") }.sorted()
    guard !names.isEmpty else {
      throw BuildError(build, "it does not contain a shared library; scripts/builds creates suitable folders")
    }
  }

  /// Why the linker skips a file of the folder, judging by its first bytes; nil if they show no reason.
  func obstacle(_ name: String) -> String? {
    guard let head = ELFMachine.head(folder + "/" + name) else { return "cannot be read" }
    guard let machine = ELFMachine(head) else { return "is not a shared library" }
    guard let own = ELFMachine.own, machine != own else { return nil }
    return "is built for \(machine), but heicbench for \(own)"
  }
}

private struct ELFMachine: Equatable, CustomStringConvertible {
  private let bits: UInt8
  private let isLittleEndian: Bool
  private let number: UInt16

  static let own = head("/proc/self/exe").flatMap { ELFMachine($0) }

  static func head(_ path: String) -> [UInt8]? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    guard let data = try? file.read(upToCount: 20) else { return nil }
    return [UInt8](data)
  }

  /// Reads the head of a file; nil if it is not an ELF file (System V ABI, chapter 4).
  init?(_ head: [UInt8]) {
    guard head.count >= 20, head.starts(with: [0x7f, 0x45, 0x4c, 0x46]) else { return nil }
    bits = head[4]
    isLittleEndian = head[5] == 1
    let (first, second) = (UInt16(head[18]), UInt16(head[19]))
    number = isLittleEndian ? first | second << 8 : second | first << 8
  }

  var description: String {
    let names: [UInt16: String] = [
      3: "32-bit x86", 21: "POWER", 22: "S/390", 40: "32-bit ARM", 62: "x86-64", 183: "arm64", 243: "RISC-V",
    ]
    return names[number] ?? "machine \(number)"
  }
}

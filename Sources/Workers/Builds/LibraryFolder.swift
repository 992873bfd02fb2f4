import Foundation
import Model

/// Why a build of the libraries cannot be used: what is wrong with which folder, and what to do.
package struct BuildError: Error, CustomStringConvertible {
  /// One sentence for the terminal.
  package let description: String

  init(_ build: LibraryBuild, _ reason: String) {
    description = "build “\(build.name)” (\(build.folder)): \(reason)"
  }

  init(description: String) { self.description = description }
}

/// The shared libraries of a folder, looked at without loading any of them.
///
/// The dynamic linker passes over what it cannot use without a word, and takes the system's library instead.
struct LibraryFolder {
  /// The names of the files that could be libraries, by name.
  let names: [String]
  private let folder: String

  /// Reads a build's folder.
  /// - Throws: `BuildError` where it is none, or holds no library.
  init(_ build: LibraryBuild) throws(BuildError) {
    folder = build.folder
    guard !folder.contains(where: { ":;$".contains($0) }) else {
      throw BuildError(
        build, "the dynamic linker takes no folder with “:”, “;” or “$” in its path; rename it")
    }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) else {
      throw BuildError(build, "there is no such folder")
    }
    guard isFolder.boolValue else {
      throw BuildError(build, "it is a file; give the folder that it is in")
    }
    guard let all = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      throw BuildError(build, "the folder cannot be read")
    }
    names = all.filter { $0.contains(".so") }.sorted()
    guard !names.isEmpty else {
      throw BuildError(build, "it holds no shared library; scripts/builds makes folders that do")
    }
  }

  /// Why the linker passes over a file of the folder, as far as the file's first bytes tell; nil where they do not.
  func obstacle(_ name: String) -> String? {
    guard let head = ELFMachine.head(folder + "/" + name) else { return "cannot be read" }
    guard let machine = ELFMachine(head) else { return "is no shared library" }
    guard let own = ELFMachine.own, machine != own else { return nil }
    return "is made for \(machine) and heicbench for \(own)"
  }
}

/// What kind of machine a program or library is made for, as the head of its file says.
private struct ELFMachine: Equatable, CustomStringConvertible {
  private let bits: UInt8
  private let isLittleEndian: Bool
  private let number: UInt16

  /// The machine of the running program.
  static let own = head("/proc/self/exe").flatMap { ELFMachine($0) }

  /// The first 20 bytes of a file; nil where it cannot be read.
  static func head(_ path: String) -> [UInt8]? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    guard let data = try? file.read(upToCount: 20) else { return nil }
    return [UInt8](data)
  }

  /// Reads the head of a file; nil for what is no ELF file (System V ABI, chapter 4).
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

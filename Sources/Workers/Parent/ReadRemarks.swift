package import Model
import Synchronization

/// Remarks of readers on the files that workers have read, by the files' names.
package final class ReadRemarks: Sendable {
  private let byFile = Mutex<[String: [String]]>([:])

  package init() {}

  package subscript(file file: String) -> [String] { byFile.withLock { $0[file] ?? [] } }

  /// All remarks, equal ones counted together.
  package var tally: RemarkTally {
    byFile.withLock { byFile in
      byFile.reduce(into: RemarkTally()) { tally, entry in tally.add(entry.value, on: entry.key) }
    }
  }

  /// Adds remarks; a remark that a file already has from an earlier read counts once.
  func add(_ remarks: [String: [String]]) {
    guard !remarks.isEmpty else { return }
    byFile.withLock { byFile in
      for (file, texts) in remarks where !texts.isEmpty {
        let known = byFile[file] ?? []
        byFile[file] = known + texts.filter { !known.contains($0) }
      }
    }
  }
}

import CodecKit
import Codecs
import Model

/// Notices on files with gain maps, for requests that keep no record of their images.
enum GainMaps {
  /// A sentence if some of the files hold one; nil otherwise. Reads each file whole, in Swift alone.
  static func notice(of files: [(name: String, path: [UInt8])]) -> String? {
    let found = files.filter { file in
      guard let bytes = try? SourceFile.bytes(at: file.path) else { return false }
      return CodecRegistry.standard.reader(for: bytes)?.stepsLeftOut(of: bytes).isEmpty == false
    }
    guard let first = found.first else { return nil }
    let others = found.count > 1 ? " and \(found.count - 1) more" : ""
    return "“\(first.name)”\(others): \(ImageRecord.gainMapStep)"
  }

  static func notice(of entries: [CorpusEntry]) -> String? {
    notice(of: entries.filter { $0.problem == nil }.map { ($0.identity.name, $0.path) })
  }
}

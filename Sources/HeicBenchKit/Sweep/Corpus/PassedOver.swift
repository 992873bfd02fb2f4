import CodecKit
import Model

/// Files and folders that a corpus walk left aside, by reason: everything skipped is counted.
package struct PassedOver: Sendable, Hashable {
  package enum Reason: String, Sendable, Hashable, CaseIterable {
    case hidden
    case notAnImage = "not an image"
    /// A FIFO, socket or device.
    case notRegular = "not a regular file"
    case unreadable
    case missing
    case danglingLink = "dangling link"
    /// A link in a circle, or to a folder already walked.
    case linkLoop = "link loop"
    /// Already met under the same name: overlapping roots, or a path listed twice.
    case repeated = "the same file again"
    /// Results of a run of 0.1.0, which may hold encoded files and pictures.
    case resultsFolder = "a results folder"
    /// Reports, pictures and encoded files.
    case ownFile = "written by heicbench"

    /// A count with this reason for use in a sentence: `2 hidden`, `1 results folder`.
    package func counted(_ count: Int) -> String {
      switch self {
      case .resultsFolder: "\(count) results folder\(count == 1 ? "" : "s")"
      case .notAnImage: "\(count) \(count == 1 ? "file that is" : "files that are") no image"
      case .repeated: "\(count) named again"
      case .danglingLink, .linkLoop: "\(count) \(rawValue)\(count == 1 ? "" : "s")"
      default: "\(count) \(rawValue)"
      }
    }
  }

  package private(set) var counts: [Reason: Int] = [:]
  package private(set) var names: [Reason: [String]] = [:]

  /// Names kept for each reason, so that a folder of millions takes little memory.
  static let namesKept = 10_000
  private static let namesInManifest = 100

  var countsByName: [String: Int] {
    Dictionary(counts.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: +)
  }

  var namesByName: [String: [String]] {
    Dictionary(
      names.map { ($0.key.rawValue, Array($0.value.prefix(Self.namesInManifest))) }, uniquingKeysWith: +)
  }

  mutating func count(_ name: String, _ reason: Reason) {
    counts[reason, default: 0] += 1
    if names[reason, default: []].count < Self.namesKept { names[reason, default: []].append(name) }
  }

  /// Up to `namesKept` files of each reason, each with it.
  var namesWithReasons: [String] {
    Reason.allCases.flatMap { reason in
      let names = names[reason] ?? []
      let more = (counts[reason] ?? 0) - names.count
      return names.map { "“\($0)”: \(reason.rawValue)" }
        + (more > 0 ? ["\(more) more: \(reason.rawValue)"] : [])
    }
  }

  /// A phrase such as `2 hidden (.a, .b); 1 file that is no image (notes.txt)`.
  var phrase: String {
    Reason.allCases.compactMap { reason in
      guard let count = counts[reason] else { return nil }
      let names = (names[reason] ?? []).prefix(3).joined(separator: ", ") + (count > 3 ? ", …" : "")
      return "\(reason.counted(count)) (\(names))"
    }.joined(separator: "; ")
  }
}

extension PassedOver.Reason {
  init(_ obstacle: FileDescription.Obstacle) {
    self =
      switch obstacle {
      case .notAnImage: .notAnImage
      case .notRegular: .notRegular
      case .unreadable: .unreadable
      }
  }

  /// The problem of a file that is named like an image.
  var failure: Failure {
    let cause =
      switch self {
      case .missing: "does not exist"
      case .danglingLink: "is a link to something that does not exist"
      case .notRegular: "is no regular file"
      default: "cannot be read"
      }
    return Failure(kind: .source, message: cause)
  }
}

import CodecKit
package import Model
import Reports
import Store

/// Files and folders that a corpus walk skipped, by reason. Everything skipped is counted.
package struct PassedOver: Sendable, Hashable {
  package enum Reason: String, Sendable, Hashable, CaseIterable {
    case hidden
    case notAnImage = "not an image"
    /// A picture or a video in a format that no reader knows.
    case unreadFormat = "a format that heicbench does not read"
    /// Left out by `--exclude`.
    case excluded
    /// A folder that a NAS or the system keeps for its own use, such as `@eaDir` for thumbnails.
    case systemFolder = "a folder of a NAS or the system"
    /// A FIFO, socket or device.
    case notRegular = "not a regular file"
    case unreadable
    case missing
    case danglingLink = "dangling link"
    /// A link in a circle, or to a folder already searched.
    case linkLoop = "link loop"
    /// Already found under the same name, because roots overlap or a path is listed twice.
    case repeated = "the same file again"
    /// Results of a run of version 0.1.0, which may contain encoded files and pictures.
    case resultsFolder = "a results folder"
    /// Reports, pictures and encoded files.
    case ownFile = "written by heicbench"

    /// A count with this reason for use in a sentence: `2 hidden`, `1 results folder`.
    package func counted(_ count: Int) -> String {
      switch self {
      case .resultsFolder: "\(count) results folder\(count == 1 ? "" : "s")"
      case .notAnImage: "\(count) \(count == 1 ? "file that is not an image" : "files that are not images")"
      case .unreadFormat: "\(count) in formats that heicbench does not read"
      case .systemFolder: "\(count) folder\(count == 1 ? "" : "s") of a NAS or the system"
      case .repeated: "\(count) named again"
      case .danglingLink, .linkLoop: "\(count) \(rawValue)\(count == 1 ? "" : "s")"
      default: "\(count) \(rawValue)"
      }
    }
  }

  package init() {}

  package private(set) var counts: [Reason: Int] = [:]
  package private(set) var names: [Reason: [String]] = [:]
  private var unreadByFormat: [String: UnreadFormat] = [:]

  /// The most names kept for each reason, so that a folder of millions takes little memory.
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

  /// Up to `namesKept` files for each reason, with the reason.
  var namesWithReasons: [String] {
    Reason.allCases.flatMap { reason in
      let names = names[reason] ?? []
      let more = (counts[reason] ?? 0) - names.count
      return names.map { "“\($0)”: \(reason.rawValue)" }
        + (more > 0 ? ["\(more) more: \(reason.rawValue)"] : [])
    }
  }

  /// Counts a file; `format` is the format of a picture or a video that no reader knows.
  mutating func count(_ name: String, _ reason: Reason, _ format: String?, bytes: Int) {
    count(name, format == nil ? reason : .unreadFormat)
    if let format { unreadByFormat[format, default: UnreadFormat(format)].add(name, bytes: bytes) }
  }

  /// Formats of files that no reader knows; most files first.
  package var unread: [UnreadFormat] { Array(unreadByFormat.values).merged(with: []) }

  /// `Skipped 20 files that heicbench cannot read (TIFF, 60.0 MB): a.tif, b.tif, c.tif, …; heicbench reads …`, and a line
  /// on everything else that was skipped.
  package var lines: [String] { [Self.line(on: unread), otherLine].compactMap(\.self) }

  /// A line on files that cannot be read; nil if there are none.
  static func line(on unread: [UnreadFormat]) -> String? {
    guard !unread.isEmpty else { return nil }
    let count = unread.reduce(0) { $0 + $1.files }
    let isOneFormat = unread.count == 1
    let formats = unread.map { format in
      let number = isOneFormat ? "" : "\(format.files) "
      return "\(number)\(format.format), \(Numerals.size(Double(format.bytes)))"
    }
    // A name or two of each format, so that every format can be identified.
    let examples = unread.flatMap { $0.names.prefix(isOneFormat ? 3 : 2) }.prefix(8)
    let more = count > examples.count ? ", …" : ""
    return
      "Skipped \(Numerals.counted(count, "file")) that heicbench cannot read (\(formats.joined(separator: "; "))): "
      + "\(examples.joined(separator: ", "))\(more). heicbench reads \(ImageInput.readableFormats)."
  }

  private var otherLine: String? {
    let phrases = Reason.allCases.filter { $0 != .unreadFormat }.compactMap { reason -> String? in
      guard let count = counts[reason] else { return nil }
      let names = (names[reason] ?? []).prefix(3).joined(separator: ", ") + (count > 3 ? ", …" : "")
      return "\(reason.counted(count)) (\(names))"
    }
    guard !phrases.isEmpty else { return nil }
    return "\(unreadByFormat.isEmpty ? "Skipped" : "Also skipped") \(phrases.joined(separator: "; "))."
  }
}

extension PassedOver {
  var skipped: SkippedFiles { SkippedFiles(unread: unread, counts: countsByName) }
}

extension SkippedFiles {
  /// Members for the JSON of a command: `unread`, by format, and `skipped`, the counts by reason.
  var json: [(String, JSONValue)] {
    let formats = unread.map { format in
      JSONValue.object([
        ("format", .text(format.format)), ("files", .integer(format.files)),
        ("bytes", .integer(format.bytes)), ("names", .strings(format.names)),
      ])
    }
    let reasons = counts.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.integer($0.value)) }
    return [("unread", .array(formats)), ("skipped", .object(reasons))]
  }
}

extension FeatureReport {
  /// Adds to the JSON what the last call for this report skipped.
  func withSkipped(of store: ResultStore) throws -> FeatureReport {
    var report = self
    report.json += try store.skipped(for: anchor)?.json ?? []
    return report
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
      case .notRegular: "is not a regular file"
      default: "cannot be read"
      }
    return Failure(kind: .source, message: cause)
  }
}

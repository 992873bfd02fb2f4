package import CodecKit
import Codecs
import Model
import Reports
import Store
package import Workers

/// A path as bytes, the way the system stores it; it need not be valid text.
public struct InputPath: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The bytes, without a terminator.
  public let bytes: [UInt8]

  /// Creates a path from raw bytes.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// Creates a path from UTF-8 text.
  public init(_ text: String) { bytes = Array(text.utf8) }

  /// Creates a path from a literal as UTF-8.
  public init(stringLiteral text: String) { self.init(text) }
}

/// A selection of images to measure.
public struct ImageSource: Sendable, ExpressibleByArrayLiteral {
  /// Files and folders. Folders are searched recursively; images are recognised by content.
  public var paths: [InputPath]
  /// A file that lists more paths, one per line or each followed by a zero byte; `-` is standard input.
  public var list: InputPath?
  /// Limit on the number of images. They are drawn at random by name, always the same ones; nil for all.
  public var limit: Int?
  /// True to take the first images by name instead of drawing them.
  public var limitsByName = false
  /// Images with more pixels than this are refused before they are decoded.
  public var maximumPixels = 300_000_000
  package var shard: Shard?
  /// Patterns of files and folders to leave out, such as `*_edited.jpg`, `raw/` or `2019/**/export`: see `--exclude`.
  public var excluded: [String] = []

  /// Selects all images of files and folders.
  public init(_ paths: [InputPath] = []) { self.paths = paths }

  /// Selects all images of the files and folders in a literal.
  public init(arrayLiteral paths: InputPath...) { self.paths = paths }

  /// Selects one of `count` equal parts of the images. Parts are the same on every machine that finds the same images.
  /// - Parameters:
  ///   - index: Number of the part, from 1.
  ///   - count: Number of parts.
  /// - Throws: `HeicBenchError` if there is no such part.
  public mutating func takePart(_ index: Int, of count: Int) throws {
    guard let shard = Shard(index: index, count: count) else {
      throw HeicBenchError(.usage, "there is no part \(index) of \(count)")
    }
    self.shard = shard
  }

  package var limits: ReadLimits { ReadLimits(maximumPixels: max(1, maximumPixels)) }

  package func files() throws(CorpusError) -> FoundFiles {
    var listed: [[UInt8]] = []
    if let list { listed = try PathList.read(list.bytes) }
    return try CorpusReader.find(
      roots: paths.map(\.bytes), listed: listed, excluding: PathPatterns(excluded))
  }

  /// The images of the requested part, with the problems of unreadable ones, and what was skipped. Workers read and
  /// hash every file.
  /// - Parameters:
  ///   - purpose: What the images are for, as a verb for the message, such as `cut`.
  ///   - describer: The workers that read the files.
  ///   - depth: `digest`, or `contents` to list the files' contents, too.
  ///   - notice: Gets a line for the user about skipped files.
  /// - Throws: `CorpusError` if a path cannot be used, `HeicBenchError` if there is no image.
  package func listing(
    to purpose: String, by describer: any FileDescriber, as depth: FileDescription.Depth = .digest,
    notice: (String) -> Void
  ) throws -> CorpusListing {
    let reader = CorpusReader(describer, limits: limits)
    var listing = try reader.read(try files(), as: depth, limit: limit, byName: limitsByName)
    if let shard { listing.entries = shard.part(of: listing.entries) }
    guard !listing.entries.isEmpty else { throw ImageInput.nothing(to: purpose, listing.passedOver) }
    listing.passedOver.lines.forEach(notice)
    return listing
  }

  static let listMark = ShellWord.listMark

  var rootNames: [String] {
    let list = list.map { [Array(Self.listMark.utf8) + $0.bytes] } ?? []
    return (paths.map(\.bytes) + list).map(ImageName.printable)
  }
}

/// The formats that heicbench reads, and the error if there is no image.
package enum ImageInput {
  package static let readableFormats = CodecRegistry.standard.readableFormats

  /// The error for having no image for a purpose such as `cut`, with what was skipped.
  package static func nothing(to purpose: String, _ passedOver: PassedOver) -> HeicBenchError {
    if let own = passedOver.counts[.ownFile] {
      return HeicBenchError(
        .noInput,
        "there is no image to \(purpose), only \(Numerals.counted(own, "file")) that heicbench wrote, for example with "
          + "--keep-encoded; it skips these in folders, so name the files themselves, as in folder/*.heic")
    }
    let reads = passedOver.unread.isEmpty ? "; heicbench reads \(readableFormats)" : ""
    return HeicBenchError(
      .noInput,
      "there is no image to \(purpose)\(reads)." + passedOver.lines.map { " " + $0 }.joined())
  }
}

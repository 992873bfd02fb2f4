package import CodecKit
import Codecs
import Model
import Store
package import Sweep
import Workers

/// A path as the bytes that the system knows it by, which need not be text.
public struct InputPath: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The bytes, without an end.
  public let bytes: [UInt8]

  /// Takes bytes as they are.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// Takes a text in UTF-8.
  public init(_ text: String) { bytes = Array(text.utf8) }

  /// Takes a text in UTF-8.
  public init(stringLiteral text: String) { self.init(text) }
}

/// Which images are measured.
public struct ImageSource: Sendable {
  /// Files and folders. Folders are searched with all that is below them; images are recognised by content.
  public var paths: [InputPath]
  /// A file that lists more paths, one a line or each followed by a zero byte; `-` is standard input.
  public var list: InputPath?
  /// How many images are taken at most, in the order of their names; nil takes all.
  public var limit: Int?
  /// Images with more pixels than this are refused before they are decoded.
  public var maximumPixels = 300_000_000
  /// The part that is measured; nil for all.
  package var shard: Shard?

  /// Takes all images of files and folders.
  public init(_ paths: [InputPath] = []) { self.paths = paths }

  /// Takes one of `count` equal parts of the images. Parts are the same on every machine that finds the same images.
  /// - Parameters:
  ///   - index: Which part, from 1.
  ///   - count: How many parts there are.
  /// - Throws: `HeicBenchError` where there is no such part.
  public mutating func takePart(_ index: Int, of count: Int) throws {
    guard let shard = Shard(index: index, count: count) else {
      throw HeicBenchError(.usage, "there is no part \(index) of \(count)")
    }
    self.shard = shard
  }

  /// What readers may spend on an image.
  package var limits: ReadLimits { ReadLimits(maximumPixels: max(1, maximumPixels)) }

  /// Paths and listed paths.
  package func sources() throws(CorpusError) -> CorpusSources {
    var listed: [[UInt8]] = []
    if let list { listed = try PathList.read(list.bytes) }
    return CorpusSources(roots: paths.map(\.bytes), listed: listed)
  }

  /// The images of the part that is asked for, unreadable ones with their problem. Reads and hashes every file.
  /// - Parameter purpose: What is to be done with them, for the message: `cut`.
  /// - Throws: `CorpusError` where a path cannot be used, `HeicBenchError` where there is no image.
  package func entries(to purpose: String) throws -> [CorpusEntry] {
    let reader = CorpusReader(registry: .standard, limits: limits, cache: nil)
    let listing = reader.read(try CorpusReader.find(sources()), limit: limit)
    var entries = listing.entries
    if entries.isEmpty, let own = listing.passedOver.counts[.ownFile], own > 0 {
      throw ImageInput.nothing(to: purpose, ownFiles: own)
    }
    if let shard { entries = shard.part(of: entries) }
    guard !entries.isEmpty else { throw ImageInput.nothing(to: purpose) }
    return entries
  }

  /// What stands before the name of a list among the roots of a record.
  static let listMark = ShellWord.listMark

  /// The roots as records name them.
  func rootNames(of sources: CorpusSources) -> [String] {
    let list = list.map { [Array(Self.listMark.utf8) + $0.bytes] } ?? []
    return (sources.roots + list).map(ImageName.printable)
  }
}

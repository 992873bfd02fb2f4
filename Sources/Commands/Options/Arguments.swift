public import ArgumentParser
import Foundation
public import HeicBenchKit

extension ReportFormat: ExpressibleByArgument {}

extension SweepRequest.Order: ExpressibleByArgument {}
extension SweepRequest.Chroma: ExpressibleByArgument {}
extension SweepRequest.Depth: ExpressibleByArgument {}

extension Purpose: ExpressibleByArgument {}

extension BaselineRequest.Way: EnumerableFlag {
  /// The help of a way's flag.
  public static func help(for way: Self) -> ArgumentHelp? {
    switch way {
    case .reads:
      "Write a baseline of the results of “decode”: memory, scores, and times with the machine that measured them."
    case .tiles: "Write a baseline of the results of “tiles”: bytes, scores and memory."
    case .generations: "Write a baseline of the results of “generations”: bytes and scores of each file."
    }
  }
}

extension InputPath: ExpressibleByArgument {
  /// Uses the bytes as given.
  public init(argument: String) { self.init(bytes: RawArguments.given.bytes(of: argument)) }
}

extension ByteCount: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}

extension Quality: ExpressibleByArgument {
  /// Parses a number from 0.0 to 1.0.
  public init?(argument: String) { self.init(argument) }
}

/// The program's arguments as raw bytes: Swift repairs invalid UTF-8, and a repaired path names another file.
struct RawArguments {
  private let bytesOfRepaired: [String: [UInt8]]

  static let given = RawArguments(
    (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0] }.map { pointer in
      Array(UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)))
    })

  init(_ arguments: [[UInt8]]) {
    let damaged = arguments.filter { String(validating: $0, as: UTF8.self) == nil }
    // Two broken names that are repaired alike cannot be told apart; the first is then used for both.
    bytesOfRepaired = Dictionary(
      damaged.map { (String(decoding: $0, as: UTF8.self), $0) }, uniquingKeysWith: { first, _ in first })
  }

  func bytes(of argument: String) -> [UInt8] { bytesOfRepaired[argument] ?? Array(argument.utf8) }
}

/// The program's arguments as raw bytes: Swift repairs invalid UTF-8, and a repaired path names another file.
struct RawArguments {
  private let bytesOfRepaired: [String: [UInt8]]

  init() {
    let pointers = (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0] }
    self.init(
      pointers.map { pointer in
        let length = (0...).first { pointer[$0] == 0 } ?? 0
        return (0..<length).map { UInt8(bitPattern: pointer[$0]) }
      })
  }

  init(_ arguments: [[UInt8]]) {
    let damaged = arguments.filter { String(validating: $0, as: UTF8.self) == nil }
    // Two broken names that are repaired alike cannot be told apart; the first then stands for both.
    bytesOfRepaired = Dictionary(
      damaged.map { (String(decoding: $0, as: UTF8.self), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The original bytes of an argument from the parser.
  func bytes(of argument: String) -> [UInt8] { bytesOfRepaired[argument] ?? Array(argument.utf8) }
}

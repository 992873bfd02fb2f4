/// The program's arguments as the bytes that they were: Swift repairs what is no text, and a repaired path
/// names another file.
struct RawArguments {
  private let bytesOfRepaired: [String: [UInt8]]

  /// Reads the arguments of this process.
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
    // Two broken names that are repaired alike cannot be told apart; then the first is meant by both.
    bytesOfRepaired = Dictionary(
      damaged.map { (String(decoding: $0, as: UTF8.self), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The bytes behind an argument that the parser has handed out.
  func bytes(of argument: String) -> [UInt8] { bytesOfRepaired[argument] ?? Array(argument.utf8) }
}

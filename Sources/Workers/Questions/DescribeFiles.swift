import CodecKit
import Model

/// Descriptions of many files. The paths follow the question and the descriptions follow the answer, both packed.
struct DescribeFiles: Question {
  var depth: FileDescription.Depth
  var count: Int

  /// More bytes than any file's description needs.
  private static let longestDescription = 1 << 20

  func reply(in session: WorkerSession, _ attachment: [UInt8]) throws -> Attached<Int> {
    var (paths, packer) = (ByteUnpacker(attachment), BytePacker())
    for _ in 0..<count {
      let path = try paths.part()
      FileDescription(of: path, as: depth, by: session.registry).pack(into: &packer)
    }
    return Attached(count, packer.bytes)
  }

  func remarks(in _: Answer) -> [String: [String]] { [:] }

  func verify(_ answer: inout Attached<Int>, by check: AnswerCheck) throws(AnswerCheck.Invalid) {
    try check.require(answer.body == count, "\(answer.body) files")
  }

  func attachment(of _: Attached<Int>, by _: AnswerCheck) -> ClosedRange<Int> {
    0...count * Self.longestDescription
  }
}

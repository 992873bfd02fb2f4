import CFuzzer
import Foundation

/// The target under test, by its name in the environment variable `FUZZ_READER`.
private let target: FuzzTarget = {
  let name = ProcessInfo.processInfo.environment["FUZZ_READER"] ?? ""
  guard let target = FuzzTarget(rawValue: name) else {
    fatalError("FUZZ_READER is “\(name)”: \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
  }
  return target
}()

/// Whether images are decoded too, by their libraries; else only what is heicbench's own runs, a hundred times as often.
private let isDecoding = ProcessInfo.processInfo.environment["FUZZ_DECODE"] == "1"

/// One input: nothing may trap.
private func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  return target.run(bytes, isDecoding: isDecoding) ? 0 : -1
}

@main struct FuzzReader {
  static func main() throws {
    // Without arguments of libFuzzer: names of targets, or seeds for a target in a folder.
    if CommandLine.arguments.count == 2, CommandLine.arguments[1] == "--list" {
      return print(FuzzTarget.allCases.map(\.rawValue).joined(separator: "\n"))
    }
    if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--seeds" {
      return try FuzzSeeds.write(for: target, into: CommandLine.arguments[2])
    }
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(LLVMFuzzerRunDriver(&count, &arguments, fuzzOneInput))
  }
}

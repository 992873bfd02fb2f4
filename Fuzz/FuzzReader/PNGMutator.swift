import CFuzzer
import Foundation

private let isPNG = ProcessInfo.processInfo.environment["FUZZ_READER"] == "png"

/// libFuzzer's own mutations, after which a PNG's checksums are put right: without that nearly every input
/// would fail its first check.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateOneInput(
  _ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ maximum: Int, _ seed: UInt32
) -> Int {
  let count = LLVMFuzzerMutate(data, count, maximum)
  if isPNG, seed % 8 != 0 { repairChecksums(UnsafeMutableBufferPointer(start: data, count: count)) }
  return count
}

private func repairChecksums(_ file: UnsafeMutableBufferPointer<UInt8>) {
  var position = 8
  while position + 12 <= file.count {
    let length = file[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
    guard length <= file.count - position - 12 else { return }
    let end = position + 8 + length
    var checksum = ~crc32(file[position + 4..<end])
    for offset in (0..<4).reversed() {
      file[end + offset] = UInt8(truncatingIfNeeded: checksum)
      checksum >>= 8
    }
    position = end + 4
  }
}

private func crc32(_ bytes: Slice<UnsafeMutableBufferPointer<UInt8>>) -> UInt32 {
  bytes.reduce(0xFFFF_FFFF) { crc, byte in
    (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
  }
}

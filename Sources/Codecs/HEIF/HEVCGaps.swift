import CHEIFShim
import CodecKit

/// Blocks of a picture that a damaged HEVC stream leaves undecoded, possibly in several tiles.
struct HEVCGaps {
  private var blocks: UInt64
  private var missing: UInt64
  private var isFaulty: Bool

  init(_ gaps: hb_de265_gaps = hb_de265_gaps()) {
    (blocks, missing, isFaulty) = (gaps.blocks, gaps.missing, gaps.is_faulty != 0)
  }

  mutating func add(_ gaps: hb_de265_gaps) {
    blocks += gaps.blocks
    missing += gaps.missing
    isFaulty = isFaulty || gaps.is_faulty != 0
  }

  /// Throws `malformed` for a damaged stream, with the share of the picture that is missing.
  func check() throws(CodecError) {
    guard missing > 0 else {
      guard isFaulty else { return }
      throw .malformed("damaged: libde265 found an error in the coded picture")
    }
    let percent = Int((Double(missing) / Double(max(blocks, 1)) * 100).rounded())
    throw .malformed(
      "damaged: \(percent < 1 ? "less than 1" : "\(percent)") % of the picture cannot be decoded")
  }
}

import CHEIFShim
import CodecKit

/// Owns a `heif_encoder`: x265 or aom with its parameters.
struct HEIFEncoder: ~Copyable {
  private let pointer: OpaquePointer

  init(owning pointer: OpaquePointer) { self.pointer = pointer }

  deinit { heif.encoder_release(pointer) }

  borrowing func withPointer<T>(_ body: (OpaquePointer) throws(CodecError) -> T) throws(CodecError) -> T {
    try body(pointer)
  }

  borrowing func setQuality(_ quality: Int) throws(CodecError) {
    try HEIFStatus(heif.encoder_set_lossy_quality(pointer, Int32(clamping: quality))).check()
  }

  borrowing func setLossless() throws(CodecError) {
    try HEIFStatus(heif.encoder_set_lossless(pointer, 1)).check()
  }

  borrowing func set(_ name: String, _ value: String) throws(CodecError) {
    try HEIFStatus(heif.encoder_set_parameter(pointer, name, value)).check()
  }
}

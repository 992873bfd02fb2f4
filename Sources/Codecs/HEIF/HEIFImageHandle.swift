import CHEIFShim
import CodecKit
import Pixels

/// Owns a `heif_image_handle`: an image in a file, not yet decoded.
struct HEIFImageHandle: ~Copyable {
  private let pointer: OpaquePointer

  init(owning pointer: OpaquePointer) { self.pointer = pointer }

  deinit { heif.image_handle_release(pointer) }

  var isPremultiplied: Bool { heif.image_handle_is_premultiplied_alpha(pointer) != 0 }
  var lumaBits: Int? {
    let bits = heif.image_handle_get_luma_bits_per_pixel(pointer)
    return bits > 0 ? Int(bits) : nil
  }

  /// Decodes into one of libheif's layouts, with the file's transformations applied.
  borrowing func decode(
    _ colorspace: heif_colorspace, _ chroma: heif_chroma
  ) throws(CodecError) -> HEIFImage {
    var image: OpaquePointer?
    _ = hb_de265_take_gaps()
    let status = heif.decode_image(pointer, &image, colorspace, chroma, nil)
    let decoded: HEIFImage? = if let image { HEIFImage(owning: image) } else { nil }
    try HEVCGaps(hb_de265_take_gaps()).check()
    try HEIFStatus(status).check()
    guard let decoded else { throw .heifAllocation }
    return decoded
  }

  borrowing func thumbnail(_ item: Int) throws(CodecError) -> HEIFImageHandle {
    var handle: OpaquePointer?
    try HEIFStatus(
      heif.image_handle_get_thumbnail(pointer, heif_item_id(clamping: item), &handle)
    ).check()
    guard let handle else { throw .heifAllocation }
    return HEIFImageHandle(owning: handle)
  }

  borrowing func iccProfile() throws(CodecError) -> [UInt8]? {
    let size = heif.image_handle_get_raw_color_profile_size(pointer)
    guard size > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: size)
    try HEIFStatus(heif.image_handle_get_raw_color_profile(pointer, &bytes)).check()
    return bytes
  }
}

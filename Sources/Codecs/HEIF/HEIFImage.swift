import CHEIFShim
import CodecKit
import Pixels

/// Owns a `heif_image`: pixels in one of libheif's layouts.
struct HEIFImage: ~Copyable {
  private let pointer: OpaquePointer

  init(owning pointer: OpaquePointer) { self.pointer = pointer }

  init(
    width: Int32, height: Int32, colorspace: heif_colorspace, chroma: heif_chroma
  ) throws(CodecError) {
    var image: OpaquePointer?
    try HEIFStatus(heif.image_create(width, height, colorspace, chroma, &image)).check()
    guard let image else { throw .heifAllocation }
    pointer = image
  }

  deinit { heif.image_release(pointer) }

  borrowing func withPointer<T>(_ body: (OpaquePointer) throws(CodecError) -> T) throws(CodecError) -> T {
    try body(pointer)
  }

  /// Sizes and bits are negative for an absent channel.
  borrowing func width(of channel: heif_channel) -> Int { Int(heif.image_get_width(pointer, channel)) }
  borrowing func height(of channel: heif_channel) -> Int { Int(heif.image_get_height(pointer, channel)) }
  /// Significant bits of a sample.
  borrowing func bits(of channel: heif_channel) -> Int {
    Int(heif.image_get_bits_per_pixel_range(pointer, channel))
  }
  var warningCount: Int { Int(heif.image_get_decoding_warnings(pointer, 0, nil, 0)) }

  /// Adds a plane of uninitialised samples.
  borrowing func addPlane(
    _ channel: heif_channel, width: Int32, height: Int32, bits: Int
  ) throws(CodecError) {
    try HEIFStatus(heif.image_add_plane(pointer, channel, width, height, Int32(clamping: bits))).check()
  }

  borrowing func embed(icc bytes: [UInt8]) throws(CodecError) {
    try HEIFStatus(heif.image_set_raw_color_profile(pointer, "prof", bytes, bytes.count)).check()
  }

  /// Sets the code points, full range, and the matrix coefficients by their number in H.273.
  borrowing func describe(_ points: CodePoints, matrix: UInt16) throws(CodecError) {
    guard let primaries = UInt16(exactly: points.primaries), let transfer = UInt16(exactly: points.transfer),
      let profile = heif.nclx_color_profile_alloc()
    else { throw .heifAllocation }
    defer { heif.nclx_color_profile_free(profile) }
    try HEIFStatus(heif.nclx_color_profile_set_color_primaries(profile, primaries)).check()
    try HEIFStatus(heif.nclx_color_profile_set_transfer_characteristics(profile, transfer)).check()
    try HEIFStatus(heif.nclx_color_profile_set_matrix_coefficients(profile, matrix)).check()
    profile.pointee.full_range_flag = 1
    try HEIFStatus(heif.image_set_nclx_color_profile(pointer, profile)).check()
  }

  // MARK: Samples

  /// Passes a plane to `body` for writing: its first byte and its row stride in bytes.
  borrowing func withPlane<T>(
    _ channel: heif_channel, _ body: (UnsafeMutableRawPointer, Int) -> T
  ) throws(CodecError) -> T {
    var stride: Int32 = 0
    guard let plane = heif.image_get_plane(pointer, channel, &stride), stride > 0 else {
      throw .heifAllocation
    }
    return body(UnsafeMutableRawPointer(plane), Int(stride))
  }

  borrowing func fill<Sample: BitwiseCopyable>(
    _ channel: heif_channel, from samples: [Sample], rows: Int
  ) throws(CodecError) {
    try withPlane(channel) { plane, stride in
      samples.withUnsafeBytes { source in
        guard rows > 0, let base = source.baseAddress else { return }
        let rowBytes = source.count / rows
        for row in 0..<rows {
          (plane + row * stride).copyMemory(from: base + row * rowBytes, byteCount: rowBytes)
        }
      }
    }
  }

  /// A plane's samples as packed rows of `rowCount` samples each.
  borrowing func samples(
    of channel: heif_channel, rowCount: Int, rows: Int
  ) throws(CodecError) -> RasterImage.Samples {
    let (isWide, isLargeEnough) = (bits(of: channel) > 8, height(of: channel) >= rows)
    let rowBytes = rowCount * (isWide ? 2 : 1)
    let samples: RasterImage.Samples? = try withPlane(channel) { plane, stride in
      guard isLargeEnough, stride >= rowBytes else { return nil }
      return RasterImage.Samples(rowCount * rows, isWide: isWide) { target, _ in
        guard let target else { return false }
        for row in 0..<rows {
          (target + row * rowBytes).copyMemory(from: plane + row * stride, byteCount: rowBytes)
        }
        return true
      }
    }
    guard let samples else { throw .malformed("libheif decoded a plane that is smaller than the image") }
    return samples
  }
}

import CHEIFShim
import CodecKit

struct HEIFContext: ~Copyable {
  private let pointer: OpaquePointer

  init() throws(CodecError) {
    try OpenedLibrary.heif.need()
    guard let pointer = heif.context_alloc() else { throw .heifAllocation }
    self.pointer = pointer
  }

  deinit { heif.context_free(pointer) }

  // MARK: Writing

  /// The encoder with this name in libheif.
  borrowing func encoder(for format: heif_compression_format, named id: String) -> HEIFEncoder? {
    var encoder: OpaquePointer?
    guard let descriptor = HEIFLibraries.encoder(of: format, named: id),
      heif.context_get_encoder(pointer, descriptor, &encoder).code == heif_error_Ok, let encoder
    else { return nil }
    return HEIFEncoder(owning: encoder)
  }

  /// Encodes an image into the file; the first one becomes the primary image.
  /// - Parameter thumbnailSide: Longest side of the thumbnail that libheif scales by nearest neighbour and embeds; 0
  ///   for none. An image that is not larger gets none.
  /// - Parameter statesCodePoints: Writes the code points in a box, which libheif 1.15 omits from HEIC for the sake of
  ///   old macOS versions.
  borrowing func add(
    _ image: borrowing HEIFImage, with encoder: borrowing HEIFEncoder, thumbnailSide: Int = 0,
    statesCodePoints: Bool = false
  ) throws(CodecError) {
    let options = statesCodePoints ? heif.encoding_options_alloc() : nil
    options?.pointee.macOS_compatibility_workaround_no_nclx_profile = 0
    defer { if let options { heif.encoding_options_free(options) } }
    try image.withPointer { image throws(CodecError) in
      try encoder.withPointer { encoder throws(CodecError) in
        var handle: OpaquePointer?
        try HEIFStatus(heif.context_encode_image(pointer, image, encoder, options, &handle)).check()
        guard let handle else { throw .heifAllocation }
        defer { heif.image_handle_release(handle) }
        // libheif refuses a thumbnail of an image that is not larger.
        let side = max(heif.image_handle_get_width(handle), heif.image_handle_get_height(handle))
        guard thumbnailSide > 0, thumbnailSide < side else { return }
        var small: OpaquePointer?
        let status = heif.context_encode_thumbnail(
          pointer, image, handle, encoder, options, Int32(clamping: thumbnailSide), &small)
        if let small { heif.image_handle_release(small) }
        try HEIFStatus(status).check()
      }
    }
  }

  borrowing func fileBytes() throws(CodecError) -> [UInt8] {
    var bytes: [UInt8] = []
    var writer = heif_writer(
      writer_api_version: 1,
      write: { _, data, size, target in
        if let data, let target {
          target.assumingMemoryBound(to: [UInt8].self).pointee
            .append(contentsOf: UnsafeRawBufferPointer(start: data, count: size))
        }
        return HEIFStatus.success
      })
    let status = withUnsafeMutablePointer(to: &bytes) { heif.context_write(pointer, &writer, $0) }
    try HEIFStatus(status).check()
    return bytes
  }

  // MARK: Reading

  /// Passes the primary image of a file to `body`, read within libheif's own limits.
  static func withPrimaryImage<T>(
    of bytes: [UInt8], _ info: HEIFFileInfo, _ body: (borrowing HEIFImageHandle) throws(CodecError) -> T
  ) throws(CodecError) -> T {
    try info.prepared(bytes).withUnsafeBufferPointer { file throws(CodecError) in
      let context = try HEIFContext()
      // libheif refuses a side that equals its limit.
      let side = Int32(clamping: max(info.items.longestSide, 1) + 1)
      hb_heif_set_limits(context.pointer, side, UInt64(max(info.maximumPixels, 1)))
      // A stream may state its size where we do not look for headers. Padding takes less than two blocks.
      hb_de265_begin(Int32(clamping: info.items.longestSide + 128))
      defer { hb_de265_begin(0) }
      // Decodes tiles in the calling thread: a sweep already runs one image per core.
      heif.context_set_max_decoding_threads(context.pointer, 0)
      try HEIFStatus(
        heif.context_read_from_memory_without_copy(context.pointer, file.baseAddress, file.count, nil)
      ).check()
      var handle: OpaquePointer?
      try HEIFStatus(heif.context_get_primary_image_handle(context.pointer, &handle)).check()
      guard let handle else { throw .heifAllocation }
      return try body(HEIFImageHandle(owning: handle))
    }
  }
}

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

  /// Levels are those of the encoder: 2 is x265's “info”.
  borrowing func setLogLevel(_ level: Int) throws(CodecError) {
    try HEIFStatus(heif.encoder_set_logging_level(pointer, Int32(clamping: level))).check()
  }

  borrowing func set(_ name: String, _ value: String) throws(CodecError) {
    try HEIFStatus(heif.encoder_set_parameter(pointer, name, value)).check()
  }
}

struct HEIFStatus {
  private let error: heif_error

  init(_ error: heif_error) { self.error = error }

  /// The return value of our writer callbacks on success.
  static var success: heif_error {
    let text: StaticString = "Success"
    return heif_error(
      code: heif_error_Ok, subcode: heif_suberror_Unspecified,
      message: UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self))
  }

  /// Boxes that `HEIFFileInfo` has found before libheif sees a file. libheif misses them if it cannot read their
  /// container, such as a `meta` box of size 0 or with a group of an unknown kind.
  private static let known: Set = [
    heif_suberror_No_meta_box.rawValue, heif_suberror_No_pitm_box.rawValue,
    heif_suberror_No_iinf_box.rawValue,
    heif_suberror_No_iprp_box.rawValue, heif_suberror_No_ipco_box.rawValue,
    heif_suberror_No_ipma_box.rawValue,
  ]

  func check() throws(CodecError) {
    guard error.code != heif_error_Ok else { return }
    var message = error.message.map { String(cString: $0) } ?? "error \(error.code.rawValue)"
    while message.last?.isWhitespace == true { message.removeLast() }
    switch error.code {
    case heif_error_Unsupported_filetype, heif_error_Unsupported_feature:
      throw .unsupported("libheif: \(message)")
    case heif_error_Invalid_input where Self.known.contains(error.subcode.rawValue):
      throw .unsupported(
        "needs a newer libheif: the installed one reports “\(message)”, although heicbench's own parser found that box"
      )
    case heif_error_Invalid_input, heif_error_Decoder_plugin_error:
      throw .malformed("libheif: \(message)")
    case heif_error_Memory_allocation_error:
      throw .limitExceeded("libheif: \(message)")
    case heif_error_Usage_error
    where error.subcode == heif_suberror_Unsupported_parameter
      || error.subcode == heif_suberror_Invalid_parameter_value:
      throw .invalidSetting("libheif: \(message)")
    default: throw .library(name: "libheif", message: message)
    }
  }
}

extension CodecError {
  /// The error if libheif returns no object, which happens only when memory is short.
  static let heifAllocation = CodecError.library(name: "libheif", message: "out of memory")
}

import CTIFFShim
import CodecKit
import Model
import Pixels

/// A libtiff decoder for one picture of a file, from its first row on.
struct TIFFDecompressor: ~Copyable {
  let picture: TIFFPicture
  private let handle: OpaquePointer

  private init(_ handle: OpaquePointer, _ picture: TIFFPicture) {
    (self.handle, self.picture) = (handle, picture)
  }

  /// Opens a file; its bytes must outlive the decoder. The caller has checked the number of pixels.
  static func open(
    _ bytes: UnsafeBufferPointer<UInt8>, _ picture: TIFFPicture, _ limits: ReadLimits
  ) throws(CodecError) -> TIFFDecompressor {
    try OpenedLibrary.tiff.need()
    if let tile = picture.tile {
      let (pixels, overflow) = tile.width.multipliedReportingOverflow(by: tile.height)
      guard !overflow, pixels <= max(limits.maximumPixels, 1 << 20) else {
        throw .limitExceeded("TIFF with tiles of \(tile.width)×\(tile.height) pixels, more than allowed")
      }
    }
    var description = picture.description
    // Strips as stored in the file, tables of their offsets, and libtiff's own buffers.
    let samples = picture.width * picture.height * picture.format.bytesPerPixel
    description.largest_allocation = Int64(bytes.count + samples + (64 << 20))
    guard let handle = hb_tiff_open(bytes.baseAddress, bytes.count, &description) else {
      throw .library(name: "libtiff", message: "out of memory")
    }
    let decoder = TIFFDecompressor(handle, picture)
    try decoder.check(hb_tiff_start(handle))
    return decoder
  }

  deinit { hb_tiff_close(handle) }

  /// The samples of the next rows, in the raster's form.
  borrowing func next(_ rows: Int, _ samples: TIFFSamples) throws(CodecError) -> RasterImage.Samples {
    let count = rows * picture.width * picture.keptSamples.count
    var status = HB_TIFF_OK
    let stored = RasterImage.Samples(count, isWide: picture.bits > 8) { target, _ in
      status = hb_tiff_read_rows(handle, target, UInt32(clamping: rows))
      return status == HB_TIFF_OK
    }
    try check(status)
    return samples.raster(stored)
  }

  /// libtiff's warnings about data that it could decode.
  var warning: String? {
    let count = hb_tiff_warnings(handle)
    guard count > 0 else { return nil }
    return "\(count) TIFF warning\(count == 1 ? "" : "s"): \(message)"
  }

  private var message: String { String(cString: hb_tiff_message(handle)) }

  private borrowing func check(_ status: hb_tiff_status) throws(CodecError) {
    switch status {
    case HB_TIFF_OK: return
    case HB_TIFF_OUT_OF_MEMORY: throw .library(name: "libtiff", message: "out of memory")
    case HB_TIFF_NO_CODEC:
      throw .unsupported(
        "TIFF with \(picture.compression.name) compression, which this libtiff was built without\(TIFFPicture.convert)"
      )
    case HB_TIFF_DISAGREES:
      let reason = message
      throw .malformed("broken TIFF: \(reason.isEmpty ? "libtiff reads another header" : reason)")
    default: throw isUnsupported ? .unsupported("TIFF that this libtiff cannot decode: \(message)") : damage()
    }
  }

  /// True if libtiff or libjpeg does not know the coding, which is not damage. Old-style JPEG comes in too many
  /// variants to call a file damaged just because libtiff does not understand it.
  private var isUnsupported: Bool {
    let sayings = ["Unsupported JPEG process", "not configured", "can not handle image"]
    return picture.compression.isOldJPEG || sayings.contains(where: message.contains)
  }

  /// The error for a partly undecodable picture, with the share that is missing.
  private borrowing func damage() -> CodecError {
    let (reason, row) = (message, Int(hb_tiff_next_row(handle)))
    var (damaged, all): (UInt32, UInt32) = (0, 0)
    let isCounted = hb_tiff_count_damaged(handle, &damaged, &all) == HB_TIFF_OK && all > 1 && damaged > 0
    let share =
      isCounted ? Double(damaged) / Double(all) : Double(picture.height - row) / Double(picture.height)
    let part = picture.tile == nil ? "strips" : "tiles"
    let places = isCounted ? "\(damaged) of \(all) \(part)" : "the rows from \(row + 1) on"
    let percent = max(1, Int((share * 100).rounded()))
    let doubt = picture.compression.isFax ? "; libtiff before 4.7 also fails on some valid CCITT files" : ""
    return .malformed(
      "truncated or damaged TIFF: \(percent) % of the picture is missing (\(places); \(reason))\(doubt)")
  }
}

extension TIFFPicture {
  /// The stored samples that make up the raster: the colour samples, then alpha.
  var keptSamples: [Int] { Array(0..<colour.samples) + (alpha.map { [$0.sample] } ?? []) }

  private var kind: hb_tiff_kind {
    if compression.isOldJPEG { return HB_TIFF_TO_RGB }
    guard case .ycbcr = colour else { return HB_TIFF_PLAIN }
    return compression.isJPEG ? HB_TIFF_JPEG_TO_RGB : HB_TIFF_TO_RGB
  }

  fileprivate var description: hb_tiff_picture {
    var description = hb_tiff_picture()
    description.directory = UInt64(directory.offset)
    (description.width, description.height) = (UInt32(clamping: width), UInt32(clamping: height))
    (description.tile_width, description.tile_height) =
      tile.map { (UInt32(clamping: $0.width), UInt32(clamping: $0.height)) } ?? (0, 0)
    (description.bits, description.samples) = (UInt32(clamping: bits), UInt32(clamping: samples))
    (description.is_separate, description.compression) = (
      isSeparate ? 1 : 0, Int32(clamping: compression.number)
    )
    description.kind = kind
    let kept = keptSamples
    withUnsafeMutableBytes(of: &description.kept) { bytes in
      for (index, number) in zip(bytes.bindMemory(to: UInt32.self).indices, kept) {
        bytes.bindMemory(to: UInt32.self)[index] = UInt32(clamping: number)
      }
    }
    description.kept_count = UInt32(clamping: kept.count)
    return description
  }
}

extension OpenedLibrary {
  static let tiff = OpenedLibrary(
    "libtiff", hb_tiff_load(), found: HB_TIFF_OK, notBuilt: HB_TIFF_NOT_BUILT,
    missing: "libtiff is not installed (Debian: libtiff6, macOS: brew install libtiff)",
    // "LIBTIFF, Version 4.5.0", and a line of copyright.
    version: {
      String(cString: hb_tiff_version()).split(whereSeparator: \.isWhitespace).dropFirst(2).first.map(
        String.init) ?? "?"
    })
}

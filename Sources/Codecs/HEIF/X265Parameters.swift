import CX265Shim
import CodecKit

/// Owns parameters of x265, so that x265 itself checks those that libheif passes on unread.
struct X265Parameters: ~Copyable {
  /// The presets, fastest first.
  static let presets = [
    "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow", "placebo",
  ]

  private let library: OpaquePointer

  /// Creates the parameters of a preset and a tune in the x265 that libheif has loaded.
  init(preset: String, tune: String) throws(CodecError) {
    try OpenedLibrary.heif.need()
    guard let loaded = LoadedLibrary("libx265"), let build = loaded.fileVersion else {
      throw .unsupported("this libheif has not loaded an x265 that can check “x265:” keys")
    }
    var isRefused: Int32 = 0
    guard let library = hb_x265_open(loaded.path, Int32(clamping: build), preset, tune, &isRefused) else {
      guard isRefused != 0 else {
        throw .library(name: "x265", message: "\(loaded.path) lacks the functions that check parameters")
      }
      throw .invalidSetting("x265 does not know the preset “\(preset)” with tune “\(tune)”")
    }
    self.library = library
  }

  deinit { hb_x265_close(library) }

  /// True if the x265 that libheif has loaded codes samples with this many bits.
  static func codes(bits: Int32) -> Bool {
    // Asking for the plugins loads them.
    guard !HEIFLibraries.heic.isEmpty, let loaded = LoadedLibrary("libx265"),
      let build = loaded.fileVersion
    else { return false }
    return hb_x265_codes(loaded.path, Int32(clamping: build), bits) != 0
  }

  /// Throws x265's reason for refusing a parameter, or ours for one that conflicts with another setting.
  borrowing func check(key: String, value: String) throws(CodecError) {
    let name = key.lowercased().replacing("_", with: "-")
    let bare = name.hasPrefix("no-") ? String(name.dropFirst(3)) : name
    if let reason = Self.refused[bare] { throw .invalidSetting("heic: x265:\(key) is refused: \(reason)") }
    switch hb_x265_set(library, key, value) {
    case 0: return
    case -1: throw .invalidSetting("heic: x265 has no parameter “\(key)”")
    default: throw .invalidSetting("heic: x265 does not accept “\(value)” for “\(key)”")
    }
  }

  borrowing func checkTogether() throws(CodecError) {
    guard hb_x265_starts(library) != 0 else {
      throw .invalidSetting("heic: x265 does not start with this combination of parameters")
    }
  }

  /// Parameters that heicbench or libheif controls, with the alternative to use.
  private static let refused: [String: String] = {
    let groups = [
      "crf qp bitrate crf-max crf-min cqp pass stats multi-pass-opt-analysis":
        "the sweep's quality decides that",
      "lossless": "use lossless=true", "pools numa-pools": "use threads=N",
      "log log-level csv csv-log-level": "heicbench suppresses the log",
      "preset tune": "use preset=NAME and tune=NAME", "input-csp": "use chroma=420, 422 or 444",
      "output-depth input-depth profile": "use depth=8, depth=10 or depth=12",
      "input-res fps frames interlace field total-frames annexb repeat-headers":
        "libheif needs one whole picture in its own stream format",
      "range colorprim transfer colormatrix videoformat overscan chromaloc sar":
        "it would state colours that the image does not have",
      "analysis-save analysis-load analysis-reuse-file lambda-file qpfile zonefile recon dhdr10-info "
        + "dolby-vision-rpu nalu-file scaling-list": "heicbench does not read or write side files",
    ]
    return groups.reduce(into: [:]) { table, group in
      for key in group.key.split(separator: " ") { table[String(key)] = group.value }
    }
  }()
}

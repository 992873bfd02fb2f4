import CodecKit
import Codecs
import Metrics
import Model

extension CodecVariant {
  /// Reads what `--codec` takes: a codec, or a codec with settings, such as `heic:chroma=444,preset=medium`.
  /// - Throws: `HeicBenchError` that says what there is.
  public init(_ spelling: String) throws {
    self = try HeicBenchError.mapping { try CodecRegistry.standard.variant(spelling) }
  }
}

package import CodecKit
import Synchronization

extension CodecRegistry {
  /// The codecs and readers of this process: heicbench's own and those that the program added.
  package static var standard: CodecRegistry { current.withLock { $0 } }

  private static let current = Mutex(own)

  /// Adds codecs to this process; each replaces one with the same name. Must be called before anything uses the codecs.
  package static func add(_ codecs: [any ImageCodec]) {
    current.withLock { $0 = $0.adding(codecs) }
  }

  /// All codecs and readers of heicbench; a new one needs one line here.
  private static let own = CodecRegistry(
    codecs: [
      GainMapCodec(JPEGCodec(), .jpeg), GainMapCodec(HEICCodec(), .heic), GainMapCodec(AVIFCodec(), .avif),
      WebPCodec(), JPEGXLCodec(), NullCodec(),
    ],
    readers: [
      PNGReader(), JPEGReader(), PNMReader(), HEIFReader(), WebPReader(), JPEGXLReader(), TIFFReader(),
    ],
    writer: PNGWriter(), mapped: { LoadedLibrary.all })
}

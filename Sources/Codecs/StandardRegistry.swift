package import CodecKit

extension CodecRegistry {
  /// All codecs and readers of heicbench; a new one is one line here.
  package static let standard = CodecRegistry(
    codecs: [
      GainMapCodec(JPEGCodec(), .jpeg), GainMapCodec(HEICCodec(), .heic), GainMapCodec(AVIFCodec(), .avif),
      WebPCodec(), JPEGXLCodec(), NullCodec(),
    ],
    readers: [
      PNGReader(), JPEGReader(), PNMReader(), HEIFReader(), WebPReader(), JPEGXLReader(), TIFFReader(),
    ],
    writer: PNGWriter(), mapped: { LoadedLibrary.all })
}

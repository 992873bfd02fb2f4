package import CodecKit

extension CodecRegistry {
  /// Everything that heicbench can encode and read. A new codec or reader is one line here.
  package static let standard = CodecRegistry(
    codecs: [JPEGCodec(), HEICCodec(), AVIFCodec(), WebPCodec(), JPEGXLCodec(), NullCodec()],
    readers: [PNGReader(), JPEGReader(), PNMReader(), HEIFReader(), WebPReader(), JPEGXLReader()],
    writer: PNGWriter(), mapped: { LoadedLibrary.all })
}

public import CodecKit

extension CodecRegistry {
  /// Everything that heicbench can encode and read. A new codec or reader is one line here.
  public static let standard = CodecRegistry(
    codecs: [JPEGCodec(), NullCodec()],
    readers: [PNGReader(), JPEGReader(), PNMReader()],
    writer: PNGWriter())
}

import CodecKit

/// Recognises camera raw files that use the TIFF container, so that their preview is not mistaken for the picture.
enum CameraRaw {
  /// Colour filter arrays, and linear raw data (DNG).
  private static let photometrics: Set = [32803, 34892]
  /// Raw data compressions of Kodak, Nikon, Sony, Pentax, Samsung and others.
  private static let compressions: Set = [262, 32767, 32769, 32770, 32772, 34713, 34892, 65000, 65535]

  static func refuse(_ pages: TIFFPages, _ bytes: TIFFBytes) throws(CodecError) {
    guard let kind = kind(of: pages, bytes) else { return }
    throw .cameraRaw(kind)
  }

  private static func kind(of pages: TIFFPages, _ bytes: TIFFBytes) -> String? {
    if pages.all.contains(where: { $0.directory.has(.dngVersion) }) { return "DNG" }
    if bytes.part(at: 8, length: 3)?.elementsEqual("CR\u{2}".utf8) == true { return "CR2" }
    let isRaw = pages.all.contains { page in
      let directory = page.directory
      return photometrics.contains(directory.number(.photometric) ?? 0)
        || compressions.contains(directory.number(.compression) ?? 0)
        || directory.has(.colourFilterPattern) || directory.has(.colourFilterPatternSize)
    }
    guard isRaw else { return nil }
    return pages.chain.lazy.compactMap { $0.directory.text(.make) }.first.map { "raw data of \($0)" }
      ?? "raw data"
  }
}

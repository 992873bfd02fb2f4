package import CodecKit
package import Model

extension TIFFReader {
  /// Tags of the picture's page, and further pages.
  package func contents(of bytes: [UInt8]) throws(CodecError) -> FileContents {
    let file = TIFFBytes(bytes)
    let pages = try TIFFPages(file, mayBeCut: false)
    var contents = FileContents()
    let (chosen, _) = try pages.chosen()
    addMetadata(of: [chosen.directory, chosen.parent].compactMap(\.self), in: file, to: &contents)
    if chosen.directory.numbers(.bitsPerSample).contains(where: { $0 > 8 }) {
      contents.add(.deepSamples, bytes: 0)
    }
    // Transparency, premultiplied or not.
    if chosen.directory.numbers(.extraSamples).contains(where: { [1, 2].contains($0) }) {
      contents.add(.alpha, bytes: 0)
    }
    for page in pages.all where page.directory.offset != chosen.directory.offset {
      let bytes = page.directory.dataByteCount
      contents.add(
        page.isMask ? .auxiliary : page.isReduced || page.parent != nil ? .thumbnail : .pictures, bytes: bytes
      )
    }
    return contents
  }

  private func addMetadata(
    of directories: [TIFFDirectory], in file: TIFFBytes, to contents: inout FileContents
  ) {
    let tags: [(TIFFDirectory.Tag, FileContents.Kind)] = [
      (.xmp, .xmp), (.iptc, .iptc), (.photoshop, .iptc), (.iccProfile, .icc), (.description, .comment),
      (.layers, .other),
    ]
    for (tag, kind) in tags {
      let bytes = directories.lazy.map { $0.byteCount(tag) }.first { $0 > 0 } ?? 0
      contents.add(kind, bytes: min(bytes, file.count))
    }
    let exif = directories.flatMap { [$0.part(.exif), $0.part(.gps)].compactMap { $0?.byteCount } }
    contents.add(.exif, bytes: exif.reduce(0, +))
    for directory in directories {
      contents.making.software = contents.making.software ?? directory.text(.software)
      contents.making.camera =
        contents.making.camera
        ?? FileMaking.camera(make: directory.text(.make), model: directory.text(.model))
    }
  }
}

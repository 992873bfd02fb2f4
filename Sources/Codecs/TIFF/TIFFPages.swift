import CodecKit

/// The pictures of a TIFF file, and the one to read: the first page at its full size.
struct TIFFPages {
  /// The maximum number of directories to look at.
  private static let most = 10_000
  private static let mostSubdirectories = 64

  struct Page {
    let directory: TIFFDirectory
    /// The page that this page is a part of, such as the preview of a full-size picture; nil for a page in the file's
    /// own chain.
    let parent: TIFFDirectory?
    let width: Int
    let height: Int

    init(_ directory: TIFFDirectory, of parent: TIFFDirectory? = nil) {
      (self.directory, self.parent) = (directory, parent)
      (width, height) = (directory.number(.width) ?? 0, directory.number(.height) ?? 0)
    }

    private var kind: Int { directory.number(.newSubfileType) ?? 0 }
    var isMask: Bool { kind & 4 != 0 || directory.number(.photometric) == 4 }
    var isReduced: Bool { kind & 1 != 0 || directory.number(.subfileType) == 2 }

    var pixels: Int {
      let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
      return overflow ? .max : pixels
    }
  }

  private(set) var chain: [Page] = []
  private(set) var parts: [Page] = []
  /// True if the chain of pages continues beyond the available bytes or the directories that are looked at.
  private(set) var goesOn = false

  /// Walks the directories.
  /// - Parameter mayBeCut: True if the bytes may be the beginning of a longer file. A page beyond them is then an
  ///   error, since it may be the one to read.
  init(_ file: TIFFBytes, mayBeCut: Bool) throws(CodecError) {
    var bytes = file
    bytes.isLittleEndian = file.part(at: 0, length: 2) == [0x49, 0x49]
    let isBig = bytes.number(at: 2, length: 2) == 43
    guard let first = isBig ? bytes.number(at: 8, length: 8) : bytes.number(at: 4, length: 4) else {
      throw .malformed("TIFF without a header")
    }
    var next: Int? = first
    var seen: Set<Int> = []
    while let offset = next, offset > 0, seen.insert(offset).inserted {
      guard seen.count <= Self.most, let directory = TIFFDirectory(bytes, at: offset, isBig: isBig) else {
        goesOn = true
        break
      }
      chain.append(Page(directory))
      for place in directory.numbers(.subdirectories, most: Self.mostSubdirectories)
      where seen.insert(place).inserted {
        guard let part = TIFFDirectory(bytes, at: place, isBig: isBig) else {
          goesOn = true
          continue
        }
        parts.append(Page(part, of: directory))
      }
      next = directory.next
      goesOn = goesOn || next == nil
    }
    if chain.isEmpty || goesOn && mayBeCut && seen.count <= Self.most {
      throw .malformed(
        "TIFF with an image directory beyond the end of the file: it is truncated or damaged")
    }
  }

  var all: [Page] { [chain, parts].flatMap(\.self) }

  /// The picture to read, with remarks about parts that are left out.
  func chosen() throws(CodecError) -> (page: Page, remarks: [String]) {
    let pictures = chain.filter { !$0.isMask && !$0.isReduced }
    var remarks: [String] = []
    if all.contains(where: \.isMask) { remarks.append("transparency mask ignored") }
    if let first = pictures.first {
      if !Self.isPyramid(pictures), pictures.count > 1 || goesOn {
        remarks.append(
          goesOn
            ? "the first page; the directory of another page cannot be read"
            : "the first of \(pictures.count) pages")
      }
      let sizes = Self.isPyramid(pictures) ? pictures : [first]
      let offsets = Set(sizes.map(\.directory.offset))
      let larger = parts.filter { part in
        !part.isMask && part.parent.map { offsets.contains($0.offset) } ?? false
      }
      if let page = Self.largest([sizes, larger].flatMap(\.self)) { return (page, remarks) }
    }
    // In some files, previews come first, and the picture is a part of a preview's directory.
    guard let page = Self.largest(all.filter { !$0.isMask }) else {
      throw .unsupported("TIFF with a transparency mask but no picture")
    }
    return (page, remarks)
  }

  /// The largest page; the first one if several are equal.
  private static func largest(_ pages: [Page]) -> Page? {
    pages.dropFirst().reduce(pages.first) { best, page in page.pixels > (best?.pixels ?? 0) ? page : best }
  }

  /// True if, judging by size, every page is a smaller copy of the largest, as in pyramids with unmarked pages.
  private static func isPyramid(_ pages: [Page]) -> Bool {
    let sorted = pages.sorted { $0.pixels > $1.pixels }
    guard pages.count > 1, let full = sorted.first else { return false }
    return zip(sorted, sorted.dropFirst()).allSatisfy { above, below in
      guard below.width > 0, below.height > 0 else { return false }
      let factor = Double(full.width) / Double(below.width)
      let step = Double(above.width) / Double(below.width)
      return step >= 1.5 && abs(Double(full.height) / factor - Double(below.height)) <= 1.5
    }
  }
}

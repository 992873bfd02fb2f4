import CodecKit

/// The pictures of a TIFF file, and the one that is read: the first page at its full size.
struct TIFFPages {
  /// Most directories looked at.
  private static let most = 10_000
  private static let mostSubdirectories = 64

  struct Page {
    let directory: TIFFDirectory
    /// The page of which this is a part, such as the full size of a preview; nil for a page of the file's own chain.
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
  /// True if the chain of pages goes on behind the bytes, or beyond what is looked at.
  private(set) var goesOn = false

  /// Walks the directories.
  /// - Parameter mayBeCut: True if the bytes may be the beginning of a longer file. Then a page behind them is an error,
  ///   since it may be the one to read.
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
        "TIFF whose directory of images lies behind the end of the file: it is cut off or damaged")
    }
  }

  var all: [Page] { [chain, parts].flatMap(\.self) }

  /// The picture to read, with remarks on what is left out.
  func chosen() throws(CodecError) -> (page: Page, remarks: [String]) {
    let pictures = chain.filter { !$0.isMask && !$0.isReduced }
    var remarks: [String] = []
    if all.contains(where: \.isMask) { remarks.append("transparency mask ignored") }
    if let first = pictures.first {
      if !Self.isPyramid(pictures), pictures.count > 1 || goesOn {
        remarks.append(
          goesOn
            ? "the first page; a further one's directory cannot be read"
            : "the first of \(pictures.count) pages")
      }
      let sizes = Self.isPyramid(pictures) ? pictures : [first]
      let offsets = Set(sizes.map(\.directory.offset))
      let larger = parts.filter { part in
        !part.isMask && part.parent.map { offsets.contains($0.offset) } ?? false
      }
      if let page = Self.largest([sizes, larger].flatMap(\.self)) { return (page, remarks) }
    }
    // Previews come first, and the picture is a part of one.
    guard let page = Self.largest(all.filter { !$0.isMask }) else {
      throw .unsupported("TIFF with a transparency mask and no picture")
    }
    return (page, remarks)
  }

  /// The largest page, the first of equals.
  private static func largest(_ pages: [Page]) -> Page? {
    pages.dropFirst().reduce(pages.first) { best, page in page.pixels > (best?.pixels ?? 0) ? page : best }
  }

  /// True if every page is a smaller copy of the largest, by its size, as in pyramids whose pages do not say so.
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

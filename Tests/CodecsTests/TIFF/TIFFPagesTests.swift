import CodecKit
import Model
import Pixels
import TestSupport
import Testing

@testable import Codecs

/// Which picture of a file is read, and which files are not pictures.
@Suite struct TIFFPagesTests {
  private typealias Tests = TIFFReaderTests

  /// A gray page of one value.
  private func page(_ width: Int, _ height: Int, _ value: Int = 9, kind: Int? = nil) -> TIFFFile.Page {
    var page = TIFFFile.Page(
      width: width, height: height, samples: [Int](repeating: value, count: width * height))
    if let kind { page.tags[254] = .longs([kind]) }
    return page
  }

  private func size(_ pages: [TIFFFile.Page]) throws -> (size: [Int], notes: [String]) {
    let file = TIFFFile().file(pages)
    let header = try TIFFReader().header(of: file)
    let source = try Tests.read(file)
    #expect((header.width, header.height) == (source.image.width, source.image.height))
    return ([header.width, header.height], source.notes)
  }

  @Test func theFirstOfSeveralPagesIsRead() throws {
    let found = try size([page(40, 30), page(50, 90), page(40, 30)])
    #expect(found.size == [40, 30] && found.notes == ["the first of 3 pages"])
  }

  @Test func theLargestOfAPyramidIsRead() throws {
    for pages in [
      [page(80, 61), page(40, 30, kind: 1), page(20, 15, kind: 1)],
      [page(20, 15, kind: 1), page(80, 61), page(40, 30, kind: 1)],
      [page(20, 15), page(40, 31), page(80, 61)],
      [page(20, 15, kind: 1), page(80, 61, kind: 1)],
    ] {
      let found = try size(pages)
      #expect(found.size == [80, 61] && found.notes.isEmpty)
    }
  }

  @Test func theFullSizeMayBeAPart() throws {
    var preview = page(16, 12, kind: 1)
    preview.parts = [page(160, 120)]
    preview.tags[274] = .shorts([6])
    let file = TIFFFile().file([preview])
    let source = try Tests.read(file)
    #expect(source.image.width == 160 && source.orientation == .right)
    var full = page(160, 120)
    full.parts = [page(80, 60, kind: 1), page(40, 30, kind: 1)]
    #expect(try size([full]).size == [160, 120])
  }

  @Test func masksAreSaid() throws {
    let found = try size([page(40, 30), page(40, 30, kind: 4)])
    #expect(found.size == [40, 30] && found.notes == ["transparency mask ignored"])
  }

  @Test func rawFilesOfCamerasAreRefused() throws {
    var dng = page(16, 12, kind: 1)
    dng.tags[50706] = .bytes([1, 4, 0, 0])
    var nef = page(16, 12, kind: 1)
    var data = page(160, 120)
    data.photometric = 32803
    nef.parts = [page(80, 60, kind: 1), data]
    var pef = page(160, 120)
    pef.tags[259] = .shorts([65535])
    for pages in [[dng], [nef], [pef], [page(16, 12), data]] {
      let refusal = Tests.refusal(TIFFFile().file(pages))
      #expect(refusal?.contains("a camera's raw file; develop it first") == true)
    }
    var cr2 = TIFFFile().file([page(160, 120)])
    cr2.replaceSubrange(8..<12, with: Array("CR\u{2}\0".utf8))
    #expect(Tests.refusal(cr2)?.hasPrefix("CR2, a camera's raw file") == true)
  }

  @Test func circlesOfDirectoriesEnd() throws {
    var file = TIFFFile().file([page(40, 30), page(40, 30)])
    // The last directory names the first one as the next.
    file.replaceSubrange(file.count - 4..<file.count, with: file[4..<8])
    #expect(try Tests.read(file).notes == ["the first of 2 pages"])
  }

  @Test func aPageThatIsCutOffLeavesTheOthers() throws {
    let file = TIFFFile().file([page(40, 30), page(40, 30)])
    let cut = Array(file.dropLast(20))
    #expect(try Tests.read(cut).notes == ["the first page; the directory of another page cannot be read"])
  }

  /// A whole file has its first page whatever its length; in the beginning of one, a page beyond it may be the picture.
  @Test func aPageThatIsMissingFromALongFileLeavesTheOthers() throws {
    var file = TIFFFile().file([page(40, 30)])
    file.replaceSubrange(file.count - 4..<file.count, with: [0, 0, 0, 0x7F])
    file += [UInt8](repeating: 0, count: SourceFile.headLength - file.count)
    #expect(throws: CodecError.self) { try TIFFReader().anyHeader(of: file) }
    file.append(0)
    let header = try TIFFReader().anyHeader(of: file)
    #expect((header.width, header.height) == (40, 30))
    #expect(try Tests.read(file).notes == ["the first page; the directory of another page cannot be read"])
  }
}

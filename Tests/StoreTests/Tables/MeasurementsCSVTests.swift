import Foundation
import Metrics
import Model
import Store
import TestSupport
import Testing

struct MeasurementsCSVTests {
  private let folder: TemporaryFolder
  private let metrics = MetricTraits.standard

  init() throws { folder = try TemporaryFolder() }

  private func rows(_ text: String) throws -> [ResultRow] {
    let path = folder.path + "/m.csv"
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    return try MeasurementsCSV.rows(ofFile: path, metrics: metrics)
  }

  @Test("control characters for terminals are removed") func textsArePlain() throws {
    let row = try #require(
      try rows(
        "image,codec,quality,encoded_bytes,libraries\n"
          + "\"a\u{1b}[2J\r\nheicbench: fake\",he\u{202e}ic,0.5,100,\u{9b}31mx\n"
      ).first)
    #expect(row.image == "a [2J  heicbench: fake")
    #expect(row.variant?.codec == "heic" && row.libraries == " 31mx")
  }

  @Test func readsEveryColumn() throws {
    let header = CSVColumnNames.header(metrics: [.psnrLuma]).joined(separator: ",")
    let row = try #require(
      try rows(
        header + "\n"
          + "a.png,30,40,8,false,png,heic,\"chroma=444,x265:crf=3=4\",0.85,85,measured,1800,12.000000,2.000000,"
          + "12.5,11,3,2.5,5,33.25,41.5,12,0.5,10,0.25,2,0.1,1,0.2,exclusive,true,3600,false,"
          + "libheif 1.15; x265 3.5,abc,refined,7654,33.25,8.5,new,heic@new,b.heic,heic,x265 3.5,1144,92.5,-61.5,1500,200,Xeon,\"gain map left out\",odd\n"
      ).first)
    #expect([row.width, row.height, row.bitDepth, row.rawBytes] == [30, 40, 8, 3_600])
    #expect(row.alpha == false && row.sourceFormat == "png" && row.sourceIsLossy == false)
    #expect(
      row.variant
        == CodecVariant(codec: "heic", build: "new", settings: ["chroma": "444", "x265:crf": "3=4"]))
    #expect(row.quality?.thousandths == 850 && row.nativeQuality == 85 && row.status == .measured)
    #expect(row.encodedBytes == 1_800 && row.repeats == 5 && row.figures[.peakMemory] == 33.25)
    #expect(row.figures[.chromaBound] == 92.5)
    #expect(row.sourceBytes == 7_654 && row.figures[.encodePeak] == 33.25 && row.figures[.decodePeak] == 8.5)
    let parts: [Quantity] = [.baseScore, .baseBytes, .mapBytes]
    #expect(parts.map { row.figures[$0] } == [-61.5, 1_500, 200])
    #expect(row[.encode, .wall] == ResultRow.Timing(minimum: 12, median: 12.5, deviation: 0.5))
    #expect(row[.encode, .cpu] == ResultRow.Timing(minimum: 10, median: 11, deviation: 0.25))
    #expect(row[.decode, .wall] == ResultRow.Timing(minimum: 2, median: 3, deviation: 0.1))
    #expect(row[.decode, .cpu] == ResultRow.Timing(minimum: 1, median: 2.5, deviation: 0.2))
    #expect(row.conditions == .exclusive && row.repeatsAgree == true && row.scores == ["psnr-y": 41.5])
    #expect(
      row.libraries == "libheif 1.15; x265 3.5" && row.imageHash == "abc" && row.origin == .refined
        && row.error == "odd")
    #expect(row.importedFile == "b.heic" && row.importedFormat == "heic" && row.importedMaking == "x265 3.5")
    #expect(row.figures[.metadata] == 1_144)
  }

  @Test func readsAnOlderFileWithFewColumns() throws {
    let row = try #require(
      try rows("codec,image,quality,encoded_bytes,encode_wall_ms\njpeg,a.png,0.5,100,2\n").first)
    #expect(row.status == .measured && row.variant == CodecVariant(codec: "jpeg"))
    #expect(row[.encode, .wall] == ResultRow.Timing(minimum: 2, median: 2, deviation: 0))
    #expect(row.libraries == nil && row.width == nil && row.repeats == nil)
  }

  @Test func takesRawBytesFromTheRatio() throws {
    let text = "image,codec,quality,encoded_bytes,compression_ratio\na,jpeg,0.5,700,1685.485714\n"
    #expect(try rows(text).first?.rawBytes == 1_179_840)
  }

  @Test func keepsUnknownColumnsOfNumbersAsScores() throws {
    let row = try #require(
      try rows("image,codec,quality,encoded_bytes,butteraugli,note,psnr_y_db\na,jpeg,0.5,1,1.5,x,inf\n").first
    )
    #expect(row.scores == ["butteraugli": 1.5, "psnr-y": .infinity])
  }

  @Test func undoesTheGuardAgainstFormulas() throws {
    let text = "image,codec,quality,encoded_bytes,error\n'=cmd|'x,jpeg,0.5,1,'-dash\n"
    let row = try #require(try rows(text).first)
    #expect(row.image == "=cmd|'x" && row.error == "-dash")
  }

  @Test func readsTheRowOfAnImageThatCouldNotBeRead() throws {
    let row = try #require(try rows("image,codec,quality,status,encoded_bytes,error\nx,,,failed,,no\n").first)
    #expect(row.variant == nil && row.quality == nil && row.status == .failed && row.error == "no")
  }

  @Test(
    arguments: [
      ("", nil, "empty"),
      ("image,codec,quality\n", 1, "no column “encoded_bytes”"),
      ("image,codec,quality,encoded_bytes,image\n", 1, "“image” appears twice"),
      ("image,codec,quality,encoded_bytes\na,jpeg,0.5\n", 2, "3 fields where the header names 4"),
      (
        "image,codec,quality,encoded_bytes\na,jpeg,0.5,12\n\na,jpeg,0.5,-1\n", 4,
        "“-1” in column encoded_bytes"
      ),
      ("image,codec,quality,encoded_bytes\na,jpeg,0.5,9223372036854775808\n", 2, "encoded_bytes"),
      ("image,codec,quality,encoded_bytes\na,jpeg,85,12\n", 2, "“85” in column quality"),
      ("image,codec,quality,encoded_bytes\na,jpeg,,12\n", 2, "quality"),
      ("image,codec,quality,encoded_bytes\na,,0.5,12\n", 2, "codec"),
      ("image,codec,quality,encoded_bytes\n,jpeg,0.5,12\n", 2, "image"),
      ("image,codec,quality,encoded_bytes,status\na,jpeg,0.5,12,done\n", 2, "“done” in column status"),
      ("image,codec,quality,encoded_bytes,status\na,jpeg,0.5,12,\n", 2, "“” in column status"),
      ("image,codec,quality,encoded_bytes,status\na,jpeg,0.5,,measured\n", 2, "encoded_bytes"),
      (
        "image,codec,quality,encoded_bytes,origin\na,jpeg,0.5,12,imported\n", 2, "“imported” in column origin"
      ),
      ("image,codec,quality,encoded_bytes,ssimulacra2\na,jpeg,0.5,12,1e308\n", 2, "“1e308” is not a score"),
      ("image,codec,quality,encoded_bytes,ssimulacra2\na,jpeg,0.5,12,inf\n", 2, "“inf” is not a score"),
      ("image,codec,quality,encoded_bytes,ssim\na,jpeg,0.5,12,-1.1\n", 2, "“-1.1” is not a score"),
      ("image,codec,quality,encoded_bytes,psnr_y_db\na,jpeg,0.5,12,196\n", 2, "“196” is not a score"),
      ("image,codec,quality,encoded_bytes,settings\na,jpeg,0.5,12,chroma\n", 2, "settings"),
      ("image,codec,quality,encoded_bytes,settings\na,jpeg,0.5,12,\"a=1,a=2\"\n", 2, "settings"),
      ("image,codec,quality,encoded_bytes,encode_cpu_ms\na,jpeg,0.5,12,nan\n", 2, "encode_cpu_ms"),
      (
        "image,codec,quality,encoded_bytes,psnr_y_db\na,jpeg,0.5,12,high\n", 2,
        "“high” is not a score of psnr-y"
      ),
      ("image,codec,quality,encoded_bytes,width\na,jpeg,0.5,12,4294967296\n", 2, "width"),
      ("image,codec,quality,encoded_bytes\na,\"jpeg,0.5,12\n", 2, "a quote is never closed"),
    ] as [(String, Int?, String)])
  func saysWhatIsWrongAndWhere(_ text: String, line: Int?, reason: String) throws {
    let error = #expect(throws: CSVError.self) { try rows(text) }
    #expect(error?.line == line)
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("m.csv") == true)
  }

  @Test func saysThatAFileCannotBeRead() throws {
    for path in [folder.path, folder.path + "/none.csv"] {
      let error = #expect(throws: CSVError.self) { try MeasurementsCSV.rows(ofFile: path, metrics: []) }
      #expect(error?.path == path)
    }
  }
}

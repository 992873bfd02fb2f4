import CodecKit
import Foundation
import Model
import Pixels
import Store
import Synchronization
import TestSupport
import Testing

@testable import HeicBenchKit
@testable import Reports
@testable import Workers

/// The charts and pictures of a page of reads: which are shown, in which order, and what happens to the others.
@Suite(.timeLimit(.minutes(30))) struct DecodePicturesTests {
  private static let encoding = Quality(thousandths: 800).map {
    ReadEncoding(variant: CodecVariant(codec: "jpeg"), quality: $0)
  }

  private func read(
    _ name: String, _ route: ReadRoute = .full, side: Int? = 320, encoding: ReadEncoding? = nil,
    build: String? = nil, peak: Int = 3 << 20, predicted: Int? = nil, decoded: Int? = nil
  ) -> CaseRecord {
    let wanted = side.map(WantedPixels.side) ?? .all
    var figures = Figures(format: "ppm", fileBytes: 1000, width: 4000, height: 3000, touchedBytes: 1000)
    let given = decoded ?? side ?? 4000
    (figures[.decodedWidth], figures[.decodedHeight]) = (given, given)
    (figures[.deliveredWidth], figures[.deliveredHeight]) = (given, given)
    figures.figures[.decodedBytes] = given * given * 3
    (figures.figures[.decodePeak], figures.figures[.predictedPeak]) = (peak, predicted)
    figures.timing.conditions = .single
    figures.timing.decode = [TimingSample(wallNanoseconds: 2_000_000, cpuNanoseconds: 1_000_000)]
    return CaseRecord(
      key: Case(
        image: identity(name), encoding: encoding, format: "ppm", route: route, wanted: wanted, build: build),
      outcome: .measured(figures))
  }

  // MARK: Choices

  /// The choices, each as file, side and routes.
  private func chosen(
    _ records: [CaseRecord], count: Int?, builds: Set<String> = []
  ) throws -> [String] {
    try DecodeReport(records).choices(count: count, builds: builds).map { choice in
      let keys = choice.reads.map(\.key)
      return "\(keys.first?.image.name ?? "") \(keys.first?.wanted.description ?? "") "
        + keys.map(\.route.rawValue).joined(separator: ",")
    }
  }

  @Test func theFilesWithMostRoutesAreShown() throws {
    let records = [
      read("a"), read("b"), read("b", .scaled), read("c"), read("c", .scaled), read("c", .thumbnail),
      read("d"), read("d", .scaled),
    ]
    let all = ["c 320 full,scaled,thumbnail", "b 320 full,scaled", "d 320 full,scaled", "a 320 full"]
    #expect(try chosen(records, count: nil) == all)
    #expect(try chosen(records, count: 2) == Array(all.prefix(2)), "the first by name of equals")
    #expect(try chosen(records, count: 0).isEmpty)
  }

  @Test(arguments: [([160, 300, 340, 1024], "300"), ([1024, 2048], "1024"), ([640, 160], "160")])
  func theSizeNearestToWhatFitsThePageIsShown(sides: [Int], shown: String) throws {
    #expect(try chosen(sides.map { read("a", side: $0) }, count: nil) == ["a \(shown) full"])
  }

  @Test func whatHasNoPictureIsNoChoice() throws {
    var failed = read("a", .scaled)
    failed.outcome = .failed(Failure(kind: .crash, message: "gone"))
    let records = [
      failed, read("a", side: nil), read("a", side: 2048), read("a", .ycbcr), read("a", .region),
    ]
    #expect(try chosen(records, count: nil).isEmpty)
    let built = [read("a", build: "new"), read("a", .scaled, build: "old")]
    #expect(try chosen(built, count: nil, builds: ["new"]) == ["a 320 full"], "a build that is available")
    #expect(try chosen(built, count: nil).isEmpty)
  }

  // MARK: Pictures

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func identity(_ name: String) -> ImageIdentity {
    let bytes = try? Data(contentsOf: URL(filePath: path(name)))
    return ImageIdentity(name: name, contentHash: bytes.map { SHA256.hexDigest(of: [UInt8]($0)) } ?? name)
  }

  private func path(_ name: String) -> String { folder.path + "/" + name }

  private func write(_ name: String, accident: String? = nil) throws {
    if let accident {
      return try ScratchFile.write(
        ScriptedReader.file(width: 40, height: 30, accident: accident), to: path(name))
    }
    let image = try #require(SyntheticImage.waves(width: 40, height: 30))
    try ScratchFile.write(Array("P6 40 30 255\n".utf8) + image.samples.eightBits(), to: path(name))
  }

  /// The groups made from reads, with the messages about those that cannot be shown.
  private func make(
    _ records: [CaseRecord], embeds: Bool = false, isCancelled: Bool = false
  ) throws -> (groups: [PictureGroup], notices: [String], files: OwnedFolder) {
    var page = PageSettings()
    (page.images, page.embedsImages) = (nil, embeds)
    let notices = Mutex<[String]>([])
    let configuration = RunnerConfiguration(jobs: 2, timeout: 60, workerExecutable: ScriptedWorker.program)
    let set = ReadPictureSet(
      entry: { name in
        guard FileManager.default.fileExists(atPath: path(name)) else { return nil }
        return CorpusEntry(
          identity: identity(name), path: Array(path(name).utf8), fileBytes: 1000, header: nil)
      }, configuration: configuration, page: page, notice: { text in notices.withLock { $0.append(text) } })
    try FileManager.default.createDirectory(atPath: path("out"), withIntermediateDirectories: true)
    let files = try OwnedFolder(path("out"))
    if isCancelled { set.cancellation.cancel() }
    let groups = try set.make(for: DecodeReport(records), in: files, name: "pictures")
    return (groups, notices.withLock { $0 }, files)
  }

  @Test func eachRouteHasItsPictureInTheOrderOfTheReads() throws {
    for name in ["a", "b"] { try write(name) }
    let records = ["a", "b"].flatMap { name in
      [
        read(name, side: 20, encoding: Self.encoding), read(name, .scaled, side: 20, encoding: Self.encoding),
      ]
    }
    let (groups, notices, files) = try make(records)
    #expect(notices.isEmpty && groups.map(\.name) == ["a", "b"])
    #expect(groups[0].title == "a, JPEG at quality 0.8")
    #expect(
      groups.map { $0.pictures.map(\.address) } == [
        ["pictures/read-1-1.png", "pictures/read-1-2.png"],
        ["pictures/read-2-3.png", "pictures/read-2-4.png"],
      ])
    #expect(
      groups[0].pictures.map { String($0.caption.prefix { $0 != ":" }) } == ["full, 20 px", "scaled, 20 px"])
    // The scripted writer writes only the size, and both routes return the requested size.
    for group in groups {
      for picture in group.pictures {
        #expect(try String(contentsOfFile: "\(files.path)/\(picture.address)", encoding: .utf8) == "20 15")
        #expect(files.standing(of: picture.address) == .ours)
      }
    }
  }

  @Test func picturesThatAreEmbeddedLeaveNoFile() throws {
    try write("a")
    let (groups, _, files) = try make([read("a", side: 20)], embeds: true)
    let data = Data("20 15".utf8).base64EncodedString()
    #expect(groups.map { $0.pictures.map(\.address) } == [["data:image/png;base64,\(data)"]])
    #expect(files.names(in: "pictures").isEmpty)
  }

  @Test func whatCannotBeShownIsNamedAndCostsNothingElse() throws {
    try write("good")
    for accident in ["crash", "broken"] { try write(accident, accident: accident) }
    try write("edited")
    let records = ["broken", "crash", "edited", "gone", "good"].map { read($0, side: 20) }
    try write("edited", accident: "nothing")
    let (groups, notices, files) = try make(records)
    #expect(groups.map(\.name) == ["good"])
    #expect(groups.first?.pictures.map(\.address) == ["pictures/read-5-4.png"])
    #expect(files.names(in: "pictures") == ["read-5-4.png"])
    #expect(
      notices.count == 3 && zip(notices, ["broken", "crash", "edited"]).allSatisfy { $0.contains("“\($1)”") })
    #expect(notices[0].contains("broken on purpose") && notices[1].hasSuffix("by full: killed by SIGBUS"))
  }

  @Test func aStopIsNoFailureOfThePictures() throws {
    try write("a")
    let (groups, notices, files) = try make([read("a", side: 20)], isCancelled: true)
    #expect(groups.isEmpty && notices.isEmpty && files.names(in: "pictures").isEmpty)
  }

  // MARK: Charts

  /// The bars in the chart's description, which screen readers read out.
  private func memory(_ records: [CaseRecord]) throws -> String {
    let svg = try #require(DecodeReport(records).charts.first { $0.name == "decode-memory" }).svg
    let description = try #require(svg.firstMatch(of: /<desc[^>]*>(.*)<\/desc>/))
    return String(description.1)
  }

  @Test func aBarIsARouteToASizeOfPixels() throws {
    // The whole picture is decoded whatever size is requested, so the full decode has one bar.
    let bars = try memory([
      read("a", side: 320, peak: 70 << 20, decoded: 4000),
      read("a", side: 640, peak: 70 << 20, decoded: 4000),
      read("a", .scaled, side: 320, peak: 4 << 20, decoded: 500),
      read("a", .scaled, side: 640, peak: 9 << 20, decoded: 1000),
    ])
    #expect(
      bars == "PPM files, full: 70 MiB, pixels 46; PPM files, scaled, 640: 9.0 MiB, pixels 2.9; "
        + "PPM files, scaled, 320: 4.0 MiB, pixels 0.7.")
  }

  @Test func measuredAndPredictedMemoryAreOfTheSameFiles() throws {
    let some = [
      read("a", peak: 10 << 20, predicted: 12 << 20), read("b", peak: 500 << 20), read("c", peak: 500 << 20),
    ]
    #expect(try memory(some) == "PPM files, full: 10 MiB, pixels 0.3, predicted 12.")
    #expect(try memory(Array(some[1...])) == "PPM files, full: 500 MiB, pixels 0.3.")
  }
}

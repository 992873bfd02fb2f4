import CodecKit
import Foundation
import Model
import Testing

@testable import HeicBenchKit
@testable import Workers

struct ReadTests {
  private let key = Case(
    image: ImageIdentity(name: "a", contentHash: "0"), encoding: nil, route: .full, wanted: .all)

  private var figures: Figures {
    var figures = Figures(format: "jpeg", fileBytes: 100, width: 8, height: 8, touchedBytes: 100)
    (figures[.decodedWidth], figures[.decodedHeight]) = (8, 8)
    (figures[.deliveredWidth], figures[.deliveredHeight]) = (8, 8)
    figures.timing.decode = [TimingSample(wallNanoseconds: 2, cpuNanoseconds: 1)]
    figures[.plain] = 90
    return figures
  }

  private func isTaken(_ figures: Figures) -> Bool {
    let setup = WorkerSetup(
      preparation: Preparation(keepsAlpha: false, maximumBitDepth: 8), limits: ReadLimits(),
      metrics: Figures.readMetrics)
    let request = RouteQuestion(path: Data(), key: key, repeats: 1)
    return (try? request.checked(figures, attachment: 0, by: AnswerCheck(setup))) != nil
  }

  @Test func trueFiguresAreTaken() { #expect(isTaken(figures)) }

  @Test(arguments: 0..<10) func figuresThatCannotBeAreRefused(lie: Int) {
    var told = figures
    switch lie {
    case 0: told[.width] = -1
    case 1: told.encodedBytes = 0
    case 2: told[.touchedBytes] = 101
    case 3: told.timing.decode = []
    case 4: told.timing.decode[0].cpuNanoseconds = -1
    case 5: told.figures[.decodePeak] = .min
    case 6: told[.aligned] = .nan
    case 7: told.scores["ssim"] = 1
    case 8: told.failedScores["mine"] = "a program that nobody asked for"
    default: told[.deliveredHeight] = .max
    }
    #expect(!isTaken(told))
  }

  /// A read is recorded under the codec's libraries, but readers do not use libavif.
  @Test func filesOfLibAVIFAreNotReadUnderItsName() throws {
    func described(_ library: String) -> VariantDescription {
      VariantDescription(
        variant: CodecVariant(codec: "avif", build: "av"),
        libraries: [LibraryVersion(name: library, version: "1.4.2")], threads: 1)
    }
    try ReadSources.checkReaders(of: [described("libheif")])
    let error = #expect(throws: HeicBenchError.self) {
      try ReadSources.checkReaders(of: [described("libheif"), described("libavif")])
    }
    #expect(error?.kind == .usage)
  }

  @Test func everyRouteHasTheSizesThatItCanBeAskedFor() throws {
    let entry = CorpusEntry(identity: key.image, path: [], fileBytes: 1, header: nil)
    var request = DecodeCostRequest(images: [])
    request.sizes = [.side(320), .all, .part(width: 9, height: 9)]
    let sources = try ReadSources([entry], codecs: [], qualities: [], .none, scoresThroughBuilds: false)
    #expect(
      request.jobs(sources).flatMap(\.cases).map { "\($0.route.rawValue) \($0.wanted)" } == [
        "full 320", "full full", "ycbcr full", "scaled 320", "thumbnail 320", "region 9x9", "first-tile full",
      ])
  }
}

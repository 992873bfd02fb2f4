import Foundation
import Model
import Pixels
import TestSupport
import Testing

@testable import Metrics

@Suite("Metric suite") struct MetricSuiteTests {
  @Test("lists metrics and columns in the contract's order") func order() {
    let usual = ["psnr-y", "psnr-rgb", "ssim", "ms-ssim", "ssimulacra2"]
    #expect(MetricTraits.usual.map(\.id) == usual)
    #expect(
      MetricTraits.standard.map(\.id) == usual + ["dssim", "psnr-hvs", "butteraugli", "butteraugli-3norm"])
    #expect(
      MetricTraits.standard.map(\.column) == [
        "psnr_y_db", "psnr_rgb_db", "ssim", "ms_ssim", "ssimulacra2", "dssim", "psnr_hvs_db", "butteraugli",
        "butteraugli_3norm",
      ])
  }

  @Test("keeps the requested order and counts a metric once") func selection() throws {
    #expect(try MetricSuite(["ssim", "psnr-y", "ssim"]).traits.map(\.id) == ["ssim", "psnr-y"])
  }

  @Test(
    "documents and the page describe the headline's scores in the same words",
    arguments: ["README.md", "docs/metrics.md", "Sources/View/Resources/view.html"])
  func words(file: String) throws {
    let root = URL(filePath: ReferenceFolder.committed).deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
    #expect(text.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(MetricTraits.words()))
  }

  /// A measurements.csv with an impossible score is refused.
  @Test("gives possible scores to black and white, in SDR and HDR", arguments: [false, true])
  func opposites(isHDR: Bool) throws {
    func image(_ value: UInt16) throws -> RasterImage {
      try #require(
        RasterImage(
          width: 176, height: 176, format: PixelFormat(layout: .gray, bitDepth: 16),
          profile: isHDR ? .light(.pq) : .sRGB, samples: .words(Array(repeating: value, count: 176 * 176))))
    }
    let metrics = isHDR ? MetricTraits.hdr : MetricTraits.standard
    let scores = try MetricSuite(metrics.map(\.id)).score(image(0), against: image(.max))
    #expect(scores.count == metrics.count)
    for metric in metrics {
      #expect(scores[metric.id].map(metric.allows) == true, "\(metric.id): \(scores[metric.id] ?? .nan)")
    }
  }

  @Test("refuses an unknown metric and says what exists") func unknown() throws {
    let error = #expect(throws: MetricError.self) { _ = try MetricSuite(["vmaf"]) }
    let text = try #require(error?.description)
    #expect(text.contains("vmaf"))
    for id in everyMetric { #expect(text.contains(id)) }
  }
}

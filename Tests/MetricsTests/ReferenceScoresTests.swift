import CodecKit
import Codecs
import Foundation
import Model
import Pixels
import TestSupport
import Testing

@testable import Metrics

/// A row of the tables that were made with libjxl's tool, scikit-image, TensorFlow, dssim and libvmaf.
struct ReferenceScores: CustomTestStringConvertible {
  let root: String
  let folder: String
  let reference: String
  let distorted: String
  /// Scores by metric identifier, for the table's metrics; nil where the metric is not defined.
  let scores: [String: Double?]

  var testDescription: String { distorted }

  /// The metrics, by their columns.
  static let metrics = [
    "ssimulacra2": "ssimulacra2", "psnr_y_db": "psnr-y", "psnr_rgb_db": "psnr-rgb", "ssim_y": "ssim",
    "ssim": "ssim",
    "ms_ssim": "ms-ssim", "dssim": "dssim", "psnr_hvs_db": "psnr-hvs", "butteraugli": "butteraugli",
    "butteraugli_3norm": "butteraugli-3norm",
  ]

  static let committed = rows(ReferenceFolder.committed, "pairs")
  /// Every row of all available tables.
  static let all = ReferenceFolder.all.flatMap { rows($0, "pairs") + rows($0, "pairs-small") }

  static func rows(_ root: String, _ folder: String) -> [ReferenceScores] {
    let table = (try? ReferenceFolder.records("\(root)/\(folder)/scores.csv")) ?? []
    let columns = Set(table.flatMap(\.keys)).intersection(metrics.keys)
    return table.map { row in
      let scores = columns.map { (metrics[$0] ?? $0, row[$0].flatMap(Double.init)) }
      return ReferenceScores(
        root: root, folder: folder, reference: row["reference"] ?? "", distorted: row["distorted"] ?? "",
        scores: Dictionary(uniqueKeysWithValues: scores))
    }
  }
}

@Suite("Scores of the reference tables")
struct ReferenceScoresTests {
  /// Far below the accepted errors (0.05, 0.001 dB and 1e-4), because the arithmetic is that accurate. TensorFlow
  /// computes MS-SSIM in single precision, and libvmaf sums PSNR-HVS in it.
  static let tolerances = [
    "ssimulacra2": 1e-5, "psnr-y": 1e-5, "psnr-rgb": 1e-5, "ssim": 1e-6, "ms-ssim": 1e-5,
    "dssim": 1e-5, "psnr-hvs": 5e-5, "butteraugli": 1e-5, "butteraugli-3norm": 1.5e-6,
  ]

  /// The accepted error where the last bits of the input differ from the reference's. This is the case for light from
  /// profiles, which dssim clips to 8-bit sRGB, and for 16 bits, which repeat 8 bits and which heicbench treats like
  /// those.
  static let otherLight = [
    "ssimulacra2": 0.01, "dssim": 2e-4, "butteraugli": 0.002, "butteraugli-3norm": 0.001,
  ]

  @Test("agree, tiny and odd sizes included", arguments: ReferenceScores.all)
  func agreement(_ row: ReferenceScores) throws {
    let reference = try image("\(row.root)/refs/\(row.reference)")
    let scores = try allScores(reference, image("\(row.root)/\(row.folder)/\(row.distorted)"))
    let isPlain =
      reference.profile == .sRGB && reference.format.bitDepth == 8 && !reference.format.layout.hasAlpha
    #expect(row.scores.count >= 4)
    for (id, expected) in row.scores {
      let tolerance = try #require(isPlain ? Self.tolerances[id] : Self.otherLight[id] ?? Self.tolerances[id])
      if let expected {
        let score = try #require(scores[id])
        #expect(abs(score - expected) < tolerance, "\(id): \(score), expected \(expected)")
      } else {
        #expect(scores[id] == nil, "\(id) is not defined here")
      }
    }
  }

  @Test("are available") func committedTableIsComplete() {
    #expect(ReferenceScores.committed.count == 18)
    #expect(ReferenceScores.committed.allSatisfy { $0.scores.count == 9 })
  }

  @Test("of photographs are available", .enabled(if: SharedFolder.isPresent, "\(SharedFolder.reason)"))
  func tablesAreComplete() {
    #expect(ReferenceScores.all.count == ReferenceScores.committed.count + 27)
  }

  @Test(
    "agree with published figures for kodim05 as JPEG of quality 50",
    .enabled(if: SharedFolder.isPresent, "\(SharedFolder.reason)"))
  func scoresKodim05AsTheReferenceDoes() throws {
    let image = try sharedImage("corpus/kodak/kodim05.png")
    let codec = try #require(CodecRegistry.standard.codec("jpeg"))
    let variant = try CodecRegistry.standard.variant("jpeg:optimise=true")
    let quality = try #require(Quality("0.5"))
    let settings = EncodeSettings(variant: variant, quality: quality, traits: codec.traits)
    let scores = try allScores(image, codec.decode(codec.encode(image, settings)))
    #expect(abs(try #require(scores["psnr-y"]) - 30.7252) < 1e-4)
    #expect(abs(try #require(scores["psnr-rgb"]) - 29.5863) < 1e-4)
    #expect(abs(try #require(scores["ssim"]) - 0.920800) < 1e-6)
    #expect(abs(try #require(scores["ms-ssim"]) - 0.992024) < 1e-6)
    #expect(abs(try #require(scores["ssimulacra2"]) - 64.55339714) < 1e-5)
  }
}

import CodecKit
import Codecs
import Foundation
import Model
import TestSupport
import Testing

@testable import Metrics

/// A row of the tables that libjxl's tool and scikit-image filled.
struct ReferenceScores: CustomTestStringConvertible {
  let folder: String
  let reference: String
  let distorted: String
  /// By metric identifier; nil where the metric is not defined.
  let scores: [String: Double?]

  var testDescription: String { distorted }

  /// Every row of both tables; none where the folder is missing.
  static let all: [ReferenceScores] = ["pairs", "pairs-small"].flatMap { folder in
    guard let bytes = try? SharedFolder.bytes("vectors/\(folder)/scores.csv") else {
      return [ReferenceScores]()
    }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).dropFirst().map {
      let fields = $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      let ids = ["ssimulacra2", "psnr-y", "psnr-rgb", "ssim"]
      let scores = Dictionary(uniqueKeysWithValues: zip(ids, fields.dropFirst(2).map { Double($0) }))
      return ReferenceScores(folder: folder, reference: fields[0], distorted: fields[1], scores: scores)
    }
  }
}

@Suite(
  "Scores of the reference tables", .enabled(if: SharedFolder.isPresent, .init(rawValue: SharedFolder.reason))
)
struct ReferenceScoresTests {
  /// Far inside what is asked for (0.05, 0.001 dB and 1e-4), because this is what the arithmetic gives.
  static let tolerances = ["ssimulacra2": 1e-5, "psnr-y": 1e-5, "psnr-rgb": 1e-5, "ssim": 1e-6]

  @Test("agree, tiny and odd sizes included", arguments: ReferenceScores.all)
  func agreement(_ row: ReferenceScores) throws {
    let scores = try allScores(
      sharedImage("vectors/refs/\(row.reference)"), sharedImage("vectors/\(row.folder)/\(row.distorted)"))
    for (id, tolerance) in Self.tolerances {
      let expected = try #require(row.scores[id])
      if let expected {
        let score = try #require(scores[id])
        #expect(abs(score - expected) < tolerance, "\(id): \(score), expected \(expected)")
      } else {
        #expect(scores[id] == nil, "\(id) is not defined here")
      }
    }
  }

  @Test("are there to be read") func tablesAreComplete() {
    #expect(ReferenceScores.all.count == 27)
  }

  @Test("agree with published figures for kodim05 as JPEG of quality 50")
  func kodim05() throws {
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

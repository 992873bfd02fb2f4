import Foundation
package import Model

/// SSIMULACRA 2.1 (Jon Sneyers, Cloudinary, April 2023), as computed by libjxl's tool `ssimulacra2`: 100 is no
/// difference; there is no lower bound.
///
/// Defined from 8 pixels up in both directions. The order of the two images matters.
struct SSIMULACRA2: QualityMetric {
  let traits = MetricTraits.ssimulacra2
  // All six scales are used from 113 pixels up: it stops halving below 8.
  let rules = MetricRules(
    dependableSide: 113, tolerance: Tolerance(0.5, otherVersions: 3), codecCompareName: "ssimulacra2",
    takesLight: true)

  func prepare(_ comparison: Comparison) throws(MetricError) {
    if comparison.tuning.keepsReference { _ = try comparison.stage(XYBStage.self) }
  }

  func score(_ comparison: Comparison) throws(MetricError) -> Double {
    let norms =
      comparison.tuning.keepsReference
      ? try comparison.result(of: XYBStage.self) : try comparison.result(of: XYBPair.self)
    return SSIMULACRA2Weights.score(weightedSum: norms.weightedSum)
  }
}

extension MetricTraits {
  package static let ssimulacra2 = MetricTraits(
    id: "ssimulacra2", column: "ssimulacra2", title: "SSIMULACRA2", decimals: 2, minimumSide: 8,
    scale: Scale(targets: [50, 70, 80, 90], headline: 70, band: 50...90, highest: 100))
}

extension MetricTraits {
  /// The headline's scores in words: what an average observer notices at 1:1 from a normal viewing distance, according
  /// to SSIMULACRA2's author (cloudinary/ssimulacra2's README and libjxl's pull request 3996, 2024).
  package static let observations: [(score: Int, noticed: String)] = [
    (90, "no visible difference even when flickering"), (85, "none when flipping"), (80, "none side by side"),
    (70, "barely visible side by side"), (50, "slightly annoying"), (30, "annoying"),
  ]

  /// The words for the given scores, or all, as part of a sentence.
  package static func words(for scores: [Int] = observations.map(\.score)) -> String {
    observations.filter { scores.contains($0.score) }.map { "\($0.score) = \($0.noticed)" }.joined(
      separator: ", ")
  }
}

/// The constants that turn error means into a SSIMULACRA 2.1 score: Jon Sneyers' tuning of April 2023, as published in
/// libjxl (`tools/ssimulacra2.cc`).
enum SSIMULACRA2Weights {
  /// The number of error maps per channel and scale: SSIM error, ringing (edges only in the candidate), blurring (edges
  /// only in the reference).
  static let maps = 3
  static let channels = 3
  /// The maximum number of scales; small images have fewer.
  static let scales = 6

  /// Weights in the order channel, scale, norm (mean, then 4-norm), map. The reference implementation consumes them in
  /// sequence, so with fewer than six scales every channel but the first gets weights tuned for another. That defines
  /// the scores of small images.
  private static let weights: [Double] = [
    // X
    0, 0.0007376606707406586, 0,
    0, 0.0007793481682867309, 0,
    0, 0.0004371155730107379, 0,
    1.1041726426657346, 0.00066284834129271, 0.00015231632783718752,
    0, 0.0016406437456599754, 0,
    1.8422455520539298, 11.441172603757666, 0,
    0.0007989109436015163, 0.000176816438078653, 0,
    1.8787594979546387, 10.94906990605142, 0,
    0.0007289346991508072, 0.9677937080626833, 0,
    0.00014003424285435884, 0.9981766977854967, 0.00031949755934435053,
    0.0004550992113792063, 0, 0,
    0.0013648766163243398, 0, 0,
    // Y
    0, 0, 0,
    7.466890328078848, 0, 17.445833984131262,
    0.0006235601634041466, 0, 0,
    6.683678146179332, 0.00037724407979611296, 1.027889937768264,
    225.20515300849274, 0, 0,
    19.213238186143016, 0.0011401524586618361, 0.001237755635509985,
    176.39317598450694, 0, 0,
    24.43300999870476, 0.28520802612117757, 0.0004485436923833408,
    0, 0, 0,
    34.77906344483772, 44.835625328877896, 0,
    0, 0, 0,
    0, 0, 0,
    // B − Y
    0, 0.0008680556573291698, 0,
    0, 0, 0,
    0, 0.0005313191874358747, 0,
    0.00016533814161379112, 0, 0,
    0, 0, 0,
    0.0004179171803251336, 0.0017290828234722833, 0,
    0.0020827005846636437, 0, 0,
    8.826982764996862, 23.19243343998926, 0,
    95.1080498811086, 0.9863978034400682, 0.9834382792465353,
    0.0012286405048278493, 171.2667255897307, 0.9807858872435379,
    0, 0, 0,
    0.0005130064588990679, 0, 0.00010854057858411537,
  ]

  /// The weight of a map's norm (0: mean, 1: 4-norm) when the image has `scaleCount` scales.
  static func weight(channel: Int, scale: Int, norm: Int, map: Int, scaleCount: Int) -> Double {
    weights[((channel * scaleCount + scale) * 2 + norm) * maps + map]
  }

  /// The score for a weighted sum of norms: 100 for no error, unbounded below.
  static func score(weightedSum: Double) -> Double {
    let sum = weightedSum * 0.9562382616834844
    let polynomial =
      2.326765642916932 * sum - 0.020884521182843837 * sum * sum + 6.248496625763138e-05 * sum * sum * sum
    return polynomial > 0 ? 100 - 10 * pow(polynomial, 0.6276336467831387) : 100
  }
}

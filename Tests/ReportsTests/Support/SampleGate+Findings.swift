import Model
import SampleData

@testable import Analysis

/// Handmade gate reports with one finding of each kind.
extension SampleGate {
  static let heic = SampleAnalysis.heic
  private static let metric = SampleRows.metrics.first { $0.id == "ssimulacra2" }

  /// A gate that found nothing.
  static var clean: GateReport {
    var report = GateReport()
    report.comparedPoints = 480
    report.variants = [variant(SampleAnalysis.jpeg, factor: 1), variant(heic, factor: 1)]
    return report
  }

  /// A gate with one finding of each kind, in an image of this name.
  static func worse(image: String = "kodim05.png") -> GateReport {
    var report = GateReport()
    report.comparedPoints = 480
    report.usesWiderTolerance = true
    report.circumstances.libraries = [(heic, "libheif 1.15.1; x265 3.5", "libheif 1.15.1; x265 3.6")]
    report.regressions = [
      GateFinding(
        quantity: .totalBytes, variant: heic, before: 1_000_000, after: 1_031_000, worsening: 3.1,
        threshold: 0.5),
      GateFinding(
        quantity: .failure, image: image, worsening: 1, threshold: 0,
        detail: .unusable("no PNG\nsignature, 100%")),
      GateFinding(
        quantity: .vanished, variant: SampleAnalysis.slow, worsening: 10, threshold: 0,
        detail: .vanished(first: image, run: [heic], images: NameList(), qualities: [])),
      point(.pointBytes, image, before: 57_120, after: 60_547, worsening: 6, threshold: 2),
      point(
        .score("ssimulacra2"), image, before: 70.1234, after: 68.5, worsening: 1.6234, threshold: 0.5,
        metric: metric),
    ]
    report.worsePoints = 2
    report.worstPoints = [report.regressions[3]]
    report.worstImages = [
      GateFinding(
        quantity: .totalBytes, image: image, variant: heic, before: 571_200, after: 605_470, worsening: 6,
        count: 10)
    ]
    report.inconclusive = [
      GateFinding(
        quantity: .time(.encode), variant: heic, before: 4000, after: 5100, worsening: 27.5, threshold: 20,
        detail: .noise)
    ]
    report.improvements = [
      GateFinding(
        quantity: .saving(70), variant: SampleAnalysis.jpeg, before: nil, after: nil, worsening: -1.25,
        threshold: 1, metric: metric, count: 24)
    ]
    report.variants = [variant(SampleAnalysis.jpeg, factor: 0.99), variant(heic, factor: 1.031)]
    report.inventory.appeared = 2
    return report
  }

  private static func point(
    _ quantity: GateQuantity, _ image: String, before: Double, after: Double, worsening: Double,
    threshold: Double, metric: MetricTraits? = nil
  ) -> GateFinding {
    GateFinding(
      quantity: quantity, image: image, variant: heic, quality: Quality(thousandths: 500), before: before,
      after: after, worsening: worsening, threshold: threshold, metric: metric)
  }

  private static func variant(_ variant: CodecVariant, factor: Double) -> VariantComparison {
    var comparison = VariantComparison(variant: variant, baselineVariant: variant)
    comparison.points = 240
    comparison.bytesBefore = 1_000_000
    comparison.bytesAfter = Int(1_000_000 * factor)
    comparison.scoreBefore = 70.5
    comparison.scoreAfter = 70.25
    var times = TimeComparison()
    (times.before.median, times.after.median) = (4000, 5100)
    comparison.times[.encode] = times
    return comparison
  }
}

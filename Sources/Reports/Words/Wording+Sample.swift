import Analysis
import Foundation
import Model

// The folder that a run's images were drawn from.
extension Wording {
  /// `24 images`, or `24 images drawn from 1,200`.
  func drawn(_ figure: CorpusFigure) -> String {
    Self.images(figure)
      + (analysis.sample.map { " drawn from \(Numerals.grouped($0.sample.population))" } ?? "")
  }

  /// Sentences on the folder behind a sample, the work for all of it, and the effect of more images; nil without a
  /// sample.
  package var sample: String? {
    guard let outlook = analysis.sample else { return nil }
    let sample = outlook.sample
    var text =
      "Intervals are for all \(Numerals.grouped(sample.population)) images: \(Numerals.grouped(sample.images)) were "
      + "drawn evenly over formats, cameras and sizes (seed \(sample.seed))."
    if let seconds = outlook.seconds {
      let range = outlook.secondsRange.map {
        " (95 % interval \(Numerals.duration($0.lowerBound)) to \(Numerals.duration($0.upperBound)))"
      }
      text +=
        " All of them would take \(Numerals.duration(seconds)) of CPU time\(range ?? ""), which is "
        + "\(Self.machines(seconds, outlook.cores)), and \(Numerals.size(outlook.bytes)) of results."
    }
    return text + (narrower(outlook) ?? "")
  }

  /// The interval of the answer with four times as many images, which is half as wide in a large folder.
  private func narrower(_ outlook: SampleOutlook) -> String? {
    guard let figure = analysis.verdicts.compactMap(\.bytes).first, let interval = figure.interval else {
      return nil
    }
    let (images, size) = (outlook.sample.images, min(4 * outlook.sample.images, outlook.sample.population))
    let half = (interval.upper - interval.lower) / 2
    let then = half * outlook.narrowing(size, images: images)
    let share = Double(size) / Double(outlook.sample.population)
    let cost = outlook.seconds.map { " (\(Numerals.duration($0 * share)) of CPU time)" } ?? ""
    return
      " \(Numerals.grouped(size)) images\(cost) would narrow ± \(Numerals.plain(half, 1)) points to about "
      + "± \(Numerals.plain(then, 1))."
  }

  private static func machines(_ seconds: Double, _ cores: Int) -> String {
    let (elapsed, day) = (seconds / Double(max(cores, 1)), 86_400.0)
    let kind = "like this one, with \(Numerals.counted(cores, "core"))"
    guard elapsed > day else { return "\(Numerals.duration(elapsed)) on one machine \(kind)" }
    return "a day of \(Numerals.grouped((elapsed / day).rounded(.up), decimals: 0)) machines \(kind)"
  }
}

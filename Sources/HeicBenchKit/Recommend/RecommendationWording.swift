import Analysis
package import Model
import Reports
package import Store

/// The wishes and their fulfilment in sentences.
package struct RecommendationWording {
  private let wishes: Wishes
  private let headline: MetricTraits?
  private let reference: CodecVariant?
  private let progress: RunProgress?

  /// `progress` is that of the run behind the answers.
  package init(
    _ wishes: Wishes, _ headline: MetricTraits?, _ reference: CodecVariant?, _ progress: RunProgress? = nil
  ) {
    (self.wishes, self.headline, self.reference, self.progress) = (wishes, headline, reference, progress)
  }

  /// `For SSIMULACRA2 70 or more in 90 % of 24 images, encoding in at most 500 ms/MP: heic:preset=fast at quality 0.6,
  /// …`
  package func sentence(_ found: Recommendations) -> String {
    let wanted = wanted(found.images)
    guard let best = found.fulfilling.first else {
      guard let likely = found.likely.first, let quality = likely.interpolated else {
        return "For \(wanted) there is nothing among what was measured."
      }
      return "For \(wanted) there is nothing among what was measured, but by the images' curves "
        + "\(likely.variant.name) would do at about \(Numerals.fixed(quality, decimals: 2))."
    }
    return
      "For \(wanted): \(best.variant.name) at quality \(best.quality), which \(best.holding) of "
      + "\(Numerals.counted(best.images, "image")) have; the worst is \(best.worst.image) with "
      + "\(Numerals.fixed(best.worst.value, decimals: headline?.decimals ?? 2))."
  }

  /// A note that the run is unfinished, with the command that continues it; nil for a finished run.
  package func unfinished(_ found: Recommendations, _ manifest: RunManifest?) -> String? {
    guard let progress, !progress.isFinished else { return nil }
    let points =
      progress.planned.map {
        "\(Numerals.grouped(progress.done)) of \(Numerals.counted($0, "planned point"))"
      }
      ?? Numerals.counted(progress.done, "point")
    var text = "The run is not finished: it has \(points)"
    if found.images < progress.images {
      text += ", and \(found.images) of \(Numerals.counted(progress.images, "image")) have any"
    }
    text += ". Each line stands on the images that have a point there."
    if let command = manifest?.command, !command.isEmpty {
      text += " To measure the rest: " + command.map(ShellWord.quoted).joined(separator: " ")
    }
    return text
  }

  package func legend(_ found: Recommendations) -> String {
    let settings = found.fulfilling + found.others
    var parts = ["Bits/px, Encode and Decode (CPU ms/MP): of the files at Quality, in this run"]
    if let reference, settings.contains(where: { $0.change != nil }) {
      parts.append(
        "Bytes: against \(reference.name) where both have \(place), at whatever quality, and so not the ratio of Bits/px"
      )
    }
    if settings.contains(where: { $0.interpolated != nil }) {
      parts.append("Or: lower, by the curves between measured qualities")
    }
    return parts.joined(separator: ". ") + "."
  }

  /// The introduction to the table of qualities that were not measured.
  package var estimates: String {
    "Not measured, but by the curves and what was measured on both sides this would do (“Or”):"
  }

  /// A note on missing figures at the wished score; nil if none are missing.
  package func missing(_ found: Recommendations) -> String? {
    let settings = (found.fulfilling + found.others).filter { $0.variant != reference }
    let without = settings.filter { $0.change == nil }
    // An unfinished run's own command measures the missing points.
    guard progress?.isFinished ?? true else { return nil }
    guard reference != nil, let first = without.first else {
      let isCoarse = found.fulfilling.contains { best in
        best.isCoarse && best.tooLow.map { best.quality.value - $0.quality.value > 0.015 } ?? false
      }
      return isCoarse ? "Points near \(place) are too far apart to tell which quality is enough." : nil
    }
    let names = without.count == 1 ? first.variant.name : "\(without.count) of these codecs"
    return "There is no saving of \(names) at \(place): no image has points near enough to it with both."
  }

  private var place: String { "\(headline?.title ?? "score") \(Numerals.short(wishes.score))" }

  /// The next lower measured quality, which bounds the limit: `At the next lower measured quality of heic, 0.4, …`
  package func bounds(_ found: Recommendations) -> String? {
    guard let best = found.fulfilling.first else { return nil }
    guard let tooLow = best.tooLow else {
      return best.isLowestMeasured
        ? "No lower quality of \(best.variant.name) was measured over all images; a lower one may do." : nil
    }
    let images =
      tooLow.holding == 0
      ? "no image has it"
      : "\(tooLow.holding) of \(Numerals.counted(best.images, "image")) \(tooLow.holding == 1 ? "has" : "have") it"
    let sentence =
      "At the next lower measured quality of \(best.variant.name), \(tooLow.quality), \(images)"
    guard let enough = best.interpolated else { return sentence + "." }
    return sentence
      + "; between the two \(Numerals.fixed(enough, decimals: 2)) would do by the images' curves."
  }

  private func wanted(_ images: Int) -> String {
    let direction = headline?.higherIsBetter == false ? "less" : "more"
    var parts = [
      "\(headline?.title ?? "score") \(Numerals.short(wishes.score)) or \(direction) in "
        + "\(Numerals.short((wishes.share * 1000).rounded() / 10)) % of \(Numerals.counted(images, "image"))"
    ]
    if let saving = wishes.savingPercent {
      parts.append(
        "\(Numerals.short(saving)) % fewer bytes than \(reference?.name ?? "the first") at equal score")
    }
    for operation in TimedOperation.allCases {
      guard let limit = wishes.cpu[operation] else { continue }
      parts.append("\(operation.gerund.lowercased()) in at most \(Numerals.short(limit)) ms/MP")
    }
    return parts.joined(separator: ", ")
  }
}

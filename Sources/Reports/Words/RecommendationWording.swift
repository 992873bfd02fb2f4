package import Analysis
package import Model

/// What was wished for and what there is, in a sentence.
package struct RecommendationWording {
  private let wishes: Wishes
  private let headline: MetricTraits?
  private let reference: CodecVariant?

  /// Words wishes.
  package init(_ wishes: Wishes, _ headline: MetricTraits?, _ reference: CodecVariant?) {
    (self.wishes, self.headline, self.reference) = (wishes, headline, reference)
  }

  /// `For SSIMULACRA2 70 or more in 90 % of 24 images, encoding in at most 500 ms/MP: heic:preset=fast at quality 0.6.`
  package func sentence(_ found: Recommendations) -> String {
    let wanted = wanted(found.images)
    guard let best = found.fulfilling.first else {
      return "For \(wanted) there is nothing among what was measured."
    }
    return
      "For \(wanted): \(best.variant.name) at quality \(best.quality), which \(best.holding) of "
      + "\(Numerals.counted(best.images, "image")) have; the worst is \(best.worst.image) with "
      + "\(Numerals.fixed(best.worst.value, decimals: headline?.decimals ?? 2))."
  }

  /// What the columns are.
  package func legend(_ found: Recommendations) -> String {
    var parts = ["Encode and Decode: CPU ms/MP of these files, in this run"]
    if let reference {
      parts.insert(
        "Bytes: against \(reference.name) where both have \(headline?.title ?? "score") \(Numerals.short(wishes.score))",
        at: 0)
    }
    if found.fulfilling.contains(where: { $0.interpolated != nil }) {
      parts.insert("Or: lower, by the curves between measured qualities", at: 0)
    }
    return parts.joined(separator: ". ") + "."
  }

  /// How far below the best setting the limit may lie: `At the next lower measured quality, 0.4, 1 of 6 images has it.`
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

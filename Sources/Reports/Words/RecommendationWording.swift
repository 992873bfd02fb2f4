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
    if let limit = wishes.encodeCPU { parts.append("encoding in at most \(Numerals.short(limit)) ms/MP") }
    if let limit = wishes.decodeCPU { parts.append("decoding in at most \(Numerals.short(limit)) ms/MP") }
    return parts.joined(separator: ", ")
  }
}

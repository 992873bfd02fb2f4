package import Model

/// The answer for one variant, in a sentence.
package struct Verdict: Sendable, Hashable, Codable {
  /// What the answer is.
  package enum Direction: String, Sendable, Hashable, Codable {
    /// The variant takes fewer bytes, and the interval agrees where there is one.
    case saves
    /// The variant takes more bytes, and the interval agrees where there is one.
    case costs
    /// The interval holds both fewer and more bytes.
    case undecided
    /// Nothing can be said; the sentence tells why.
    case unknown
  }

  /// The variant.
  package var variant: CodecVariant
  /// What it is compared with.
  package var reference: CodecVariant
  /// What the answer is.
  package var direction: Direction
  /// The score that the sentence speaks of; nil where no target holds.
  package var target: Double?
  /// The change in bytes at that score, percent.
  package var bytes: CorpusFigure?
  /// The BD-rate by the headline metric over the band.
  package var bdRate: BDRateSummary?
  /// The answer: `At SSIMULACRA2 70, HEIC takes 27 % fewer bytes than JPEG, 95 % interval 20 to 34 %, …`.
  package var sentence: String
  /// What adds to the answer, a sentence each: the average over the band, the extremes, the CPU time.
  package var details: [String]

  /// States an answer.
  package init(
    variant: CodecVariant, reference: CodecVariant, direction: Direction, target: Double?,
    bytes: CorpusFigure?, bdRate: BDRateSummary?, sentence: String, details: [String] = []
  ) {
    self.variant = variant
    self.reference = reference
    self.direction = direction
    self.target = target
    self.bytes = bytes
    self.bdRate = bdRate
    self.sentence = sentence
    self.details = details
  }
}

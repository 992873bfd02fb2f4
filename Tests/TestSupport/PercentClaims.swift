/// Percentages that sentences derive from samples. Each needs an interval, or a word that says why it has none.
package enum PercentClaims {
  /// The lines of a text with more such percentages than intervals. Rows of tables are left out, since they have
  /// columns for intervals.
  package static func withoutInterval(in text: String) -> [String] {
    text.split(separator: "\n").map(String.init).filter { line in
      !line.hasPrefix("|") && !line.contains("   ") && !excuses.contains(where: line.contains)
        && !line.contains(/([Aa]ll \d+ files|[.;] 1 file) measured|measured so far/)
        && line.matches(of: claim).count > line.replacing(band, with: "").matches(of: interval).count
    }
  }

  /// Totals and figures of one image are exact, a few images do not allow an interval, and a wish is not a finding.
  private static let excuses = [
    "this one image", "in total", "exactly", "Best image", "includes zero", "too few",
    "No measured setting",
  ]

  private static var claim: Regex<Substring> {
    /% (?:fewer|more|less|smaller|larger)|(?:saves|costs) [\d.]+ %|[+−]\d+(?:\.\d+)? % (?:bytes|CPU)|BD-rate[^%]*[ −+][\d.]+ %(?! interval)/
  }

  /// A range of scores, which is not an interval.
  private static var band: Regex<Substring> {
    /(?:SSIM|SSIMULACRA2|PSNR|PSNR-[A-Z]+|Butteraugli|PU21[-A-Z]*) [\d.]+(?: dB)? to [\d.]+/
  }

  private static var interval: Regex<Substring> { /\d(?: % (?:fewer|more|less))? to [−+]?\d/ }
}

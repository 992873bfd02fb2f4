import Analysis
import Model
import Reports
import Workers

// The price.
extension ConversionTrial {
  /// Tries of a file with each settings, as a search that starts near the place takes.
  private static let tries = (quick: 2.2, asked: 1.3)
  /// CPU seconds of the fast settings against the others', and of a decode and a score for each megapixel.
  private static let (quickShare, scoring) = (0.18, 0.1)

  /// `10 files of 121 megapixels: about 0:50 to a first answer, 4:10 to the whole (8 CPU minutes in 2 workers) …`
  var price: String {
    let pixels = sample.entries.reduce(0.0) { $0 + Double($1.file.pixels) } / 1e6
    var (first, second) = (0.0, 0.0)
    for goal in goals {
      let quality = goal.score.map { min(max($0 / 100 - 0.1, 0), 1) } ?? 0.5
      let cost = CodecCost(of: goal.asked.variant)
      let encode = cost.seconds * cost.shape(Quality(thousandths: Int(quality * 1000)) ?? 0.5)
      let asked = goal.score == nil ? encode : Self.tries.asked * (encode + Self.scoring)
      if goal.quick != nil {
        first += pixels * Self.tries.quick * (encode * Self.quickShare + Self.scoring)
        second += pixels * asked
      } else {
        first += pixels * asked
      }
    }
    let workers = Double(max(1, min(configuration.jobs, sample.entries.count)))
    let whole = first + second
    // An interval takes five files.
    let share = min(1, Double(Bootstrap.minimumImages) / Double(max(sample.entries.count, 1)))
    let start = second > 0 ? "\(Numerals.duration(first * share / workers)) to a first answer, " : ""
    return
      "\(Numerals.counted(sample.entries.count, "file")) of \(Numerals.fixed(pixels, decimals: pixels < 10 ? 1 : 0)) "
      + "megapixels: about \(start)\(Numerals.duration(whole / workers)) to the whole "
      + "(\(Numerals.fixed(whole / 60, decimals: whole < 600 ? 1 : 0)) CPU minutes, "
      + "\(Numerals.counted(Int(workers), "worker"))); Ctrl-C and --budget answer with what is there, a smaller --sample "
      + "takes less"
  }
}

import Analysis
import Model
import Reports
import Workers

// The price.
extension ConversionTrial {
  /// The number of tries per file in each pass.
  private static let tries = (quick: 2.2, asked: 1.6)
  /// The CPU time of the fast settings as a share of the others', and CPU seconds per megapixel for a decode and a
  /// score.
  private static let (quickShare, scoring) = (0.18, 0.1)

  /// `10 files of 121 megapixels: about 0:50 to a first answer, 4:10 in total (8 CPU minutes in 2 workers) …`
  var price: String {
    let pixels = sample.entries.reduce(0.0) { $0 + Double($1.file.pixels) } / 1e6
    let workers = Double(max(1, min(configuration.jobs, sample.entries.count)))
    let speed = Self.speed(
      workers: workers, cores: Double(MachineCores.count), load: CurrentMachine.loadAverage ?? 0)
    let (first, whole) = cost
    let start = first < whole ? "\(Numerals.duration(first * pixels / speed)) to a first answer, " : ""
    let minutes = whole * pixels / 60
    return
      "\(Numerals.counted(sample.entries.count, "file")) of \(Numerals.fixed(pixels, decimals: pixels < 10 ? 1 : 0)) "
      + "megapixels: about \(start)\(Numerals.duration(whole * pixels / speed)) in total "
      + "(\(Numerals.fixed(minutes, decimals: minutes < 10 ? 1 : 0)) CPU minutes, "
      + "\(Numerals.counted(Int(workers), "worker"))); Ctrl-C or --budget stops early with an answer, and "
      + "a smaller --sample takes less time"
  }

  /// CPU seconds per second that workers get beside the processes that are already running.
  static func speed(workers: Double, cores: Double, load: Double) -> Double {
    min(workers, cores * workers / (workers + load))
  }

  /// CPU seconds per megapixel of the sample, to a first interval and to the end.
  private var cost: (first: Double, whole: Double) {
    var (first, rivals, second) = (0.0, 0.0, 0.0)
    for goal in goals {
      let quality = goal.score.map { min(max($0 / 100 - 0.1, 0), 1) } ?? 0.5
      let cost = CodecCost(of: goal.asked.variant)
      let encode = cost.seconds * cost.shape(Quality(thousandths: Int(quality * 1000)) ?? 0.5)
      guard goal.score != nil else {
        first += encode
        continue
      }
      let share = goal.quick == nil ? 1 : Self.quickShare
      let search = Self.tries.quick * (encode * share + Self.scoring)
      if goal.rival == nil {
        first += search
        second += Self.tries.asked * (encode + Self.scoring)
      } else {
        rivals += search
      }
    }
    // An interval needs five files.
    let share = min(1, Double(Bootstrap.minimumImages) / Double(max(sample.entries.count, 1)))
    return (first * share, first + rivals + second)
  }
}

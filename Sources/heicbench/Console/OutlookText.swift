import HeicBenchKit
import Reports

enum OutlookText {
  /// Number of images that give a first impression, with an interval.
  private static let fewImages = 6

  /// `24 images, 9.4 megapixels, with jpeg and heic at 10 qualities: 480 points, and those beside them that figures
  /// need`.
  static func plan(_ outlook: SweepOutlook) -> String {
    let codecs = outlook.codecs
    let names =
      codecs.count > 1
      ? codecs.dropLast().joined(separator: ", ") + " and " + (codecs.last ?? "") : codecs.joined()
    let qualities = outlook.qualities == 1 ? "one quality" : "\(outlook.qualities) qualities"
    let pixels = Numerals.megapixels(Int((outlook.megapixels * 1e6).rounded()))
    return
      "\(Numerals.counted(outlook.images, "image")), \(pixels) megapixels, with \(names) at "
      + "\(qualities): \(Numerals.counted(outlook.points, "point")), and those beside them that figures need"
  }

  /// `about 2:40 to go in 2 workers, 5.3 CPU minutes. Shorter: …`, with suggestions if it is long.
  static func time(_ outlook: SweepOutlook) -> String? {
    guard let seconds = outlook.seconds, seconds >= 5 else { return nil }
    let work = outlook.cpuSeconds.map {
      ", \(Numerals.grouped($0 / 60, decimals: $0 > 1200 ? 0 : 1)) CPU minutes"
    }
    let text =
      "about \(ProgressLine.duration(seconds)) to go in \(Numerals.counted(outlook.jobs, "worker"))\(work ?? "")"
    if let budget = outlook.budget {
      return budget < seconds ? "\(text); stops after \(ProgressLine.duration(budget)) (--budget)" : text
    }
    guard seconds > 90 else { return text }
    var ways = ["--budget 1m stops after a minute with the answer so far, as Ctrl-C does at any time"]
    if outlook.images > fewImages {
      let share = seconds * Double(fewImages) / Double(outlook.images)
      ways.append("--limit \(fewImages) takes about \(ProgressLine.duration(share))")
    }
    if outlook.megapixels > 2 * Double(outlook.images) {
      ways.append("--downscale \(outlook.downscale * 2) about \(ProgressLine.duration(seconds / 4))")
    }
    return "\(text). Shorter: \(ways.joined(separator: "; "))"
  }
}

import ArgumentParser
import HeicBenchKit

struct PageOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Pictures in report.html: all, none, or the number of images, the extremes and the median by saving first.",
      valueName: "all|none|n"),
    transform: { try ImageCount(parsing: $0) })
  var images = ImageCount(count: 3)

  @Flag(
    inversion: .prefixedNo,
    help: "Put the pictures into report.html itself. (default: up to 20 MB, else a folder beside it)")
  var embed: Bool?

  @Option(help: ArgumentHelp("The title of report.html and summary.md.", valueName: "text"))
  var title: String?

  var settings: PageSettings {
    var settings = PageSettings()
    settings.images = images.count
    settings.embedsImages = embed
    settings.title = title
    return settings
  }
}

/// The value of `--images`: `all`, `none` or a number.
struct ImageCount: Equatable {
  /// Nil for all.
  let count: Int?

  init(count: Int?) { self.count = count }

  init(parsing text: String) throws {
    switch text {
    case "all": count = nil
    case "none": count = 0
    default:
      guard let number = Int(text), number >= 0 else {
        throw ValidationError("“\(text)” is neither all, none nor a number of images.")
      }
      count = number
    }
  }
}

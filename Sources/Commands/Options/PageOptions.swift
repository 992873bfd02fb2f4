import ArgumentParser
import HeicBenchKit
import Model

struct PageOptions: ParsableArguments {
  @Option(
    "The pictures on the page: all, none, or a number of images, starting with the extremes and the median by saving. "
      + "(default: 3)",
    value: "all|none|n")
  var images = ImageCount(count: 3)

  @Flag(
    inversion: .prefixedNo,
    help: "Embed the pictures in the page. (default: up to 20 MB; otherwise in a folder beside it)")
  var embed: Bool?

  @Option("The title of the page and the summary.", value: "text")
  var title: String?

  var settings: PageSettings {
    var settings = PageSettings()
    settings.images = images.count
    settings.embedsImages = embed
    settings.title = title.map { PlainText.line($0) }
    return settings
  }
}

/// The value of `--images`: `all`, `none` or a number.
struct ImageCount: ParsedValue, Equatable {
  /// Nil for all.
  let count: Int?

  init(count: Int?) { self.count = count }

  init(parsing text: String) throws {
    switch text {
    case "all": count = nil
    case "none": count = 0
    default:
      guard let number = Int(text), number >= 0 else {
        throw ValidationError("“\(text)” is not all, none or a number of images.")
      }
      count = number
    }
  }
}

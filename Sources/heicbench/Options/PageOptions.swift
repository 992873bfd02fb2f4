import ArgumentParser
import Reports

/// What the page shows beside plots and tables.
struct PageOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Pictures in report.html: all, none, or the number of images, the extremes and the median by saving first.",
      valueName: "all|none|n"),
    transform: Self.selection)
  var images: ImageSelection = .standard

  @Flag(
    inversion: .prefixedNo,
    help: "Put the pictures into report.html itself. (default: up to 20 MB, else a folder beside it)")
  var embed: Bool?

  @Option(help: ArgumentHelp("The title of report.html and summary.md.", valueName: "text"))
  var title: String?

  private static func selection(_ text: String) throws -> ImageSelection {
    switch text {
    case "all": return .all
    case "none": return .none
    default:
      guard let count = Int(text), count >= 0 else {
        throw ValidationError("“\(text)” is neither all, none nor a number of images.")
      }
      return .count(count)
    }
  }
}

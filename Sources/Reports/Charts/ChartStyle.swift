/// The look of all charts: one style sheet for light, dark and print.
///
/// The colours follow Okabe and Ito (“Color Universal Design”, 2008), darkened or lightened to a contrast of 3:1 or
/// more against the paper; dashes and markers distinguish series without colour.
package enum ChartStyle {
  /// The number of distinct colours; further series repeat them with other dashes.
  static let seriesCount = 6

  package static func colourClass(_ series: Int) -> String { "hb-s\(series % seriesCount)" }

  static func lineClass(_ series: Int) -> String {
    "hb-line \(colourClass(series)) hb-d\(series % 7)"
  }

  static let element: String = {
    var text = "<style>\n" + base + classes(light)
    for (index, dash) in dashes.enumerated() where !dash.isEmpty {
      text += ".hb-d\(index){stroke-dasharray:\(dash)}\n"
    }
    return text + unfilled + "@media (prefers-color-scheme:dark){\n" + dark + classes(darkColours) + unfilled
      + "}\n</style>\n"
  }()

  private static func classes(_ colours: [String]) -> String {
    colours.enumerated().map { ".hb-s\($0){stroke:\($1);fill:\($1)}\n" }.joined()
  }

  private static let unfilled = ".hb-line,.hb-thin{fill:none}\n"

  private static let light = ["#c2410c", "#0067a5", "#00785a", "#a5447f", "#8a6100", "#4b5563"]
  private static let darkColours = ["#ff9a5c", "#5ab4f0", "#3fcf9f", "#ee9fd0", "#e8bb4a", "#b6c0cc"]
  private static let dashes = ["7 4", "", "2 3", "10 3 2 3", "12 5", "4 2", "1 4"]

  private static let base = """
    .hb-chart{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
    .hb-paper{fill:#ffffff}
    .hb-title{fill:#1f2328;font-size:16px;font-weight:600}
    .hb-text{fill:#1f2328;font-size:12px}
    .hb-soft{fill:#59636e;font-size:12px}
    .hb-note{fill:#1f2328;font-size:12px;stroke:#ffffff;stroke-width:4;paint-order:stroke}
    .hb-axis{stroke:#59636e;stroke-width:1}
    .hb-grid{stroke:#d8dee4;stroke-width:1}
    .hb-zero{stroke:#59636e;stroke-width:1.5}
    .hb-gap{stroke:#1f2328;stroke-width:2}
    .hb-line{stroke-width:2.2;stroke-linejoin:round}
    .hb-thin{stroke-width:1;stroke-opacity:.22}
    .hb-bar{stroke-width:2}
    .hb-light{fill-opacity:.35;stroke-opacity:.6}
    .hb-mark{stroke-width:1}
    .hb-front{stroke:#59636e;stroke-dasharray:3 3}

    """
  private static let dark = """
    .hb-paper{fill:#0d1117}
    .hb-title,.hb-text{fill:#e6edf3}
    .hb-soft{fill:#9198a1}
    .hb-note{fill:#e6edf3;stroke:#0d1117}
    .hb-axis,.hb-zero{stroke:#9198a1}
    .hb-grid{stroke:#2a313c}
    .hb-gap{stroke:#e6edf3}
    .hb-front{stroke:#9198a1}

    """
}

import Model

/// The style of all charts: one style sheet for light, dark and print. Dashes and markers distinguish series without
/// colour.
package enum ChartStyle {
  static func lineClass(_ series: SeriesStyle) -> String {
    "hb-line \(series.colourClass) hb-d\(series.dash)"
  }

  static let element: String = {
    var text = "<style>\n" + base + classes(Palette.light)
    for (index, dash) in dashes.enumerated() where !dash.isEmpty {
      text += ".hb-d\(index){stroke-dasharray:\(dash)}\n"
    }
    return text + unfilled + "@media (prefers-color-scheme:dark){\n" + dark + classes(Palette.dark)
      + unfilledInDark + "}\n</style>\n"
  }()

  private static func classes(_ colours: [String]) -> String {
    colours.enumerated().map { ".hb-s\($0){stroke:\($1);fill:\($1)}\n" }.joined()
  }

  private static let unfilled =
    ".hb-line,.hb-thin{fill:none}\n.hb-hollow{fill:#ffffff;stroke-width:2}\n"
  private static let unfilledInDark = ".hb-line,.hb-thin{fill:none}\n.hb-hollow{fill:#0d1117}\n"

  /// Dashes for the known codecs, for any other codec, and for further variants of a codec.
  static let dashes =
    ["7 4", "", "2 3", "10 3 2 3", "12 5", "4 2"] + ["14 3 3 3", "5 2", "1 4", "18 4 4 4", "3 6", "9 2 1 2"]

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

/// Colour, dash and marker of a codec, the same in every drawing; further variants of the codec share its colour.
package struct SeriesStyle: Sendable, Hashable {
  /// The codec's index in `CodecName.all`; other codecs come after those.
  package let colour: Int
  /// The number of variants of the same codec before this one.
  let turn: Int

  /// The style of each series, whose name begins with a codec's identifier or title.
  package static func all(of names: [String]) -> [SeriesStyle] {
    var turns: [Int: Int] = [:]
    return names.map { name in
      let colour = colour(of: name.lowercased())
      defer { turns[colour, default: 0] += 1 }
      return SeriesStyle(colour: colour, turn: turns[colour] ?? 0)
    }
  }

  private static func colour(of name: String) -> Int {
    let codecs = CodecName.all.enumerated().flatMap { [($0, $1.id), ($0, $1.title.lowercased())] }
    let found = codecs.filter { name.hasPrefix($1) && name.dropFirst($1.count).first?.isLetter != true }
    return found.max { $0.1.count < $1.1.count }?.0 ?? CodecName.all.count
  }

  package var colourClass: String { "hb-s\(colour)" }
  var dash: Int {
    let own = CodecName.all.count + 1
    return turn == 0 ? colour : own + (turn - 1) % (ChartStyle.dashes.count - own)
  }

  /// The dashes of the codec's variants, in order.
  package var dashes: [String] {
    [ChartStyle.dashes[colour]] + ChartStyle.dashes[(CodecName.all.count + 1)...]
  }
}

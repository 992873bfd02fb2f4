import Model
import Reports

/// Where files will be shown, which decides what matters besides their bytes.
package enum Purpose: String, Sendable, Hashable, CaseIterable {
  case web, apple, android, archive
}

/// The first versions of software that show a format without add-ons.
///
/// Sources, looked up in November 2026: caniuse.com (avif, heif, jpegxl, webp) with the proposed change 7565 on Chrome 155 and
/// Firefox 158; WebKit's notes on Safari 17; Android's list of supported media formats; Apple's notes on iOS 11, 14, 16
/// and 17. docs/recommend.md has the table.
struct FormatSupport: Sendable {
  enum Reach: Int, Sendable {
    /// All software in use today.
    case all
    /// Current releases, with a fallback for earlier ones.
    case current
    /// One vendor's software only, or none.
    case few
  }

  static let date = "November 2026"

  let codec: String
  let type: String
  let browsers, apple, android: String
  fileprivate let reach: (web: Reach, apple: Reach, android: Reach)

  static let all = [
    FormatSupport(
      codec: "jpeg", type: "image/jpeg", browsers: "all", apple: "all", android: "all",
      reach: (.all, .all, .all)),
    FormatSupport(
      codec: "webp", type: "image/webp", browsers: "Chrome 32, Edge 18, Firefox 65, Safari 14",
      apple: "iOS 14, macOS 11", android: "Android 4", reach: (.all, .all, .all)),
    FormatSupport(
      codec: "avif", type: "image/avif", browsers: "Chrome 85, Edge 121, Firefox 93, Safari 16.4",
      apple: "iOS 16, macOS 13", android: "Android 12", reach: (.all, .all, .current)),
    FormatSupport(
      codec: "heic", type: "image/heic", browsers: "Safari 17 only", apple: "iOS 11, macOS 10.13",
      android: "Android 8", reach: (.few, .all, .current)),
    FormatSupport(
      codec: "jxl", type: "image/jxl", browsers: "Chrome 155, Firefox 158, Safari 17",
      apple: "iOS 17, macOS 14",
      android: "no Android", reach: (.current, .current, .few)),
  ]

  static func of(_ variant: CodecVariant) -> FormatSupport? { all.first { $0.codec == variant.codec } }

  /// The software that shows the format for a purpose; browsers if no purpose is given.
  func shown(for purpose: Purpose?) -> String {
    switch purpose {
    case nil, .web: browsers
    case .apple: apple
    case .android: android
    case .archive: codec == "heic" ? "HEVC, under patents" : "free to implement"
    }
  }
}

extension Recommendation {
  /// The order for a purpose: formats that everybody can show first, then by bytes. An archive needs files from which
  /// the originals can be restored.
  func rank(for purpose: Purpose) -> Int {
    let support = FormatSupport.of(variant)
    switch purpose {
    case .web: return (support?.reach.web ?? .few).rawValue
    case .apple: return (support?.reach.apple ?? .few).rawValue
    case .android: return (support?.reach.android ?? .few).rawValue
    case .archive:
      return variant.losesNothing ? 0 : 1
    }
  }
}

extension RecommendOutcome {
  /// A warning about the first recommendation; nil if there is none.
  var caution: String? {
    let heic = found.fulfilling.contains { $0.variant.codec == "heic" }
    switch wishes.purpose {
    case .web:
      return heic
        ? "Only Safari (17 or later) shows HEIC (caniuse.com, \(FormatSupport.date)): offer it with other formats, "
          + "never on its own."
        : nil
    case .android:
      return found.fulfilling.contains { $0.variant.codec == "jxl" }
        ? "Android itself does not show JPEG XL (\(FormatSupport.date)): an app has to include a decoder."
        : nil
    case .archive:
      return
        "For an archive, keep the files as they are, or pack JPEG losslessly (--codec jxl:recompress=true): what a "
        + "lossy copy has lost cannot be restored."
    case .apple: return nil
    case nil:
      return found.fulfilling.first?.variant.codec == "heic"
        ? "For the web, use --for web: only Safari (17 or later) shows HEIC (caniuse.com, "
          + "\(FormatSupport.date))." : nil
    }
  }

  /// A `<picture>` element with the settings that meet the requirements, fewest bytes first, and JPEG as a fallback;
  /// nil unless it is for the web.
  var picture: [String]? {
    guard wishes.purpose == .web, !found.fulfilling.isEmpty else { return nil }
    var formats: [FormatSupport] = []
    for setting in found.fulfilling.sorted(by: { $0.relativeBytes < $1.relativeBytes }) {
      guard let format = FormatSupport.of(setting.variant),
        !formats.contains(where: { $0.codec == format.codec })
      else { continue }
      formats.append(format)
    }
    // A browser uses the first format it can show, so anything after JPEG would never be used.
    let sources = formats.prefix { $0.codec != "jpeg" }.map { format in
      "  <source srcset=\"photo.\(format.codec)\" type=\"\(format.type)\">"
    }
    return ["<picture>"] + sources
      + ["  <img src=\"photo.jpg\" alt=\"…\" width=\"…\" height=\"…\">", "</picture>"]
  }
}

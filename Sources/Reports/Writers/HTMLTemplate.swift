import CPages
import Foundation
import Model

/// The page's own files, built into the program so that it finds them wherever it is installed.
package enum HTMLTemplate {
  /// A mismatch between the page's files and the code, which the tests rule out.
  package struct TemplateError: Error, CustomStringConvertible {
    package let description: String
  }

  static let page = String(cString: hb_report_html())
  static let viewer = String(cString: hb_viewer_html())
  package static let style = Palette.properties + String(cString: hb_report_css())
  /// The scripts in the order in which they run, each in its own scope except `page.js`.
  static let script = [hb_page_js(), hb_curves_js(), hb_strip_js(), hb_stage_js(), hb_viewer_js()]
    .map { String(cString: $0) }.joined(separator: "\n")

  static func plainPage(
    _ section: String, title: String, links: String, answer: String, version: String, files: [String]
  ) throws(TemplateError) -> String {
    try filled(
      String(cString: hb_plain_html()),
      with: [
        "title": HTMLText.escaped(title), "links": links, "answer": HTMLText.prose(answer),
        "length": answer.count > 200 ? " long" : "",
        "files": files.map { "<code>\(HTMLText.escaped($0))</code>" }.joined(separator: " and "),
        "scale": section.contains("SSIMULACRA") ? HTMLText.paragraph(Wording.scale, class: "scale") : "",
        "policy": contentSecurityPolicy(style: style, script: ""), "style": style,
        "version": HTMLText.escaped(version), "section": section,
      ])
  }

  /// Replaces the template's `{{names}}`. Every name must have a value.
  package static func filled(_ template: String, with values: [String: String]) throws(TemplateError)
    -> String
  {
    let pieces = template.split(separator: "{{", omittingEmptySubsequences: false)
    var result = String(pieces[0])
    for piece in pieces.dropFirst() {
      let parts = piece.split(separator: "}}", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { throw TemplateError(description: "a placeholder is not closed") }
      let name = String(parts[0])
      guard let value = values[name] else { throw TemplateError(description: "no value for “\(name)”") }
      result += value + parts[1]
    }
    return result
  }

  /// Allows this page's own style and scripts, by hash, and pictures in it or beside it; nothing from a network.
  static var contentSecurityPolicy: String { contentSecurityPolicy(style: style, script: script) }

  package static func contentSecurityPolicy(style: String, script: String) -> String {
    "default-src 'none'; style-src '\(source(style))'; script-src '\(source(script))'; "
      + "img-src 'self' data: file:; base-uri 'none'; form-action 'none'"
  }

  /// The hash of an inline element's text as CSP Level 3 spells it.
  private static func source(_ text: String) -> String {
    let digits = Array(SHA256.hexDigest(of: Array(text.utf8)))
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...($0 + 1)]), radix: 16)
    }
    return "sha256-\(Data(bytes).base64EncodedString())"
  }
}

/// The colours of the known codecs and of any other codec, after Okabe and Ito (“Color Universal Design”, 2008),
/// darkened or lightened to a contrast of 3:1 or more against the paper.
enum Palette {
  static let light = ["#c2410c", "#0067a5", "#00785a", "#a5447f", "#8a6100", "#4b5563"]
  static let dark = ["#ff9a5c", "#5ab4f0", "#3fcf9f", "#ee9fd0", "#e8bb4a", "#b6c0cc"]

  /// The colours as custom properties of a page.
  static let properties = root(light) + "@media (prefers-color-scheme:dark){\n" + root(dark) + "}\n"

  private static func root(_ colours: [String]) -> String {
    ":root{" + colours.enumerated().map { "--c\($0):\($1);" }.joined() + "}\n"
  }
}

import CPages
import NIOCore
import Reports

struct PageAnswer {
  var code: Int
  var headers: [(String, String)]
  var body: ByteBuffer

  init(_ code: Int = 200, type: String, bytes: some Sequence<UInt8>) {
    (self.code, headers, body) = (code, [("Content-Type", type)], ByteBuffer(bytes: bytes))
  }

  static func plain(_ code: Int, _ text: String) -> PageAnswer {
    PageAnswer(code, type: "text/plain; charset=utf-8", bytes: (text + "\n").utf8)
  }

  static func json(_ text: String) -> PageAnswer { PageAnswer(type: "application/json", bytes: text.utf8) }

  /// Security headers of every response: a page may load its own files, its own socket at one of these hosts and
  /// pictures that it made itself. Other sites get nothing from it.
  static func safety(_ hosts: Set<String>) -> [(String, String)] {
    let sockets = hosts.sorted().map { " ws://\($0)" }.joined()
    let policy =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'\(sockets); "
      + "img-src 'self' blob: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    return [
      ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
      ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
      ("Cross-Origin-Resource-Policy", "same-origin"), ("Cache-Control", "no-store"),
    ]
  }
}

enum PageFiles {
  static var blind: PageAnswer { answer("html", String(cString: hb_blind_html())) }

  static func file(at place: String) -> PageAnswer? {
    switch place {
    case "": answer("html", String(cString: hb_view_html()))
    case "blind.html": blind
    case "blind.css": answer("css", String(cString: hb_blind_css()))
    case "blind.js": answer("javascript", String(cString: hb_blind_js()))
    case "report.css": answer("css", HTMLTemplate.style)
    case "view.css": answer("css", String(cString: hb_view_css()))
    case "stage.js": answer("javascript", String(cString: hb_stage_js()))
    case "gallery.js": answer("javascript", String(cString: hb_gallery_js()))
    case "tried.js": answer("javascript", String(cString: hb_tried_js()))
    case "view.js": answer("javascript", String(cString: hb_view_js()))
    default: nil
    }
  }

  private static func answer(_ type: String, _ text: String) -> PageAnswer {
    PageAnswer(type: "text/\(type); charset=utf-8", bytes: text.utf8)
  }
}

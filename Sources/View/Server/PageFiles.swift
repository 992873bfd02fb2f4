import Reports

enum PageFiles {
  static func file(at place: String) -> PageAnswer? {
    switch place {
    case "": PageAnswer(type: "text/html; charset=utf-8", bytes: PackageResources.view_html)
    case "report.css": style(PageParts.style)
    case "view.css": style(PackageResources.view_css)
    case "stage.js": script(PageParts.stage)
    case "gallery.js": script(PackageResources.gallery_js)
    case "tried.js": script(PackageResources.tried_js)
    case "view.js": script(PackageResources.view_js)
    default: nil
    }
  }

  private static func style(_ bytes: [UInt8]) -> PageAnswer {
    PageAnswer(type: "text/css; charset=utf-8", bytes: bytes)
  }

  private static func script(_ bytes: [UInt8]) -> PageAnswer {
    PageAnswer(type: "text/javascript; charset=utf-8", bytes: bytes)
  }
}

import Reports

/// The page's own files, built into the program.
enum PageFiles {
  /// A file and what it is.
  struct File: Sendable {
    var type: String
    var bytes: [UInt8]
  }

  /// What is at a place below the token; nil where there is nothing.
  static func file(at place: String) -> File? {
    switch place {
    case "": File(type: "text/html; charset=utf-8", bytes: PackageResources.view_html)
    case "report.css": style(PageParts.style)
    case "view.css": style(PackageResources.view_css)
    case "stage.js": script(PageParts.stage)
    case "gallery.js": script(PackageResources.gallery_js)
    case "tried.js": script(PackageResources.tried_js)
    case "view.js": script(PackageResources.view_js)
    default: nil
    }
  }

  private static func style(_ bytes: [UInt8]) -> File {
    File(type: "text/css; charset=utf-8", bytes: bytes)
  }

  private static func script(_ bytes: [UInt8]) -> File {
    File(type: "text/javascript; charset=utf-8", bytes: bytes)
  }
}

import CJPEGShim
import CLoadedLibraries
import Model

/// The libjpeg mapped into the process, which may differ from the headers': mozjpeg and jpegli can replace it.
enum JPEGLibrary {
  /// Name and version, from a text inside the library because no function reports them.
  static let loaded: LibraryVersion = {
    for name in ["libjpeg-turbo", "mozjpeg"] {
      // "libjpeg-turbo version 2.1.5 (build 20230203)"
      guard let text = LoadedLibrary.text(in: stem, beginning: "\(name) version "),
        let version = text.dropFirst(name.count + 9).split(separator: " ").first
      else { continue }
      return LibraryVersion(name: name, version: String(version)).withBuild(of: stem)
    }
    guard LoadedLibrary.text(in: stem, beginning: "jpegli_") == nil else {
      // Its file contains no version; the file's name gives the libjpeg it replaces.
      let interface = LoadedLibrary(stem)?.fileVersion.map { "as \(stem).so.\($0)" }
      return LibraryVersion(name: "jpegli", version: interface ?? "?").withBuild(of: stem)
    }
    // For systems that do not list mapped libraries.
    return LibraryVersion(name: "libjpeg-turbo", version: String(cString: hb_jpeg_version()))
  }()

  private static let stem = "libjpeg"
}

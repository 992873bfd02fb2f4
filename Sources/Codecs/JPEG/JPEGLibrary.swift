import CJPEGShim
import CLoadedLibraries
import Model

/// The libjpeg that the process has mapped, which need not be the one of the headers: mozjpeg and jpegli are
/// made to take its place.
enum JPEGLibrary {
  /// Its name and version, as a text in the library itself has them; no function tells.
  static let loaded: LibraryVersion = {
    for name in ["libjpeg-turbo", "mozjpeg"] {
      // "libjpeg-turbo version 2.1.5 (build 20230203)"
      guard let text = LoadedLibrary.text(in: stem, beginning: "\(name) version "),
        let version = text.dropFirst(name.count + 9).split(separator: " ").first
      else { continue }
      return LibraryVersion(name: name, version: String(version)).withBuild(of: stem)
    }
    guard LoadedLibrary.text(in: stem, beginning: "jpegli_") == nil else {
      // No text in it has its version. What it stands in for is in its file's name.
      let interface = LoadedLibrary(stem)?.fileVersion.map { "as \(stem).so.\($0)" }
      return LibraryVersion(name: "jpegli", version: interface ?? "?").withBuild(of: stem)
    }
    // On systems that do not list what is mapped.
    return LibraryVersion(name: "libjpeg-turbo", version: String(cString: hb_jpeg_version()))
  }()

  private static let stem = "libjpeg"
}

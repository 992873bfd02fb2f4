import CPNGShim
import Model

enum PNGLibraries {
  /// heicbench's own code reads rows over ISA-L if installed; libpng over zlib reads the rest.
  static let loaded: [LibraryVersion] = {
    // " inflate 1.2.13 Copyright 1995-2022 Mark Adler "
    let zlib = LoadedLibrary.text(in: "libz", beginning: " inflate ")?.split(separator: " ").dropFirst().first
    let libraries = [
      named("libpng", "libpng16", version: String(cString: hb_png_version())),
      named("zlib", "libz", version: zlib.map(String.init)),
    ]
    guard hb_png_is_fast() != 0 else { return libraries }
    // Increase the version when the code's speed changes.
    return [
      LibraryVersion(name: "heicbench’s PNG rows", version: "1"), named("ISA-L", "libisal", version: nil),
    ]
      + libraries
  }()

  private static func named(_ name: String, _ stem: String, version: String?) -> LibraryVersion {
    let interface = LoadedLibrary(stem)?.fileVersion.map { "as \(stem).so.\($0)" }
    return LibraryVersion(name: name, version: version ?? interface ?? "?").withBuild(of: stem)
  }
}

import CPNGShim
import Model

/// What PNG files are read with, as this process has loaded it.
enum PNGLibraries {
  /// Rows come from heicbench's own code over ISA-L where that is installed; what it leaves, and everything elsewhere,
  /// from libpng over zlib.
  static let loaded: [LibraryVersion] = {
    // " inflate 1.2.13 Copyright 1995-2022 Mark Adler "
    let zlib = LoadedLibrary.text(in: "libz", beginning: " inflate ")?.split(separator: " ").dropFirst().first
    let libraries = [
      named("libpng", "libpng16", version: String(cString: hb_png_version())),
      named("zlib", "libz", version: zlib.map(String.init)),
    ]
    guard hb_png_is_fast() != 0 else { return libraries }
    // Another number for code that takes another time.
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

// swift-tools-version: 6.3
import PackageDescription

// A package of its own, since it only links where libFuzzer is. `Modules` is a link to the sources that it
// shares with heicbench. Built and run by scripts/fuzz.

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

func systemLibrary(_ name: String, pkgConfig: String) -> Target {
  .systemLibrary(name: name, path: "Modules/\(name)", pkgConfig: pkgConfig)
}

/// A module of heicbench, or of it the files that are named.
func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], _ settings: [SwiftSetting]? = nil,
  only sources: [String]? = nil
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Modules/\(name)", sources: sources, swiftSettings: settings
  )
}

let package = Package(
  name: "heicbench-fuzz",
  platforms: [.macOS(.v15)],
  targets: [
    systemLibrary("CHEIF", pkgConfig: "libheif"),
    systemLibrary("CJPEG", pkgConfig: "libjpeg"),
    systemLibrary("CPNG", pkgConfig: "libpng"),
    systemLibrary("CLCMS", pkgConfig: "lcms2"),
    module("CHEIFShim", ["CHEIF"]),
    module("CJPEGShim", ["CJPEG"]),
    module("CPNGShim", ["CPNG"]),
    module("CWebPShim"),
    module("CJXLShim"),
    module("CTIFFShim"),
    module("CAVIFShim"),
    module("CMetricKernels"),
    module("CX265Shim"),
    module("CLoadedLibraries"),
    module("CHashKernel"),
    module("CPixelKernels"),
    module("Pixels", ["CLCMS", "CPixelKernels"], strict),
    module("Model", ["Pixels", "CHashKernel"], strict),
    module("CodecKit", ["Model", "Pixels"], strict),
    module(
      "Codecs",
      [
        "Model", "CodecKit", "Pixels", "CHEIFShim", "CX265Shim", "CJPEG", "CJPEGShim", "CPNG", "CPNGShim",
        "CWebPShim", "CJXLShim", "CTIFFShim", "CAVIFShim", "CLoadedLibraries",
      ], strict),
    module("Metrics", ["Model", "Pixels", "CMetricKernels"], strict),
    // What reads tables; the database would take longer to build than all the rest.
    module(
      "Store", ["Model", "Metrics", "Pixels"], strict,
      only: ["Tables", "Output", "ResultRow.swift"]),
    .target(name: "CFuzzer", path: "CFuzzer"),
    .executableTarget(
      name: "FuzzReader",
      dependencies: ["Model", "CFuzzer", "CodecKit", "Codecs", "Metrics", "Pixels", "Store"],
      path: "FuzzReader",
      swiftSettings: strict),
  ]
)

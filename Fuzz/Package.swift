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

func module(_ name: String, _ dependencies: [Target.Dependency] = [], _ settings: [SwiftSetting]? = nil)
  -> Target
{
  .target(name: name, dependencies: dependencies, path: "Modules/\(name)", swiftSettings: settings)
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
        "CWebPShim", "CJXLShim", "CLoadedLibraries",
      ], strict),
    .target(name: "CFuzzer", path: "CFuzzer"),
    .executableTarget(
      name: "FuzzReader", dependencies: ["Model", "CFuzzer", "CodecKit", "Codecs", "Pixels"],
      path: "FuzzReader",
      swiftSettings: strict),
  ]
)

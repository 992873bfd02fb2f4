// swift-tools-version: 6.3
import Foundation
import PackageDescription

/// Every Swift target is compiled with the same strictness: Swift 6 mode, `any` spelled out, and imports that are
/// private to the file unless its interface re-exports them.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// A system library found through pkg-config, and the packages that provide it.
func systemLibrary(_ name: String, pkgConfig: String?, apt: String, brew: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

// libheif is opened at run time. On Linux, compilers find its header anyway, and pkg-config would also link the
// library.
#if os(Linux)
  let libheif: String? = nil
#else
  let libheif: String? = "libheif"
#endif

/// Nothing imports a test module, so no module file is emitted before compiling, which would take a third longer.
let testing: [SwiftSetting] = strict + [.unsafeFlags(["-no-emit-module-separately-wmo"])]

/// A test target for the module of the same name; `data` lists its files that are not source code.
func tests(
  _ module: String, _ dependencies: Target.Dependency..., data: [String] = [],
  settings: [SwiftSetting] = []
) -> Target {
  let shared = ["Pixels", "Model", "TestSupport", module]
  return .testTarget(
    name: "\(module)Tests",
    dependencies: Set(shared).sorted().map { .init(stringLiteral: $0) } + dependencies,
    exclude: data,
    swiftSettings: testing + settings)
}

/// Whether this package is a copy that SwiftPM made for another package that depends on a version of it. SwiftPM does
/// not accept flags from such a package, so it is built without those below. A clone may be in a folder `checkouts`,
/// too, but only SwiftPM has the repositories beside it.
let isDependency =
  Context.packageDirectory.contains("/registry/downloads/")
  || Context.packageDirectory.contains("/checkouts/")
    && FileManager.default.fileExists(atPath: Context.packageDirectory + "/../../repositories")

/// Homebrew's folder of headers, which compilers do not search by default. Without it, WebP, JPEG XL and TIFF are
/// absent.
let homebrewHeaders: [CSetting] =
  isDependency ? [] : [.unsafeFlags(["-I/opt/homebrew/include"], .when(platforms: [.macOS]))]

/// Unoptimised inner loops are useless, even for tests.
let optimisedC: [CSetting] = isDependency ? [] : [.unsafeFlags(["-O3"])]

/// Optimisation whatever the build requests: a frontend flag comes after the build's own. `scripts/build` requests
/// none, not even in dependencies, since optimising everything takes nearly twice as long; `scripts/package` does
/// optimise.
func optimised(_ condition: BuildSettingCondition? = nil) -> [SwiftSetting] {
  isDependency ? [] : [.unsafeFlags(["-Xfrontend", "-O"], condition)]
}

/// Settings for modules that take most of the time.
let hot = strict + optimised(.when(configuration: .release))
/// Also in debug builds: the tests paint the whole corpus, convert its colours and score it.
let alwaysHot = strict + optimised()

/// Links the Swift runtime statically into a release on Linux: the program starts faster as a child and needs no
/// toolchain. Only linking differs, so tests, for which there is no static runtime, link the same modules. The archives
/// are listed, since modules compiled for the shared runtime do not name them.
let withRuntime: [LinkerSetting] =
  isDependency
  ? []
  : [
    .unsafeFlags(
      [
        "-static-stdlib", "-lFoundation", "-lFoundationEssentials", "-lFoundationInternationalization",
        "-lCoreFoundation",
        "-l_FoundationICU", "-l_FoundationCollections", "-l_FoundationCShims", "-l_CFXMLInterface",
      ], .when(platforms: [.linux], configuration: .release))
  ]

/// Needed only to build the documentation.
let documentation: [Package.Dependency] =
  Context.environment["HEICBENCH_DOCUMENTATION"] == nil
  ? [] : [.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0")]

let package = Package(
  name: "heicbench",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "heicbench", targets: ["heicbench"]),
    .library(name: "HeicBenchKit", targets: ["HeicBenchKit"]),
    // The library for writing a codec in another package.
    .library(name: "CodecKit", targets: ["CodecKit"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ] + documentation,
  targets: [
    systemLibrary("CHEIF", pkgConfig: libheif, apt: "libheif-dev", brew: "libheif"),
    systemLibrary("CJPEG", pkgConfig: "libjpeg", apt: "libjpeg-dev", brew: "jpeg-turbo"),
    systemLibrary("CPNG", pkgConfig: "libpng", apt: "libpng-dev", brew: "libpng"),
    systemLibrary("CLCMS", pkgConfig: "lcms2", apt: "liblcms2-dev", brew: "little-cms2"),
    // Opened at run time: the codecs that come with it take a third of the start-up time.
    .target(name: "CHEIFShim", dependencies: ["CHEIF"]),
    .target(name: "CJPEGShim", dependencies: ["CJPEG"]),
    .target(name: "CPNGShim", dependencies: ["CPNG"], cSettings: optimisedC + homebrewHeaders),
    // Opened at run time and not linked; without the headers, the shims are empty.
    .target(name: "CWebPShim", cSettings: homebrewHeaders),
    .target(name: "CJXLShim", cSettings: homebrewHeaders),
    .target(name: "CTIFFShim", cSettings: optimisedC + homebrewHeaders),
    .target(name: "CAVIFShim"),
    .target(name: "CLoadedLibraries"),
    .target(name: "CX265Shim"),
    // The files of the pages, compiled in.
    .target(name: "CPages"),
    .target(name: "CProcessShim"),
    // Replaces 30 MB of tables that a statically linked Foundation would add.
    .target(name: "CNoICUData"),
    .target(name: "CMetricKernels", cSettings: optimisedC),
    .target(name: "CHashKernel", cSettings: optimisedC),
    .target(name: "CPixelKernels", cSettings: optimisedC),

    .target(
      name: "Pixels", dependencies: ["CLCMS", "CPixelKernels"], swiftSettings: alwaysHot),
    .target(name: "Model", dependencies: ["Pixels", "CHashKernel"], swiftSettings: hot),
    .target(name: "CodecKit", dependencies: ["Model", "Pixels"], swiftSettings: hot),
    .target(
      name: "Codecs",
      dependencies: [
        "Model", "CodecKit", "Pixels", "CHEIFShim", "CX265Shim", "CJPEG", "CJPEGShim", "CPNG", "CPNGShim",
        "CWebPShim", "CJXLShim", "CTIFFShim", "CAVIFShim", "CLoadedLibraries",
      ],
      swiftSettings: hot),
    .target(
      name: "Metrics", dependencies: ["Model", "Pixels", "CMetricKernels"],
      swiftSettings: alwaysHot),
    .target(
      name: "Corpus", dependencies: ["Model", "CodecKit", "Pixels"],
      swiftSettings: alwaysHot),
    .target(
      name: "Workers", dependencies: ["Model", "CodecKit", "Metrics", "Pixels", "CProcessShim"],
      swiftSettings: strict),
    .target(
      name: "Store",
      dependencies: ["Model", "Metrics", "Pixels", .product(name: "GRDB", package: "GRDB.swift")],
      swiftSettings: hot),
    .target(name: "Analysis", dependencies: ["Model", "Metrics", "Pixels", "Store"], swiftSettings: hot),
    .target(
      name: "Reports",
      dependencies: ["Model", "Metrics", "Pixels", "Store", "Analysis", "CPages"],
      exclude: ["Resources"],
      swiftSettings: strict),
    // The API for programs. The other public declarations are for writing a codec: CodecKit, rasters, a few values.
    .target(
      name: "HeicBenchKit",
      dependencies: [
        "Model", "CodecKit", "Codecs", "Metrics", "Corpus", "Pixels", "Workers", "Store", "Analysis",
        "Reports", "CPages", "CProcessShim",
        .product(name: "Yams", package: "Yams"),
      ],
      exclude: ["TileSets/Page"],
      swiftSettings: strict),
    // `heicbench view`: a page for this machine only.
    .target(
      name: "View",
      dependencies: [
        "Model", "CodecKit", "Metrics", "Pixels", "Workers", "Reports", "HeicBenchKit", "CPages",
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
      ],
      exclude: ["Resources"],
      swiftSettings: strict),
    .target(
      name: "Commands",
      dependencies: [
        "HeicBenchKit", "Model", "CodecKit", "Codecs", "Metrics", "Corpus", "Pixels", "Workers",
        "Store", "Analysis", "Reports", "View",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "heicbench", dependencies: ["Commands", "CNoICUData"], swiftSettings: strict,
      linkerSettings: withRuntime),

    // Benchmarks for the promises about speed; not installed for users.
    .executableTarget(
      name: "heicbench-benchmark",
      dependencies: [
        "Model", "CodecKit", "Codecs", "Metrics", "Pixels", "Store", "Analysis", "HeicBenchKit", "Workers",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Benchmarks/heicbench-benchmark", swiftSettings: hot, linkerSettings: withRuntime),

    // The example, which is also a separate package, built the same way here: it sees only public declarations.
    .executableTarget(
      name: "heicbench-example", dependencies: ["HeicBenchKit", "CodecKit"],
      path: "Examples/Sources/CompareCodecs",
      packageAccess: false, swiftSettings: [.swiftLanguageMode(.v6)]),
    // System calls by number, for what tries to get out of the sandbox.
    .target(name: "CEscape", dependencies: ["CProcessShim"], path: "Tests/CEscape"),
    .target(
      name: "TestSupport", dependencies: ["Model", "CodecKit", "Pixels", "CEscape"],
      path: "Tests/TestSupport",
      swiftSettings: hot),
    // Rows and runs that tests of several modules are about.
    .target(
      name: "SampleData", dependencies: ["Model", "Store", "Analysis"], path: "Tests/SampleData",
      swiftSettings: strict),
    tests("Pixels", settings: optimised(.when(configuration: .release))),
    tests("Model"),
    tests("CodecKit"),
    tests("Codecs", "CPNGShim", "CodecKit"),
    tests("Metrics", "CodecKit", "Codecs"),
    tests("Corpus", "CodecKit", "Codecs"),
    // What the runner's tests start as a worker: a codec that crashes, hangs and babbles on demand.
    .executableTarget(
      name: "worker-fixture",
      dependencies: [
        "HeicBenchKit", "View", "Workers", "CodecKit", "Codecs", "TestSupport", "CEscape",
      ],
      path: "Tests/WorkerFixture",
      swiftSettings: strict),
    tests("Workers", "CodecKit", "Metrics", "CEscape", "CProcessShim", "worker-fixture"),
    tests(
      "HeicBenchKit", "CodecKit", "Codecs", "Metrics", "Workers", "Store", "Analysis", "Reports",
      "SampleData",
      "worker-fixture", data: ["Sweep/Runner/Traces"]),
    tests(
      "Store", "Metrics", "SampleData", .product(name: "GRDB", package: "GRDB.swift"), data: ["Golden"]),
    tests("Analysis", "Metrics", "Store", "SampleData"),
    tests("View", "CodecKit", "Workers", "Store", "Analysis", "HeicBenchKit", "worker-fixture"),
    tests("Reports", "CodecKit", "Codecs", "Metrics", "Store", "Analysis", "SampleData", data: ["Golden"]),
    .testTarget(
      name: "HeicBenchTests",
      dependencies: [
        "Commands", "heicbench-example", "HeicBenchKit", "CodecKit", "Model", "Metrics", "Store", "Analysis",
        "Workers",
        "TestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Yams", package: "Yams"),
      ],
      swiftSettings: testing),
  ]
)

// swift-tools-version: 6.3
import PackageDescription

// A program that measures through the library as any other package would, including with its own codec. The main
// package's tests build the same source without access to internal declarations, and run it.
let package = Package(
  name: "heicbench-examples",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "heicbench", path: "..")],
  targets: [
    .executableTarget(
      name: "CompareCodecs",
      dependencies: [
        .product(name: "HeicBenchKit", package: "heicbench"),
        .product(name: "CodecKit", package: "heicbench"),
      ])
  ]
)

import ArgumentParser
import CodecKit
import Codecs
import Foundation
import Model
import Pixels
import Store

/// The predicted and the measured memory of decodes, for sizes from 0.4 to 100 megapixels.
struct MemoryBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "memory",
    abstract: "Compare the memory that “decode” predicts with what it measures, from 0.4 to 100 megapixels.",
    discussion: """
      Pictures are made from a seed, in colour and in gray, encoded as JPEG (baseline and progressive), HEIC (one frame \
      and a grid) and AVIF, and read by “heicbench decode”, one at a time. Memory does not depend on what else the \
      machine does. The largest sizes need some 3 GiB and encode for minutes.
      """)

  @Option(
    name: .customLong("megapixels"), parsing: .upToNextOption,
    help: "Sizes of the pictures, 3 columns to 2 rows.")
  var sizes: [Double] = [0.4, 1, 3, 12, 24, 50, 100]

  @Option(help: "A folder in which to keep pictures and results; without it they are removed.")
  var folder: String?

  @Option(help: "The program to measure. (default: heicbench beside this one)")
  var program: String?

  private static let codecs = [
    "jpeg", "jpeg:progressive=true", "jpeg:chroma=444", "heic:preset=ultrafast",
    "heic:grid=512,preset=ultrafast",
    "avif:speed=9",
  ]

  func validate() throws {
    guard sizes.allSatisfy({ (0.1...250).contains($0) }) else {
      throw ValidationError("--megapixels takes numbers from 0.1 to 250")
    }
  }

  func run() throws {
    let place = folder ?? FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    defer { if folder == nil { try? FileManager.default.removeItem(atPath: place) } }
    let photos = place + "/photos"
    try FileManager.default.createDirectory(atPath: photos, withIntermediateDirectories: true)
    for size in sizes { try MemoryPictures.write(megapixels: size, to: photos) }
    let arguments =
      [
        "decode", photos, "--sizes", "1024,full", "--region", "512x512", "--repeat", "1", "--jobs", "1",
        "--images", "none", "--quiet", "--qualities", "0.7", "--output", place + "/results",
      ] + Self.codecs.flatMap { ["--codec", $0] }
    let child = try ChildProcess(program ?? NeighbourProgram.path, arguments)
    let rows = try MemoryRow.all(inFile: place + "/results/decodes.csv")
    guard !rows.isEmpty else { throw ValidationError("“heicbench decode” measured nothing: \(child.output)") }
    print("| file | route | pixels, MP | predicted, MiB | measured, MiB | off by |")
    print("|---|---|---:|---:|---:|---:|")
    for row in rows.sorted(by: MemoryRow.precedes) { print(row.line) }
    let off = rows.filter { abs($0.error ?? 0) > MemoryRow.tolerance }
    print("\n\(rows.count { $0.error != nil }) predictions, \(off.count) of them off by more than 10 %")
    if !off.isEmpty { throw ExitCode.failure }
  }
}

/// The program that is measured unless another is named.
enum NeighbourProgram {
  static var path: String {
    URL(filePath: Bundle.main.executablePath ?? CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "heicbench").path
  }
}

/// Pictures whose decodes are measured. They repeat photo-like patches, which costs the same to decode and is faster to
/// make.
private enum MemoryPictures {
  private static let patchSide = 512

  static func write(megapixels: Double, to folder: String) throws {
    // Even sides, as in photographs.
    let height = Int((megapixels * 1e6 / 1.5).squareRoot() / 2) * 2
    let width = Int(megapixels * 1e6 / Double(height) / 2) * 2
    for layout in [ChannelLayout.rgb, .gray] {
      let name = "\(layout == .gray ? "gray" : "colour")-\(megapixels).png"
      let file = URL(filePath: folder).appending(path: name)
      guard !FileManager.default.fileExists(atPath: file.path) else { continue }
      guard let image = picture(width, height, layout) else { continue }
      try Data(CodecRegistry.standard.writer.preview(image)).write(to: file)
    }
  }

  private static func picture(_ width: Int, _ height: Int, _ layout: ChannelLayout) -> RasterImage? {
    guard let patch = PhotoLikeImage.make(width: patchSide, height: patchSide, seed: 7),
      case .bytes(let samples) = patch.samples
    else { return nil }
    let channels = layout.channels
    // Gray is the green channel of the colour picture.
    let source = channels == 3 ? samples : stride(from: 1, to: samples.count, by: 3).map { samples[$0] }
    let row = patchSide * channels
    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * height * channels)
    for y in 0..<height {
      let line = source[(y % patchSide) * row..<(y % patchSide + 1) * row]
      var left = width * channels
      while left > 0 {
        bytes.append(contentsOf: line.prefix(left))
        left -= min(left, row)
      }
    }
    return RasterImage(width: width, height: height, layout: layout, bytes: bytes)
  }
}

/// A read with its memory.
private struct MemoryRow {
  static let tolerance = 0.1

  var file: String
  var route: String
  var pixels: Double
  var predicted: Double?
  var measured: Double

  /// The error of the prediction, as a fraction of the measured value.
  var error: Double? { predicted.map { $0 / measured - 1 } }

  static func all(inFile path: String) throws -> [MemoryRow] {
    try TableCSV.rows(ofFile: path, required: ["predicted_mib", "peak_mib"]).compactMap { row in
      guard row["status"] == "measured", let measured = row["peak_mib"].flatMap(Double.init),
        let width = row["width"].flatMap(Double.init), let height = row["height"].flatMap(Double.init)
      else { return nil }
      // A full decode needs the same memory for every requested size.
      guard row["route"] != "full" || row["wanted"] == "full" else { return nil }
      let gray = row["image"]?.hasPrefix("gray") == true ? ", gray" : ""
      let settings = row["settings"].map { ":" + $0 } ?? ""
      return MemoryRow(
        file: "\(row["codec"] ?? "")\(settings)\(gray)",
        route: "\(row["route"] ?? "") \(row["wanted"] ?? "")", pixels: width * height / 1e6,
        predicted: row["predicted_mib"].flatMap(Double.init), measured: measured)
    }
  }

  static func precedes(_ a: MemoryRow, _ b: MemoryRow) -> Bool {
    (a.file, a.route, a.pixels) < (b.file, b.route, b.pixels)
  }

  var line: String {
    func number(_ value: Double?) -> String { value.map { String(format: "%.2f", $0) } ?? "" }
    let off = error.map { String(format: "%+.1f %%", $0 * 100) } ?? ""
    return "| \(file) | \(route) | \(number(pixels)) | \(number(predicted)) | \(number(measured)) | \(off) |"
  }
}

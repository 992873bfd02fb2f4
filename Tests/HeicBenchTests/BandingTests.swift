#if os(Linux)
  import Codecs
  import Foundation
  import Pixels
  import TestSupport
  import Testing

  /// The script that measures banding and draws the chart of docs/hdr.md.
  @Suite(.enabled(if: Python.isPresent, "SKIPPED: needs Python; scripts/setup --tests installs it"))
  struct BandingTests {
    let user: UserFolder

    init() throws { user = try UserFolder() }

    private func run(_ arguments: String...) throws -> String {
      let (status, said) = try Python.script(
        "scripts/lab/banding", arguments, program: user.program, in: user.folder.path)
      try #require(status == 0, "\(said)")
      return said
    }

    /// Gray of one code, and of another code from column 30 on.
    private func gray(_ code: UInt8, then other: UInt8, _ file: ([UInt8]) -> [UInt8]) throws -> String {
      let row = (0..<64).flatMap { x in [UInt8](repeating: x < 30 ? code : other, count: 3) }
      let path = user.path("\(code)-\(other).png")
      try Data(file(row + row)).write(to: URL(filePath: path))
      return path
    }

    @Test func aStepOfGrayIsThatOfItsPQCode() throws {
      let pq = { PNGFile.pq(width: 64, height: 2, rgb: $0) }
      let step = try run("step", gray(128, then: 128, pq), gray(128, then: 129, pq))
      #expect(abs(try #require(Double(step.dropLast())) - 720.0 / 255) < 1e-4)
      // SDR is sRGB with white at 203 cd/m².
      let sdr = { (rgb: [UInt8]) in
        (try? PNGWriter().write(#require(RasterImage(width: 64, height: 2, layout: .rgb, bytes: rgb)))) ?? []
      }
      let darker = TransferFunction.pq.encoded(203 * TransferFunction.sRGB.linearLight(254.0 / 255) / 10_000)
      let white = TransferFunction.pq.encoded(203.0 / 10_000)
      let other = try run("step", gray(255, then: 255, sdr), gray(255, then: 254, sdr))
      #expect(abs(try #require(Double(other.dropLast())) - 720 * (white - darker)) < 1e-3)
    }

    @Test("ramps have bands in 8 bits and none in 10", .timeLimit(.minutes(30)))
    func chart() throws {
      let table = try run(user.path("banding"), "--qualities", "0.9,1.0")
      let rows = table.split(separator: "\n").map {
        $0.split(separator: "|").map { String($0.dropFirst().dropLast()) }
      }
      for picture in ["gray, 1 to 203 cd/m²", "sky"] {
        for (codec, isSmooth) in [("jpeg", false), ("heic", false), ("heic:depth=10", true)] {
          let row = try #require(rows.first { $0.starts(with: [picture, codec]) }, "\(table)")
          #expect((row.last != "none") == isSmooth, "\(row)")
        }
      }
      #expect(
        try String(contentsOfFile: user.path("banding/banding.svg"), encoding: .utf8).contains("polyline"))
    }
  }
#endif

import Foundation
import Model
import Pixels
import Testing
import Workers

@testable import Analysis
@testable import HeicBenchKit

/// The time left, as shown during recorded runs.
@Suite struct TimeLeftTests {
  /// The time shown after a point, and how long the rest really took.
  private struct Told {
    var (share, seconds, cpuSeconds) = (0.0, 0.0, 0.0)
    var (trueSeconds, trueCPUSeconds) = (0.0, 0.0)
  }

  /// A recorded run.
  ///
  /// Five lines hold the plan and the end of the run (ms), followed by a line for each event. `p`: a finished point,
  /// with ms since the start, slot, image, variant and quality, then in µs the elapsed and CPU times of encode and
  /// decode, the CPU time of the scores and the elapsed time of everything. `a`: points beside the grid that are
  /// measured ahead, with the image, then variant:quality of each. `n`: an image's next round of refinement, in the
  /// same form; without points, the image is finished.
  private struct Run {
    private let lines: [[Substring]]
    private let plan: SweepPlan
    private let (jobs, end): (Int, Double)

    init(_ name: String) throws {
      let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Traces/\(name).txt")
      let all = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
        $0.split(separator: " ")
      }
      let head = all.prefix(5).map { $0.dropFirst() }
      lines = Array(all.dropFirst(5))
      let entries = try head[0].enumerated().map { index, pixels in
        CorpusEntry(
          identity: ImageIdentity(name: "\(index)", contentHash: ""), path: [], fileBytes: 0,
          header: ImageHeader(
            format: "png", width: try #require(Int(pixels)), height: 1, bitDepth: 8, layout: .rgb,
            isLossy: false))
      }
      let variants = try head[1].map { try #require(CodecVariant(unchecked: String($0))) }
      let qualities = try head[2].map { try #require(Int($0).flatMap { Quality(thousandths: $0) }) }
      (jobs, end) = (
        try #require(head[3].first.flatMap { Int($0) }), try #require(head[4].first.flatMap { Double($0) })
      )
      let strategy = RefinementStrategy(
        goal: Refinement(metric: "ssimulacra2", targets: [50, 70, 80, 90], band: 50...90),
        metric: MetricTraits(id: "ssimulacra2", column: "ssimulacra2", title: "SSIMULACRA2", decimals: 2),
        grid: qualities,
        scales: Dictionary(
          variants.map { ($0, .init(native: 0...100, closeness: $0.codec == "jpeg" ? .fine : .trusted)) },
          uniquingKeysWith: { first, _ in first }))
      plan = SweepPlan(
        entries: entries,
        variants: variants.map { VariantDescription(variant: $0, libraries: [], threads: 1) },
        qualities: qualities, refinement: strategy, preparation: Preparation(), metrics: [])
    }

    /// The times shown after each point, from the first one to the last tenth of the run.
    ///
    /// - Parameters:
    ///   - cold: seconds that a slot waits for the disk when it meets a codec.
    ///   - speed: how many times as long everything takes.
    func told(cold: Double = 0, speed: Double = 1) throws -> [Told] {
      var counters = SweepCounters(plan: plan, jobs: jobs, at: 0)
      var (told, spent, wait, met) = ([Told](), 0.0, 0.0, Set<[Substring]>())
      for line in lines {
        guard line[0] == "p" else {
          let (image, points) = try round(line)
          counters.extend(by: points, of: image)
          if line[0] == "n" { counters.left.begin(points, of: image) }
          continue
        }
        let n = try line.dropFirst().map { try #require(Double($0)) }
        let delay = met.insert([line[2], line[4]]).inserted ? cold : 0
        wait += delay / Double(jobs)
        let key = try key(Int(n[2]), Int(n[3]), Int(n[4]))
        let micro = speed / 1e6
        let report = report(
          key, of: Int(n[2]), coding: (n[5] * micro + delay, n[6] * micro), scoring: n[7] * micro,
          all: n[8] * micro + delay)
        spent += (n[6] + n[7]) * micro
        counters.count(report, session: Int(n[1]))
        let now = n[0] * speed / 1e3 + wait
        // Called as if much time had passed, so that the last answer is not repeated.
        let progress = counters.progress(at: Int64(now * 1e12))
        guard let seconds = progress.remaining, n[0] < 0.9 * end else { continue }
        told.append(
          Told(
            share: try #require(progress.share), seconds: seconds,
            cpuSeconds: try #require(progress.cpuRemaining), trueSeconds: now, trueCPUSeconds: spent))
      }
      return told.map { line in
        var line = line
        line.trueSeconds = end * speed / 1e3 + wait - line.trueSeconds
        line.trueCPUSeconds = spent - line.trueCPUSeconds
        return line
      }
    }

    private func round(_ line: [Substring]) throws -> (Int, [Case]) {
      let image = try #require(Int(line[1]))
      let points = try line.dropFirst(2).map { point in
        let numbers = point.split(separator: ":").compactMap { Int($0) }
        return try key(image, numbers[0], numbers[1])
      }
      return (image, points)
    }

    private func key(_ image: Int, _ variant: Int, _ quality: Int) throws -> Case {
      plan.point(
        of: plan.entries[image], variantAt: variant, quality: try #require(Quality(thousandths: quality)))
    }

    private func report(
      _ key: Case, of image: Int, coding: (wall: Double, cpu: Double), scoring: Double, all: Double
    ) -> PointReport {
      let sample = TimingSample(
        wallNanoseconds: Int64(coding.wall * 1e9), cpuNanoseconds: Int64(coding.cpu * 1e9))
      let measurement = Figures(
        nativeQuality: 1, encodedBytes: 1, encodedHash: "",
        timing: TimingSeries(conditions: .contended, encode: [sample], decode: []),
        scoringCPUNanoseconds: Int64(scoring * 1e9))
      return PointReport(
        key: key, image: image, response: .answered(measurement), seconds: all,
        recorded: .measured(measurement))
    }
  }

  private static let names = ["corpus-cold", "corpus", "photographs", "five-codecs", "mixed-sizes"]

  /// Whether they differ by at most this factor in either direction, beside a few seconds.
  private static func isClose(_ told: Double, _ truth: Double, factor: Double) -> Bool {
    told < truth * factor + 1 && truth < told * factor + 1
  }

  @Test("is right within a factor of 1.5 from the first line on", arguments: names)
  func recorded(name: String) throws {
    let told = try Run(name).told()
    let first = try #require(told.first)
    #expect(first.share < 0.15, "it is shown early")
    for line in told {
      // Other programs used the cores while five codecs ran, which was not predictable.
      #expect(
        name == "five-codecs" || Self.isClose(line.seconds, line.trueSeconds, factor: 1.5), "\(line)")
      #expect(Self.isClose(line.cpuSeconds, line.trueCPUSeconds, factor: 1.7), "\(line)")
    }
  }

  @Test("does not depend on how long the disk takes at first", arguments: names, [3.0, 30])
  func coldDisk(name: String, wait: Double) throws {
    let (told, warm) = (try Run(name).told(cold: wait), try Run(name).told())
    #expect(told.map(\.seconds) == warm.map(\.seconds))
  }

  @Test("holds on other machines", arguments: names, [0.3, 3])
  func otherMachines(name: String, speed: Double) throws {
    let told = try Run(name).told(speed: speed)
    #expect(!told.isEmpty)
    for line in told {
      #expect(Self.isClose(line.cpuSeconds, line.trueCPUSeconds, factor: 1.8), "\(line)")
      #expect(line.cpuSeconds < 2 * line.trueCPUSeconds + 1, "\(line)")
    }
  }
}

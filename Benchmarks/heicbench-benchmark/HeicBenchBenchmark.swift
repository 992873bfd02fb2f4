import ArgumentParser

/// Measures the parts of heicbench on whose speed its promises depend. Users do not install it.
@main
struct HeicBenchBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "heicbench-benchmark",
    abstract: "Measure the parts of heicbench on whose speed its promises depend.",
    subcommands: [
      SweepBenchmark.self, MetricsBenchmark.self, StoreBenchmark.self, MemoryBenchmark.self,
      ThumbnailBenchmark.self, TilesBenchmark.self, ScoreOnce.self, RunOnce.self,
    ])
}

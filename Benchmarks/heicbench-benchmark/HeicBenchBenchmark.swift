import ArgumentParser

/// Measures the parts of heicbench whose speed its promises depend on. Not part of what users install.
@main
struct HeicBenchBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "heicbench-benchmark",
    abstract: "Measure the parts of heicbench whose speed its promises depend on.",
    subcommands: [
      SweepBenchmark.self, MetricsBenchmark.self, StoreBenchmark.self, MemoryBenchmark.self,
      ThumbnailBenchmark.self, TilesBenchmark.self, ScoreOnce.self, RunOnce.self,
    ])
}

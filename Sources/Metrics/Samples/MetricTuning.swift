import CMetricKernels

/// Parameters for traversing an image. Scores do not depend on them; tests and benchmarks vary them.
struct MetricTuning: Sendable {
  let kernels: MetricKernels
  /// The number of columns of a tile, chosen so that its rows stay in the second-level cache between passes.
  let tileWidth: Int
  /// Scales with more pixels than this compute the reference's blurs again for every candidate instead of keeping them,
  /// so that 100 megapixels fit into 4 GiB.
  let mostPixelsKept: Int
  /// True to keep results that depend only on the reference, for many candidates.
  var keepsReference = true
  /// Runs part of the work concurrently; nil runs one part after the other.
  var beside: Beside?

  /// Selects an instruction set, or the baseline if the processor lacks it, and tiles for 1 MiB of cache.
  init(_ instructions: InstructionSet, tileWidth: Int = 2048, mostPixelsKept: Int = 50_000_000) {
    kernels = metric_kernels(instructions.kernelSet)
    self.tileWidth = tileWidth
    self.mostPixelsKept = mostPixelsKept
  }
}

/// Starts `body` concurrently and returns a closure that waits for its end.
package typealias Beside = @Sendable (_ body: @escaping @Sendable () -> Void) -> () -> Void

package enum InstructionSet: String, Sendable, CaseIterable {
  case baseline
  case avx2 = "AVX2"
  case avx512 = "AVX-512"

  /// The fastest instruction set of this processor.
  package static var best: InstructionSet { allCases.last(where: \.isAvailable) ?? .baseline }

  package var isAvailable: Bool { metric_has(kernelSet) != 0 }

  var kernelSet: MetricInstructionSet {
    switch self {
    case .baseline: MetricBaseline
    case .avx2: MetricAVX2
    case .avx512: MetricAVX512
    }
  }
}

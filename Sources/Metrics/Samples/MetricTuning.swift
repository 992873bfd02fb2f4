import CMetricKernels

/// How metrics walk over an image. Scores do not depend on it; tests and benchmarks vary it.
struct MetricTuning: Sendable {
  /// The inner loops, for one instruction set.
  let kernels: MetricKernels
  /// Columns of a tile. A tile's rows stay in the second-level cache between the passes.
  let tileWidth: Int
  /// Scales of images with more pixels than this keep no blurs of the reference: they are computed again for
  /// every candidate, so that 100 megapixels fit into 4 GiB.
  let mostPixelsKept: Int
  /// Whether the reference is for many candidates, so that what depends on it alone is kept.
  var keepsReference = true
  /// Where a part of the work may be done beside the rest; nil does one after the other.
  var beside: Beside?

  /// The fastest instruction set that this processor has, and tiles that suit 1 MiB of cache.
  static let standard = MetricTuning(.allCases.last { $0.isAvailable } ?? .baseline)

  /// Selects an instruction set, or the baseline where the processor does not have it.
  init(_ instructions: InstructionSet, tileWidth: Int = 2048, mostPixelsKept: Int = 50_000_000) {
    kernels = metric_kernels(instructions.kernelSet)
    self.tileWidth = tileWidth
    self.mostPixelsKept = mostPixelsKept
  }
}

/// Begins to do something beside what the caller goes on with, and returns what waits for its end.
package typealias Beside = @Sendable (_ body: @escaping @Sendable () -> Void) -> () -> Void

/// The instruction sets that the kernels are compiled for, the slowest first, by their names.
package enum InstructionSet: String, Sendable, CaseIterable {
  case baseline
  case avx2 = "AVX2"
  case avx512 = "AVX-512"

  /// Whether this processor can run it.
  package var isAvailable: Bool { metric_has(kernelSet) != 0 }

  var kernelSet: MetricInstructionSet {
    switch self {
    case .baseline: MetricBaseline
    case .avx2: MetricAVX2
    case .avx512: MetricAVX512
    }
  }
}

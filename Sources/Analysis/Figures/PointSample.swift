package import Model
package import Store

/// The part of a measured point that figures need; a fraction of a row's size.
package struct PointSample: Sendable {
  package var place: PointPlace
  package var bytes: Int
  /// True if the point was added for a figure's sake, not at a requested quality.
  package var isRefined = false
  /// As measured, in the order of the run's metrics.
  package var scores: [Double?]
  /// CPU milliseconds of each operation, median of the repeats.
  package var cpu: OperationTable<Double>
  /// Bytes in the file other than the picture.
  package var metadata = 0.0
  package var peakMiB: Double?
  /// The SSIMULACRA2 that is left after halving chroma alone, without coding; nil for files with full chroma.
  package var chromaBound: Double?

  package var quality: Quality? { place.quality }
}

extension PointSample {
  package init?(_ row: ResultRow, metrics: [MetricTraits]) {
    guard row.status == .measured, let place = PointPlace(quality: row.quality, file: row.importedFile),
      let bytes = row.encodedBytes, bytes > 0
    else { return nil }
    self.init(
      place: place, bytes: bytes, isRefined: row.origin == .refined,
      scores: metrics.map { metric in row.scores[metric.id].flatMap { $0.isNaN ? nil : $0 } },
      cpu: OperationTable { row[$0, .cpu]?.median },
      metadata: row.figures[.metadata].flatMap { (0..<Double(bytes)).contains($0) ? $0 : nil } ?? 0,
      peakMiB: row.figures[.peakMemory].flatMap { $0.isFinite ? $0 : nil },
      chromaBound: row.figures[.chromaBound])
  }
}

/// Measured points of one image and variant, with its curve by each metric.
package struct VariantCurves: Sendable {
  /// By ascending quality; imported files by ascending size.
  package let samples: [PointSample]
  package let curves: [Result<RateQualityCurve, CurveProblem>]

  package var peakMiB: Double? { samples.compactMap(\.peakMiB).max() }

  /// True if halving chroma alone causes more than half of the loss that the SSIMULACRA2 score `target` allows.
  func isBoundByChroma(at target: Double) -> Bool {
    samples.lazy.compactMap(\.chromaBound).first.map { 2 * (100 - $0) > 100 - target } ?? false
  }

  /// Whether the ends of the codec's scale were measured; there is nothing beyond them. Scales begin at 1 of 100 or
  /// lower.
  var ends: (lowest: Bool, highest: Bool) {
    let qualities = samples.compactMap(\.quality)
    // Imported files have no scale, and nothing more can be measured for them.
    guard let lowest = qualities.first, let highest = qualities.last else { return (true, true) }
    return (lowest.thousandths <= 10, highest.value >= 1)
  }

  package init(_ samples: [PointSample], metrics: [MetricTraits], bridgesGaps: Bool = false) {
    self.samples = samples.sorted { a, b in
      (a.quality?.thousandths ?? 0, a.quality == nil ? a.bytes : 0)
        < (b.quality?.thousandths ?? 0, b.quality == nil ? b.bytes : 0)
    }
    curves = metrics.indices.map { index in
      let points = samples.compactMap { sample in
        sample.scores[index].flatMap(metrics[index].curvePosition(of:)).map {
          RateQualityCurve.Point(
            score: $0, bytes: sample.bytes, quality: sample.quality?.value, cpu: sample.cpu)
        }
      }
      return Result { () throws(CurveProblem) in try RateQualityCurve(points, bridgesGaps: bridgesGaps) }
    }
  }

  /// Maps `band` of `headline` to the curve positions of `metric`; also returns the measured share of the band.
  package func band(
    _ band: ClosedRange<Double>, of headline: Int, as metric: Int, metrics: [MetricTraits]
  ) -> (range: ClosedRange<Double>, coverage: Double)? {
    var pairs: [(x: Double, y: Double)] = samples.compactMap { sample in
      guard let x = sample.scores[headline].flatMap(metrics[headline].curvePosition(of:)),
        let y = sample.scores[metric].flatMap(metrics[metric].curvePosition(of:))
      else { return nil }
      return (x, y)
    }
    pairs.sort { $0.x < $1.x }
    let ascending = pairs.indices.filter { $0 == 0 || pairs[$0].x > pairs[$0 - 1].x }
    guard let relation = PiecewiseCubic(x: ascending.map { pairs[$0].x }, y: ascending.map { pairs[$0].y })
    else { return nil }
    let measured = band.clamped(to: relation.domain)
    guard let lower = relation.value(at: measured.lowerBound),
      let upper = relation.value(at: measured.upperBound), lower < upper
    else { return nil }
    let width = band.upperBound - band.lowerBound
    return (lower...upper, width > 0 ? (measured.upperBound - measured.lowerBound) / width : 1)
  }
}

package typealias CurvePair = (candidate: VariantCurves, reference: VariantCurves)

/// Identifies a point among those of its image and variant: a quality, an imported file of unknown quality, or a way of
/// reading or cutting.
package enum PointPlace: Sendable, Hashable {
  case quality(Quality)
  case file(String)
  case way(String)

  package var quality: Quality? { if case .quality(let quality) = self { quality } else { nil } }
  package var file: String? { if case .file(let name) = self { name } else { nil } }
  package var way: String? { if case .way(let name) = self { name } else { nil } }
  var name: String? { file ?? way }

  package init?(quality: Quality?, file: String?) {
    if let quality {
      self = .quality(quality)
    } else if let file {
      self = .file(file)
    } else {
      return nil
    }
  }
}

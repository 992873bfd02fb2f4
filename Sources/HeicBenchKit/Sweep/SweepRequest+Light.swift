import CodecKit
import Codecs
import Metrics
import Model
import Pixels
import Workers

extension SweepRequest {
  /// The request as an HDR run, with HDR codecs and metrics in place of defaults.
  func inLight(_ light: HDRViewing) -> SweepRequest {
    var request = self
    request.light = light
    if MetricTraits.isUnspecific(request.metrics) { request.metrics = MetricTraits.hdr.map(\.id) }
    if request.codecs.isEmpty { request.codecs = HDRCodecs.usual }
    return request
  }

  /// The request as an HDR run with the light that the files state; throws if it asks for something that only SDR has.
  func asHDR(_ builds: TriedBuilds) throws -> SweepRequest {
    let request = inLight(HDRViewing(source: .file))
    try request.requireMetricsOfItsLight()
    let target = try request.searchedTarget()
    _ = try request.judgement.options(metrics: request.metricTraits(target), target: target)
    let builder = PlanBuilder(registry: .standard, builds: builds)
    try builder.requireDepth(of: builder.describe(request.codecs, isHDR: true))
    return request
  }

  /// Throws for a metric of the other kind, SDR or HDR.
  func requireMetricsOfItsLight() throws {
    let target = try searchedTarget()
    for metric in try metricTraits(target) {
      if light == nil, metric.isHDR {
        throw HeicBenchError(.usage, "\(metric.title) is defined only for HDR, which --light file measures")
      }
      if light != nil, MetricTraits.standard.contains(where: { $0.id == metric.id }) {
        let own = MetricTraits.hdr.map(\.id).joined(separator: ", ")
        throw HeicBenchError(
          .usage, "\(metric.title) is defined only for SDR; the metrics of an HDR run are \(own)")
      }
    }
  }
}

extension CorpusListing {
  /// True if all images whose headers can be read state HDR.
  var isHDR: Bool {
    let headers = entries.compactMap(\.header)
    return !headers.isEmpty && headers.allSatisfy { $0.hdr != nil }
  }

  /// The listing for an HDR run, in which HDR is not a problem.
  var withHDR: CorpusListing {
    var listing = self
    listing.entries = entries.map { entry in
      guard let points = entry.header?.hdr, entry.problem == CorpusReader.unmeasured(points) else {
        return entry
      }
      return CorpusEntry(
        identity: entry.identity, path: entry.path, fileBytes: entry.fileBytes, header: entry.header)
    }
    return listing
  }
}

public import ArgumentParser
public import HeicBenchKit

extension ReportFormat: ExpressibleByArgument {}

extension SweepRequest.Order: ExpressibleByArgument {}

extension ByteCount: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}
extension TilesRequest.Layout: ExpressibleByArgument {}

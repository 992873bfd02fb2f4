public import ArgumentParser
public import HeicBenchKit
public import Model

extension ReportFormat: ExpressibleByArgument {}

extension SweepRequest.Order: ExpressibleByArgument {}

extension InputPath: ExpressibleByArgument {
  /// Takes the bytes as given.
  public init(argument: String) { self.init(bytes: RawArguments.given.bytes(of: argument)) }
}

extension ByteCount: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}

extension Quality: ExpressibleByArgument {
  /// Parses a number from 0.0 to 1.0.
  public init?(argument: String) { self.init(argument) }
}

import Logging

/// The log for developers, on standard error with --verbose.
enum Diagnostics {
  /// Sets up the program's log. Called once, before the first logger is made.
  static func start(isVerbose: Bool) -> Logger {
    LoggingSystem.bootstrap(StreamLogHandler.standardError)
    var logger = Logger(label: "heicbench")
    logger.logLevel = isVerbose ? .debug : .error
    return logger
  }
}

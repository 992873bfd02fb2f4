import CHEIF

/// libheif as a whole. From 1.16 on, its encoders and decoders are plugins that are loaded when it is started,
/// and lists of them are empty before.
enum HEIFRuntime {
  /// Starts libheif, once in a process. Without plugins it has fewer encoders and decoders, which says itself.
  static func start() { _ = hasStarted }

  private static let hasStarted = heif_init(nil).code == heif_error_Ok
}

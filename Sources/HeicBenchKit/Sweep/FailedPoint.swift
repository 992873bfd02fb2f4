import Store

/// An image or a point that could not be measured.
public struct FailedPoint: Sendable, Hashable {
  /// The image's name.
  public let image: String
  /// The codec with its settings; nil if the image as a whole could not be used.
  public let codec: String?
  /// The quality; nil if the image as a whole or an imported file could not be used.
  public let quality: Double?
  /// A description of the failure.
  public let message: String
  /// The kind of failure, as `failures.csv` names it.
  public let kind: String

  /// `“a.png” with heic at 0.5: killed by SIGSEGV`.
  package var sentence: String {
    let with = codec.map { " with \($0)" } ?? ""
    return "“\(image)”\(with)\(quality.map { " at \($0)" } ?? ""): \(message)"
  }

  init(_ failure: StoredFailure) {
    image = failure.image.name
    codec = failure.key?.variant.name ?? failure.imported?.series
    quality = failure.key?.quality.value
    message = failure.failure.message
    kind = failure.failure.kind.rawValue
  }
}

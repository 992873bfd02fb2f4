package enum PixelError: Error, Sendable, Hashable, CustomStringConvertible {
  /// An embedded profile is unusable.
  case profile(String)
  /// An argument is out of its range, such as a downscaling factor of 0.
  case invalidArgument(String)

  package var description: String {
    switch self {
    case .profile(let text), .invalidArgument(let text): text
    }
  }
}

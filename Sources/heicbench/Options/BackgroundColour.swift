import ArgumentParser
import Model

/// The value of `--background`: `#rrggbb`, `rrggbb`, `white` or `black`.
struct BackgroundColour: ExpressibleByArgument, CustomStringConvertible, Equatable {
  /// Red, green and blue, 0 to 255.
  let components: [UInt8]

  static let white = BackgroundColour(components: [255, 255, 255])

  private init(components: [UInt8]) { self.components = components }

  init?(argument: String) {
    switch argument.lowercased() {
    case "white": self = .white
    case "black": self.init(components: [0, 0, 0])
    default:
      let digits = argument.hasPrefix("#") ? argument.dropFirst() : argument[...]
      guard digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16)
      else {
        return nil
      }
      self.init(components: [16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) })
    }
  }

  var description: String {
    self == .white ? "white" : "#" + components.map(\.hexadecimal).joined()
  }
}

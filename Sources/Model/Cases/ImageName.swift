/// Converts the bytes of a path to a unique name that is printable on one line.
///
/// File names are bytes, not text: they may contain newlines and invalid UTF-8. A backslash becomes `\\`; invalid
/// bytes and control or format characters (such as those of writing direction) become `\xNN`.
package enum ImageName {
  package static func printable(_ path: some Collection<UInt8>) -> String {
    if let text = String(validating: path, as: UTF8.self), !text.unicodeScalars.contains(where: needsEscape) {
      return text
    }
    var name = ""
    var decoder = UTF8()
    var bytes = Array(path).makeIterator()
    var consumed = bytes
    loop: while true {
      switch decoder.decode(&bytes) {
      case .scalarValue(let scalar):
        name += needsEscape(scalar) ? escape(scalar) : String(scalar)
        for _ in 0..<UTF8.width(scalar) { _ = consumed.next() }
      case .emptyInput: break loop
      case .error:
        // Takes one byte of the invalid sequence at a time, so that every byte appears in the name exactly once.
        if let byte = consumed.next() { name += "\\x" + byte.hexadecimal }
        bytes = consumed
        decoder = UTF8()
      }
    }
    return name
  }

  /// The inverse of `printable`; the bytes of the text itself if `printable` could not have produced it.
  package static func path(of name: String) -> [UInt8] {
    let bytes = Array(name.utf8)
    var path: [UInt8] = []
    var position = 0
    while position < bytes.count {
      let rest = bytes[position...]
      if rest.starts(with: #"\\"#.utf8) {
        path.append(UInt8(ascii: "\\"))
        position += 2
      } else if rest.count >= 4, rest.starts(with: #"\x"#.utf8),
        let byte = UInt8(String(decoding: rest.dropFirst(2).prefix(2), as: UTF8.self), radix: 16)
      {
        path.append(byte)
        position += 4
      } else {
        path.append(bytes[position])
        position += 1
      }
    }
    // A name with unneeded escapes, such as for the dots of `..`, is taken literally.
    return printable(path) == name ? path : bytes
  }

  private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\\" || PlainText.isSteering(scalar)
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    scalar == "\\" ? "\\\\" : UTF8.encode(scalar).map { $0.map { "\\x" + $0.hexadecimal }.joined() } ?? ""
  }
}

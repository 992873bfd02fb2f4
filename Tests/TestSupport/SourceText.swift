import Foundation

extension StringProtocol {
  /// Whether the text contains a word. Compares bytes, since tests that read all sources ask millions of times.
  package func holds(_ word: StaticString) -> Bool {
    var text = String(self)
    let count = word.utf8CodeUnitCount
    return text.withUTF8 { bytes in
      guard let start = bytes.baseAddress, bytes.count >= count else { return false }
      let end = start + bytes.count - count
      var place = start
      while let found = memchr(place, Int32(word.utf8Start.pointee), end - place + 1) {
        place = start + (UnsafeRawPointer(found) - UnsafeRawPointer(start))
        if memcmp(place, word.utf8Start, count) == 0 { return true }
        place += 1
        guard place <= end else { return false }
      }
      return false
    }
  }
}

/// Lines of Swift sources.
package enum SourceText {
  /// A line without its comment and surrounding spaces, with each quoted text replaced by a space.
  package static func code(_ line: Substring) -> String {
    let (quote, escape, slash, space) = (
      UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: " ")
    )
    var (code, isText): ([UInt8], Bool) = ([], false)
    let bytes = Array(line.utf8)
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      let next = position + 1 < bytes.count ? bytes[position + 1] : 0
      position += 1
      if byte == escape, next == quote {
        position += 1
      } else if byte == quote {
        if isText { code.append(space) }
        isText.toggle()
      } else if !isText {
        if byte == slash, next == slash { break }
        code.append(byte)
      }
    }
    let end = (code.lastIndex { $0 != space }).map { $0 + 1 } ?? 0
    return String(decoding: code[..<end].drop { $0 == space }, as: UTF8.self)
  }
}

package import Foundation

/// Opens files named by the user: links are followed, but a FIFO or device is an error instead of blocking.
package enum RegularFile {
  package struct Refusal: Error, Sendable, Hashable {
    package let reason: String
  }

  package static func open(_ path: String) throws(Refusal) -> FileHandle { try open(Array(path.utf8)) }

  /// Opens a regular file by the bytes of its path, which need not be valid text.
  package static func open(_ path: [UInt8]) throws(Refusal) -> FileHandle {
    let text = path.map(CChar.init(bitPattern:)) + [0]
    let descriptor = Foundation.open(text, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Refusal(reason: String(cString: strerror(errno))) }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Refusal(reason: "it is not a regular file")
    }
    return file
  }

  package static func contents(_ path: String, atMost limit: Int) throws(Refusal) -> Data {
    let file = try open(path)
    let data: Data
    do { data = try file.read(upToCount: limit + 1) ?? Data() } catch {
      throw Refusal(reason: "\(error.localizedDescription)")
    }
    guard data.count <= limit else { throw Refusal(reason: "it is longer than \(limit) bytes") }
    return data
  }
}

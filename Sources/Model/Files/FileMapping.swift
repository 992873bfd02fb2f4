#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file's bytes where the system brings them into memory as they are looked at, and takes them out once they are let go. A
/// process that looks at bytes which another one has cut off is ended by SIGBUS: a thing for workers alone.
package final class FileMapping {
  /// The bytes, as long as the object lives.
  package let bytes: UnsafeBufferPointer<UInt8>
  private let file: OpenFile
  private let status: FileStatus
  private let page = sysconf(Int32(_SC_PAGESIZE))
  private var kept = 0

  /// Maps a file that is not empty.
  package init(_ file: consuming OpenFile) throws(SystemError) {
    status = try file.status()
    bytes = try file.map(status.size)
    self.file = file
  }

  deinit { munmap(UnsafeMutableRawPointer(mutating: UnsafeRawPointer(bytes.baseAddress)), bytes.count) }

  /// Takes what is before an offset out of memory. It comes back where it is looked at again.
  package func letGo(before offset: Int) {
    let end = min(offset, bytes.count) / page * page
    guard end > kept, let base = bytes.baseAddress else { return }
    madvise(UnsafeMutableRawPointer(mutating: base + kept), end - kept, MADV_DONTNEED)
    kept = end
  }

  /// A copy of the first bytes, or of all where there are fewer.
  package func head(_ count: Int) -> [UInt8] { Array(bytes.prefix(count)) }

  /// Whether nobody wrote to the file since it was mapped, as far as the system tells.
  package var isUnchanged: Bool { (try? file.status()) == status }
}

extension OpenFile {
  /// Maps the first bytes; there is no mapping of none.
  fileprivate borrowing func map(_ count: Int) throws(SystemError) -> UnsafeBufferPointer<UInt8> {
    let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0)
    guard let start, start != MAP_FAILED else { throw .last }
    return UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: count)
  }
}

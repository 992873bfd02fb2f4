import Foundation

/// A memory-mapped file with pages that can be released after use. If another process truncates the file, access to the
/// lost bytes raises SIGBUS, so only workers should use mappings.
package final class FileMapping {
  /// Valid for the lifetime of the object.
  package let bytes: UnsafeBufferPointer<UInt8>
  private let file: OpenFile
  private let status: FileStatus
  private let page = sysconf(Int32(_SC_PAGESIZE))
  private var kept = 0

  /// Maps a file, which must not be empty.
  package init(_ file: consuming OpenFile) throws(SystemError) {
    status = try file.status()
    bytes = try file.map(status.size)
    self.file = file
  }

  deinit { munmap(UnsafeMutableRawPointer(mutating: UnsafeRawPointer(bytes.baseAddress)), bytes.count) }

  /// Releases the pages before an offset; an access loads them again.
  package func letGo(before offset: Int) {
    let end = min(offset, bytes.count) / page * page
    guard end > kept, let base = bytes.baseAddress else { return }
    madvise(UnsafeMutableRawPointer(mutating: base + kept), end - kept, MADV_DONTNEED)
    kept = end
  }

  package func head(_ count: Int) -> [UInt8] { Array(bytes.prefix(count)) }

  /// True if size, times and identity are the same as at the time of mapping.
  package var isUnchanged: Bool { (try? file.status()) == status }
}

extension OpenFile {
  fileprivate borrowing func map(_ count: Int) throws(SystemError) -> UnsafeBufferPointer<UInt8> {
    let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0)
    guard let start, start != MAP_FAILED else { throw .last }
    return UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: count)
  }
}

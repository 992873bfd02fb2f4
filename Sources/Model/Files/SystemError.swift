#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A failed system call, by its `errno`.
package struct SystemError: Error, Hashable, CustomStringConvertible {
  /// The value of `errno`.
  package let code: Int32

  /// The error of a number.
  package init(code: Int32) { self.code = code }

  /// The error that the last call of this thread left.
  package static var last: SystemError { SystemError(code: errno) }

  package static let missing = SystemError(code: ENOENT)
  package static let notAFolder = SystemError(code: ENOTDIR)
  package static let linkLoop = SystemError(code: ELOOP)
  package static let interrupted = SystemError(code: EINTR)
  package static let nameTooLong = SystemError(code: ENAMETOOLONG)

  /// The system's own words, such as `Permission denied`.
  package var description: String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }
}

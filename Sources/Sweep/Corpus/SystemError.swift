#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A failed system call, by its `errno`.
struct SystemError: Error, Hashable, CustomStringConvertible {
  /// The value of `errno`.
  let code: Int32

  /// The error that the last call of this thread left.
  static var last: SystemError { SystemError(code: errno) }

  static let missing = SystemError(code: ENOENT)
  static let notAFolder = SystemError(code: ENOTDIR)
  static let linkLoop = SystemError(code: ELOOP)
  static let interrupted = SystemError(code: EINTR)
  static let nameTooLong = SystemError(code: ENAMETOOLONG)

  /// The system's own words, such as `Permission denied`.
  var description: String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }
}

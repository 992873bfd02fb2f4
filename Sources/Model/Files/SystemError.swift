import Foundation

package struct SystemError: Error, Hashable, CustomStringConvertible {
  package let code: Int32

  package init(code: Int32) { self.code = code }

  package static var last: SystemError { SystemError(code: errno) }

  package static let missing = SystemError(code: ENOENT)
  package static let notAFolder = SystemError(code: ENOTDIR)
  package static let linkLoop = SystemError(code: ELOOP)
  package static let interrupted = SystemError(code: EINTR)
  static let nameTooLong = SystemError(code: ENAMETOOLONG)

  package var description: String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }
}

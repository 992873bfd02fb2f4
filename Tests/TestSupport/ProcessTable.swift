package import Foundation

/// The processes of the machine, as `/proc` shows them.
package enum ProcessTable {
  /// The processes that run this program file and have not ended.
  package static func running(_ program: String) -> [pid_t] {
    let numbers =
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { pid_t($0) } ?? []
    return numbers.filter { number in
      let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(number)/exe")
      return link == program
    }
  }

  /// The processes with this text in their words.
  package static func mentioning(_ text: String) -> [pid_t] {
    let numbers =
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { pid_t($0) } ?? []
    return numbers.filter { number in
      FileManager.default.contents(atPath: "/proc/\(number)/cmdline")?.range(of: Data(text.utf8)) != nil
    }
  }

  /// Waits until `isTrue`, at most so many seconds. Returns whether it became true.
  package static func wait(_ seconds: Double, until isTrue: () -> Bool) -> Bool {
    let end = Date(timeIntervalSinceNow: seconds)
    while !isTrue() {
      if Date() > end { return false }
      usleep(5000)
    }
    return true
  }

  /// Starts a program by its words, with no signal blocked: threads of a dispatch queue block most of them, and
  /// what they start would too.
  package static func start(_ words: [String]) throws -> pid_t {
    var arguments = words.map { strdup($0) } + [nil]
    defer { for word in arguments { free(word) } }
    var process: pid_t = 0
    var attributes = posix_spawnattr_t()
    var mask = sigset_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    sigemptyset(&mask)
    posix_spawnattr_setsigmask(&attributes, &mask)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let error = posix_spawn(&process, words[0], nil, &attributes, &arguments, environ)
    guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EIO) }
    return process
  }
}

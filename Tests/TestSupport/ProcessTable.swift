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

  /// The processes with this text in their command lines.
  package static func mentioning(_ text: String) -> [pid_t] {
    let numbers =
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { pid_t($0) } ?? []
    return numbers.filter { number in
      FileManager.default.contents(atPath: "/proc/\(number)/cmdline")?.range(of: Data(text.utf8)) != nil
    }
  }

  /// Waits until a condition is true, and returns whether it became true. The limit of two minutes counts the checks
  /// instead of using the clock, so that it does not expire while a busy machine runs nothing.
  package static func wait(until isTrue: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<6000 {
      if try isTrue() { return true }
      usleep(20_000)
    }
    return false
  }

  /// Starts a program with no signal blocked. Threads of a dispatch queue block most signals, and the programs that
  /// they start would too.
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

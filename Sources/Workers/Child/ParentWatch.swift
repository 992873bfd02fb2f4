import Foundation

/// Ends a worker whose run has ended, even in the middle of an encode. The Linux kernel does so too
/// (`PR_SET_PDEATHSIG`); this works everywhere, and for workers that the run's own thread did not start.
enum ParentWatch {
  /// Watches the other end of a socket on a separate thread. Ignores pipes and files, whose writers may leave before
  /// their requests have been answered.
  static func start(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
    // Without a thread, the kernel's own mechanism must do.
    try? PlainThread.start(stackSize: 1 << 16) {
      while true {
        // No events: a hang-up is always reported.
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        if poll(&entry, 1, -1) > 0 { _exit(EX_OK) }
      }
    }
  }
}

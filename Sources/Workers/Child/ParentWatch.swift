import Foundation

/// Ends a worker whose run has ended, even in the middle of an encode.
///
/// On Linux the kernel does so too (`PR_SET_PDEATHSIG`); this holds everywhere, and also where someone else
/// than the run's own thread started the worker.
enum ParentWatch {
  /// Watches the other end of a socket from a thread of its own. Does nothing for pipes and files, whose
  /// writers may leave before their requests have been answered.
  static func start(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
    // Where there is no thread to be had, the kernel's own way has to do.
    try? PlainThread.start(stackSize: 1 << 16) {
      while true {
        // No events: a hang-up is always reported.
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        if poll(&entry, 1, -1) > 0 { _exit(EX_OK) }
      }
    }
  }
}

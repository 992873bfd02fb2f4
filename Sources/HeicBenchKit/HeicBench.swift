import Codecs
@_exported public import Model
import Sweep
import Synchronization
import Workers

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The benchmark as a whole.
public enum HeicBench {
  /// The version that results name.
  public static let version = "0.2.0"

  /// Serves as a worker and never returns, if that is what this process was started for; returns at once if not.
  ///
  /// Codecs run in processes of their own, which are this program once more unless `WorkerSettings.program` names
  /// another. So a program that measures calls this before it does anything else.
  public static func serveIfWorker() {
    guard CommandLine.arguments == WorkerLaunch.commandLine else {
      isReady.withLock { $0 = true }
      return
    }
    exit(WorkerMain.run(registry: .standard))
  }

  /// Has `tell` told, once, when workers begin that are not sandboxed, in a sentence without a full stop.
  package static func onMissingSandbox(_ tell: @escaping @Sendable (String) -> Void) {
    SandboxNotice.tell(tell)
  }

  /// Whether another process of this program would serve as a worker.
  static var servesAsWorker: Bool { isReady.withLock { $0 } }

  private static let isReady = Mutex(false)
}

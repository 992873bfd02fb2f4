public import CodecKit
import Codecs
@_exported public import Model
import Synchronization
package import Workers

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The benchmark's version and its entry point for workers.
public enum HeicBench {
  /// The version recorded in results.
  public static let version = "0.2.0"

  /// Serves as a worker and never returns if this process was started as one; otherwise returns at once.
  ///
  /// Codecs run in separate processes of this program, unless `WorkerSettings.program` names another. A program that
  /// measures must call this before anything else.
  /// - Parameter codecs: Your own codecs, measured like all others under their traits' `id`. A codec with a built-in
  ///   codec's name replaces it. ``CodecKit/CodecContract`` tests what each codec must guarantee.
  public static func serveIfWorker(codecs: [any ImageCodec] = []) {
    CodecRegistry.add(codecs)
    serveIfWorker(answering: Questions.all)
  }

  package static func serveIfWorker(answering questions: [any Question.Type]) {
    guard CommandLine.arguments == WorkerProcess.commandLine else {
      // Only workers of a build have one.
      unsetenv("LIBAVIF_FOLDER")
      isReady.withLock { $0 = true }
      return
    }
    exit(WorkerMain.run(registry: .standard, questions: questions))
  }

  /// Registers `tell`, which is called once if workers start without a sandbox, with a sentence without its full stop.
  package static func onMissingSandbox(_ tell: @escaping @Sendable (String) -> Void) {
    SandboxNotice.tell(tell)
  }

  static var servesAsWorker: Bool { isReady.withLock { $0 } }

  private static let isReady = Mutex(false)
}

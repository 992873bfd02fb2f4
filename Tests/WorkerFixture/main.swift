import Foundation
import Sweep
import TestSupport
import Workers

// The program that tests of the runner start as a worker: `heicbench worker` with a codec that misbehaves on
// demand. With `parent FILE` it is a run itself, at a point that takes a minute, for a test to kill.
if CommandLine.arguments.dropFirst().first == "parent", let file = CommandLine.arguments.last {
  exit(try SlowRun.run(over: file))
}
exit(WorkerMain.run(registry: .scripted))

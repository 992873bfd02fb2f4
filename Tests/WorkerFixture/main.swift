import Foundation
import Sweep
import TestSupport

// The program that tests of the runner start as a worker: `heicbench worker` with a codec that misbehaves on
// demand.
exit(WorkerMain.run(registry: .scripted))

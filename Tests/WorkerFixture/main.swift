import CEscape
import CodecKit
import Codecs
import Foundation
import HeicBenchKit
import TestSupport
import View
import Workers

// The program that tests of the runner start as a worker: `heicbench worker` with a codec that misbehaves on demand.
// With `parent FILE [VARIANT]`, it is a run itself and prints what fails: a run at a point that takes a minute, for a
// test to kill, or a run at one point of a variant. With `unsandboxed PROGRAM …`, it becomes another program on a
// kernel that seems to have no sandboxes.
let words = Array(CommandLine.arguments.dropFirst())
if words.first == "parent", words.count > 1 {
  exit(try ScriptedRun.run(over: words[1], variant: words.dropFirst(2).first))
}
if words.first == "unsandboxed", words.count > 1 {
  guard hb_lose_sandboxes() == 0 else { exit(EX_OSERR) }
  execv(words[1], words.dropFirst().map { strdup($0) } + [nil])
  exit(EX_NOINPUT)
}
// Intact images of ordinary formats, and their codecs, are available beside the scripted ones.
let (scripted, standard) = (CodecRegistry.scripted, CodecRegistry.standard)
let registry = CodecRegistry(
  codecs: scripted.codecs + standard.codecs, readers: scripted.readers + standard.readers,
  writer: scripted.writer)
exit(WorkerMain.run(registry: registry, questions: Questions.all + ViewQuestions.all))

import ArgumentParser
import HeicBenchKit

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check this installation: codecs, libraries and the sandbox.",
    discussion: """
      Lists for each format whether heicbench can encode and read it, with the libraries and versions, and what to \
      install if something is missing. The exit code is then 3.

        heicbench doctor
      """)

  func run() throws {
    let found = try InstallationCheck.run()
    StandardOutput.tell(found.text(width: StandardOutput.width))
    if !found.isComplete { throw ExitCode(ExitStatus.someFailed.rawValue) }
  }
}

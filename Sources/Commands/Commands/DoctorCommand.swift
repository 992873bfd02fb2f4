import ArgumentParser
import HeicBenchKit

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check this installation: codecs, libraries and the sandbox.",
    discussion: """
      Lists for each format whether heicbench can encode and read it, with the libraries and versions. If something \
      is missing, it says what to install, and the exit code is 3.

        heicbench doctor
      """)

  func run() throws {
    let found = try InstallationCheck.run()
    StandardOutput.tell(found.text(width: StandardOutput.width))
    if !found.isComplete { throw ExitCode(ExitStatus.someFailed.rawValue) }
  }
}

import ArgumentParser

/// The command-line program.
@main
struct HeicBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "heicbench", abstract: "Is HEIC worth it over JPEG, for these images?")
}

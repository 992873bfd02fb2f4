import ArgumentParser
import Model

struct LibraryOptions: ParsableArguments {
  @Option(
    "Another build of the libraries: a name and its folder, for CODEC@NAME (and for files "
      + "that the command reads as they are); repeatable.", value: "name=folder", name: .customLong("build"),
    completion: .directory)
  var builds: [LibraryBuild] = []
}

struct BuildOptions: ParsableArguments {
  enum Decoder: String, CaseIterable, ExpressibleByArgument {
    case system, own
  }

  @OptionGroup var libraries: LibraryOptions
  var builds: [LibraryBuild] { libraries.builds }

  @Option(
    "The decoder for scoring a build's files: the system's, which is the same for all encoders, or the build's own.",
    value: "decoder")
  var decoder = Decoder.system
}

extension LibraryBuild: ParsedValue {
  /// Parses `NAME=FOLDER`, or `NAME=system` for the system's own libraries; a folder of that name is `./system`.
  init(parsing text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty else { throw ValidationError("Write --build NAME=FOLDER.") }
    guard LibraryBuild.isName(parts[0]) else {
      throw ValidationError(
        "A build’s name consists of letters, digits, dots, dashes and underscores, and begins with a letter or digit."
      )
    }
    self =
      parts[1] == LibraryBuild.system
      ? .system(name: String(parts[0])) : LibraryBuild(name: String(parts[0]), folder: String(parts[1]))
  }
}

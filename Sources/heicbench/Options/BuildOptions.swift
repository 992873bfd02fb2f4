import ArgumentParser
import Foundation
import Model

/// Which libraries codecs can run with.
struct LibraryOptions: ParsableArguments {
  @Option(
    name: .customLong("build"),
    help: ArgumentHelp(
      "Another build of the libraries: a name and the folder that they are in, for CODEC@NAME (and for files as they "
        + "are, where those are read); repeat it for several.", valueName: "name=folder"),
    completion: .directory, transform: { try LibraryBuild(parsing: $0) })
  var builds: [LibraryBuild] = []
}

/// Which libraries codecs run with, and through which their files are scored.
struct BuildOptions: ParsableArguments {
  /// Whose decoder the files of a build are scored through.
  enum Decoder: String, CaseIterable, ExpressibleByArgument {
    case system, own
  }

  @OptionGroup var libraries: LibraryOptions
  /// The builds that were named, in the order given.
  var builds: [LibraryBuild] { libraries.builds }

  @Option(
    help: ArgumentHelp(
      "Score the files of a build through the system's decoder, the same for all encoders, or through the build's "
        + "own.", valueName: "decoder"))
  var decoder = Decoder.system
}

extension LibraryBuild {
  /// What stands in the place of a folder for the system's own libraries; a folder of that name is `./system`.
  private static let systemsOwn = "system"

  /// Reads `NAME=FOLDER`, or `NAME=system`.
  init(parsing text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty else { throw ValidationError("Write --build NAME=FOLDER.") }
    guard LibraryBuild.isName(parts[0]) else {
      throw ValidationError(
        "A build’s name is made of letters, digits, dots, dashes and underscores, a letter or digit first.")
    }
    self =
      parts[1] == Self.systemsOwn
      ? .system(name: String(parts[0])) : LibraryBuild(name: String(parts[0]), folder: String(parts[1]))
  }
}

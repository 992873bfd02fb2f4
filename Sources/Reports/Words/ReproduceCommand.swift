import Foundation
package import Model
import Store

/// The command line that measures a part of a run again: the same pixels, within the same limits.
package enum ReproduceCommand {
  /// The command for one point, or for an image that cannot be used at all.
  ///
  /// The run's other variants are named too: alpha and depth are prepared for what all of them can carry.
  ///
  /// - Parameters:
  ///   - image: The image's name in the run.
  ///   - variant: The point's variant; nil for the image as a whole.
  ///   - quality: The point's quality; nil for the image as a whole.
  ///   - variants: The run's variants.
  ///   - manifest: The run's manifest; nil where only a measurements.csv is known.
  package static func line(
    image: String, variant: CodecVariant?, quality: Quality?, variants: [CodecVariant],
    manifest: RunManifest?
  ) -> String {
    var words = ["heicbench", ShellWord.path(path(of: image, roots: manifest?.roots ?? []))]
    if let variant, let quality {
      // In the run's order, since the first is what the others are compared with.
      let named = variants.contains(variant) ? variants : variants + [variant]
      words += named.flatMap { ["--codec", $0.name] }
      words += ["--qualities", quality.description]
    }
    words += options(in: manifest?.command ?? []) + ["--fresh", "--output", "reproduced"]
    return words.map(ShellWord.quoted).joined(separator: " ")
  }

  /// The command that holds an imported file against its original.
  package static func line(image: String, series: String, file: String, manifest: RunManifest) -> String {
    let folder = manifest.imports?.first { $0.name == series }?.folder ?? series
    let words = ["heicbench", "score", path(of: image, roots: manifest.roots), joined(folder, file)]
    return words.map(ShellWord.quoted).joined(separator: " ")
  }

  /// Options of the run that change the pixels or the limits: a hang that was cut short takes as long as it likes
  /// without them, and what is over a limit is so no more.
  private static let kept: Set<String> = [
    "--background", "--build", "--decoder", "--downscale", "--max-pixels", "--memory-per-job",
    "--metric-command", "--metrics",
    "--repeat", "--timeout",
  ]

  /// Those options with their values, as they were given: `--timeout 5` or `--timeout=5`.
  static func options(in command: [String]) -> [String] {
    var words: [String] = []
    for (index, word) in command.enumerated() {
      let name = word.split(separator: "=", maxSplits: 1).first.map(String.init) ?? word
      guard kept.contains(name) else { continue }
      words.append(word)
      if name == word, index + 1 < command.count { words.append(command[index + 1]) }
    }
    return words
  }

  /// The image's file as far as it can be found from its name and the run's roots.
  static func path(of name: String, roots: [String]) -> String {
    let roots = roots.filter { !$0.hasPrefix(ShellWord.listMark) }
    let parts = name.split(separator: "/")
    // A root is a file itself, holds the name, or holds what follows the root's own name in it.
    let candidates = roots.flatMap { root in
      [root] + parts.indices.map { joined(root, parts[$0...].joined(separator: "/")) }
    }
    let found = candidates.first { candidate in
      var isFolder: ObjCBool = false
      return candidate.hasSuffix(parts.last.map(String.init) ?? name)
        && FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder) && !isFolder.boolValue
    }
    if let found { return found }
    // Measured elsewhere: with several roots nobody can tell which one it was below.
    guard roots.count == 1, let root = roots.first else { return name }
    return root == name || root.hasSuffix("/" + name) ? root : joined(root, name)
  }

  private static func joined(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }
}

package import Model
import Store

/// The command line that measures a part of a run again: the same pixels, within the same limits.
package enum ReproduceCommand {
  /// The command for one point, or, without `variant` and `quality`, for an image that cannot be used at all.
  ///
  /// The command names the run's other variants too, because alpha and depth are prepared for what all variants can
  /// store. `manifest` is nil if only a measurements.csv is known.
  package static func line(
    image: String, variant: CodecVariant?, quality: Quality?, variants: [CodecVariant],
    manifest: RunManifest?
  ) -> String {
    let image = ShellWord.path(path(of: image, roots: manifest?.roots ?? []))
    var words: [String] = []
    if let variant, let quality {
      // Kept in the run's order, because the first is the reference of the others.
      let named = variants.contains(variant) ? variants : variants + [variant]
      words += named.flatMap { ["--codec", $0.name] }
      words += ["--qualities", quality.description]
    }
    words += options(in: manifest?.command ?? []) + ["--fresh", "--output", "reproduced"]
    let quoted = ["heicbench", ShellWord.quotedPath(image)] + words.map(ShellWord.quoted)
    return quoted.joined(separator: " ")
  }

  package static func line(image: String, series: String, file: String, manifest: RunManifest) -> String {
    let folder = manifest.imports?.first { $0.name == series }?.folder ?? series
    let paths = [path(of: image, roots: manifest.roots), joined(folder, file)].map(ShellWord.path)
    return (["heicbench", "score"] + paths.map(ShellWord.quotedPath)).joined(separator: " ")
  }

  /// Options that change the pixels, or the limits that a hang or excessive memory use exceeded.
  private static let kept: Set<String> = [
    "--background", "--build", "--decoder", "--downscale", "--light", "--max-pixels", "--memory-per-job",
    "--metric-command", "--metrics", "--repeat", "--timeout",
  ]

  /// Options that choose among the images of a folder.
  package static let choosing: Set<String> = ["--exclude", "--limit", "--sample", "--seed"]

  /// Those options with their values as given, `--timeout 5` or `--timeout=5`, and `others`.
  package static func options(in command: [String], and others: Set<String> = []) -> [String] {
    var words: [String] = []
    for (index, word) in command.enumerated() {
      let name = word.split(separator: "=", maxSplits: 1).first.map(String.init) ?? word
      guard kept.contains(name) || others.contains(name) else { continue }
      words.append(word)
      if name == word, index + 1 < command.count { words.append(command[index + 1]) }
    }
    return words
  }

  static func path(of name: String, roots: [String]) -> String {
    let roots = roots.filter { !$0.hasPrefix(ShellWord.listMark) }
    let parts = name.split(separator: "/")
    // A root is the file itself, contains the name, or contains the part of the name after the root's own name.
    let candidates = roots.flatMap { root in
      [root] + parts.indices.map { joined(root, parts[$0...].joined(separator: "/")) }
    }
    let found = candidates.first { candidate in
      // Names and roots are stored as printed, with escapes.
      let path = ImageName.path(of: candidate)
      return candidate.hasSuffix(parts.last.map(String.init) ?? name) && !path.contains(0)
        && (try? FileSystem.status(of: path))?.kind == .file
    }
    if let found { return found }
    // The run was measured elsewhere, so the right one of several roots is unknown.
    guard roots.count == 1, let root = roots.first else { return name }
    return root == name || root.hasSuffix("/" + name) ? root : joined(root, name)
  }

  private static func joined(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }
}

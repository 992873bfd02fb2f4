internal import BenchModel

/// The command line that measures one point again.
enum ReproduceCommand {
  /// The command for the worst point of a report, or nil where it has none.
  static func line(_ report: GateReport, manifest: RunManifest?) -> String? {
    let points = report.regressions.filter { $0.image != nil && $0.quality != nil } + report.worstPoints
    guard let worst = points.first, let image = worst.image, let variant = worst.variant,
      let quality = worst.quality
    else { return nil }
    return [
      "heicbench", quoted(path(image, roots: manifest?.roots ?? [])), "--codec", quoted(variant.name),
      "--qualities", quality.description, "--fresh", "--output", "reproduced",
    ].joined(separator: " ")
  }

  /// The image below its root; with several roots nobody can tell which one it is below.
  private static func path(_ image: String, roots: [String]) -> String {
    guard roots.count == 1, let root = roots.first else { return image }
    if root == image || root.hasSuffix("/" + image) { return root }
    return root.hasSuffix("/") ? root + image : root + "/" + image
  }

  /// A word as a POSIX shell takes it.
  private static func quoted(_ word: String) -> String {
    let plain = word.unicodeScalars.allSatisfy { scalar in
      ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
        || "_-./:=,@%+".unicodeScalars.contains(scalar)
    }
    return plain && !word.isEmpty
      ? word
      : "'"
        + word.split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: #"'\''"#) + "'"
  }
}

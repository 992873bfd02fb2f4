import Analysis
package import Model
import Reports
import Store

/// Command lines that continue from a recommendation, with the run's own images, pixels and limits.
package enum RecommendationCommand {
  /// The sweep that encodes with a setting and keeps the files, in a folder of its own so that it does not replace the
  /// run; nil for a build of the libraries, and without the run's images.
  package static func encoding(_ found: Recommendation, _ manifest: RunManifest) -> String? {
    guard found.variant.build == nil else { return nil }
    return line(
      [found.variant], [found.quality], manifest, ["--keep-encoded", "encoded", "--output", "encoded"])
  }

  /// The sweep that measures the interpolated qualities and adds them to `folder`.
  package static func measuring(
    _ found: [Recommendation], variants: [CodecVariant], _ manifest: RunManifest, into folder: String
  ) -> String? {
    let imported = Set((manifest.imports ?? []).map(\.name))
    let variants = variants.filter { !imported.contains($0.codec) }
    let qualities = Set(
      found.compactMap { $0.interpolated.flatMap { Quality(thousandths: Int(($0 * 1000).rounded())) } })
    guard !qualities.isEmpty, variants.allSatisfy({ $0.build == nil }) else { return nil }
    return line(variants, qualities.sorted(), manifest, ["--output", folder])
  }

  /// The sweep that measures the points needed for figures at a score and adds them to `folder`; nil for a search, for
  /// builds of the libraries, and without the run's images.
  package static func measuring(
    at score: Double, variants: [CodecVariant], _ manifest: RunManifest, into folder: String
  ) -> String? {
    let imported = Set((manifest.imports ?? []).map(\.name))
    let variants = variants.filter { !imported.contains($0.codec) }
    guard manifest.target == nil, !manifest.qualities.isEmpty, variants.allSatisfy({ $0.build == nil })
    else { return nil }
    return line(
      variants, manifest.qualities, manifest, ["--at", Numerals.short(score), "--output", folder])
  }

  private static func line(
    _ variants: [CodecVariant], _ qualities: [Quality], _ manifest: RunManifest, _ rest: [String]
  ) -> String? {
    guard !manifest.roots.isEmpty else { return nil }
    var words = ["heicbench"] + ShellWord.arguments(ofRoots: manifest.roots)
    words += variants.flatMap { ["--codec", $0.name] }
    words += ["--qualities", qualities.map(\.description).joined(separator: ",")]
    return (words + ReproduceCommand.options(in: manifest.command) + rest).map(ShellWord.quoted)
      .joined(separator: " ")
  }
}

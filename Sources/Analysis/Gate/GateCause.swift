internal import Model
import Store

/// What the findings of a gate come from, as far as the circumstances tell.
struct GateCause {
  let report: GateReport
  let inventory: GateInventory
  /// Names of variants that only one side has.
  let gone: [String]
  let added: [String]
  let knowsLibraries: Bool
  let manifests: (before: RunManifest?, after: RunManifest?)

  /// The causes in a sentence; nil where nothing was found.
  var sentence: String? {
    let causes = absences + figures
    guard !causes.isEmpty else { return nil }
    return causes.joined(separator: "; ") + "."
  }

  private func has(_ isWanted: (GateFinding.Quantity) -> Bool) -> Bool {
    report.regressions.contains { isWanted($0.quantity) }
  }

  private var absences: [String] {
    var causes: [String] = []
    if let unfinished = report.unfinished {
      causes.append("the run was cut off (\(unfinished)): the same command again measures the rest")
    }
    if inventory.changedImages.count > 0 {
      let isPrepared = inventory.replacements.allSatisfy { $0.what.hasPrefix("prepared size") }
      causes.append(
        isPrepared
          ? "the images were prepared to another size than the baseline's, as with --downscale"
          : "images that are not the baseline's: \(inventory.changedImages.phrase)")
    }
    if has({ $0 == .vanished }) {
      if inventory.goneImages.count > 0 {
        causes.append("images that are gone: \(inventory.goneImages.phrase)")
      }
      if !gone.isEmpty {
        let new = added.isEmpty ? "" : ", and \(added.joined(separator: ", ")) instead"
        causes.append("settings: no \(gone.joined(separator: ", ")) any more\(new)")
      }
      if !inventory.goneQualities.isEmpty { causes.append("qualities left out: \(inventory.goneQualities)") }
    }
    if has({ if case .missing = $0 { true } else { false } }) {
      causes.append("scores that were not measured: see --metrics and --metric-command")
    }
    if has({ $0 == .failure }) {
      causes.append("points or images that fail: “heicbench failures” lists them")
    }
    return causes
  }

  /// Why figures differ. Images that changed are in none of them.
  private var figures: [String] {
    guard (report.regressions + report.improvements).contains(where: \.isFigure) else { return [] }
    if report.usesWiderTolerance { return ["other library versions than the baseline's"] }
    if let before = manifests.before, let after = manifests.after, before.preparation != after.preparation {
      return ["images were prepared otherwise than the baseline's"]
    }
    if let before = manifests.before, let after = manifests.after, before.version != after.version {
      return ["another version of heicbench than the baseline's"]
    }
    return [
      knowsLibraries
        ? "the encoder or the scores: images, settings and recorded library versions are the baseline's"
        : "not known: the baseline or the run does not record library versions"
    ]
  }
}

import Analysis
import Model
import Store

struct RunChange: Equatable {
  /// The subject, for a table: `libraries of heic`, `preparation`, `source bytes of kodim01.png`.
  let what: String
  var before = "–"
  var after = "–"
}

extension GateWording {
  private var circumstances: GateCircumstances { report.circumstances }
  private var inventory: GateInventory { report.inventory }

  /// Images come first: figures of different images say nothing about an encoder.
  var changes: [RunChange] {
    var changes = inventory.replacements.map {
      RunChange(
        what: "\($0.isResized ? "prepared size" : "source bytes") of \($0.image)", before: $0.before,
        after: $0.after)
    }
    let further = inventory.changedImages.count - changes.count
    if further > 0 {
      changes.append(RunChange(what: "\(Numerals.counted(further, "more image")) with changed sources"))
    }
    func add(_ what: String, _ gone: String, _ new: String) {
      if gone.isEmpty, new.isEmpty { return }
      changes.append(
        RunChange(what: what, before: gone.isEmpty ? "–" : gone, after: new.isEmpty ? "–" : new))
    }
    add("missing images", inventory.goneImages.phrase, "")
    add("new images", "", inventory.newImages.phrase)
    // If both manifests exist, they list the qualities.
    if circumstances.manifests.before == nil || circumstances.manifests.after == nil {
      add(
        "qualities on one side only", inventory.goneQualities.spelling, inventory.newQualities.spelling)
    }
    changes += circumstances.settings.map {
      RunChange(what: "settings of \($0.after.codec)", before: $0.before.name, after: $0.after.name)
    }
    changes += circumstances.libraries.map {
      RunChange(what: "libraries of \($0.variant.name)", before: $0.before, after: $0.after)
    }
    add("codecs on one side only", circumstances.gone.spelling, circumstances.added.spelling)
    return changes + manifestChanges
  }

  /// The differences between two manifests that affect figures. Library versions come from the rows.
  private var manifestChanges: [RunChange] {
    guard let before = circumstances.manifests.before, let after = circumstances.manifests.after else {
      return []
    }
    let fields: [(name: String, value: (RunManifest) -> String)] = [
      ("heicbench", \.version), ("preparation", \.preparation.canonicalSpelling),
      ("qualities", { $0.target ?? QualityList($0.qualities).description }), ("host", \.machine.host),
      ("processor", \.machine.processor), ("system", \.machine.system), ("cores", { "\($0.machine.cores)" }),
      ("jobs", { "\($0.jobs)" }), ("threads", \.threadsByCodec), ("repeats", { "\($0.repeats)" }),
    ]
    return fields.map { RunChange(what: $0.name, before: $0.value(before), after: $0.value(after)) }
      .filter { $0.before != $0.after }
  }

  /// The causes of missing points, then of differing figures; nil without findings. Changed images contribute to no
  /// figure.
  var cause: String? {
    let hasFigures = (report.regressions + report.improvements).contains {
      $0.quantity.traits.scope != .absence
    }
    let causes = absences + (hasFigures ? [causeOfFigures] : [])
    return causes.isEmpty ? nil : causes.joined(separator: "; ") + "."
  }

  private var absences: [String] {
    var causes: [String] = []
    if let progress = report.unfinished?.phrase {
      causes.append("the run is \(progress) (run the same command again for the rest)")
    }
    if let shards = report.missingShards {
      causes.append("\(shards.phrase): measure the rest, and join all shards with “heicbench merge”")
    }
    if inventory.changedImages.count > 0 {
      causes.append(
        inventory.replacements.allSatisfy(\.isResized)
          ? "the images differ in size from the baseline's, as with --downscale"
          : "images differ from the baseline's: \(inventory.changedImages.phrase)")
    }
    if has({ $0.quantity == .vanished }) {
      if inventory.goneImages.count > 0 {
        causes.append("missing images: \(inventory.goneImages.phrase)")
      }
      if !circumstances.gone.isEmpty { causes.append(settings) }
      let qualities = inventory.goneQualities
      if !qualities.isEmpty { causes.append("missing qualities: \(qualities.spelling)") }
    }
    // Only points distinguish missing scores from thresholds without figures.
    if has({ $0.quantity.isMissing && (report.subject == .points || !$0.isUnguarded) }) {
      causes.append("missing scores: see --metrics and --metric-command")
    }
    if has({ $0.quantity == .failure }) {
      causes.append("failures: run “heicbench report --failures” to list them")
    }
    return causes
  }

  private func has(_ isWanted: (GateFinding) -> Bool) -> Bool { report.regressions.contains(where: isWanted) }

  /// The missing variants, their replacements, and the cost of these.
  private var settings: String {
    let added = circumstances.added.isEmpty ? "" : ", and \(circumstances.added.spelling) instead"
    let costs = report.replacements.map(\.replacementPhrase).joined(separator: "; ")
    return "settings changed: \(circumstances.gone.spelling) is missing\(added)"
      + (costs.isEmpty ? "" : " (\(costs))")
  }

  private var causeOfFigures: String {
    if report.usesWiderTolerance { return "library versions differ from the baseline's" }
    if let before = circumstances.manifests.before, let after = circumstances.manifests.after {
      if before.preparation != after.preparation {
        return "the images were prepared differently from the baseline's"
      }
      if before.version != after.version { return "the baseline is from another version of heicbench" }
    }
    return circumstances.knowsLibraries
      ? "the encoder or the scores: images, settings and recorded library versions have not changed"
      : "unknown, because the baseline or the run does not record library versions"
  }

  /// Remarks that fail nothing, one sentence each: points that appeared, times that could not be compared.
  var remarks: [String] {
    let other = report.isComparison ? "the first run" : "the baseline"
    var remarks: [String] = []
    func add(_ isTrue: Bool, _ sentence: @autoclosure () -> String) {
      if isTrue { remarks.append(sentence() + ".") }
    }
    func add(_ images: NameList, _ start: String) { add(images.count > 0, "\(start): \(images.phrase)") }
    let added = circumstances.added
    add(!added.isEmpty, "Codecs not in \(other): \(added.spelling)")
    if let obstacle = circumstances.timeObstacle {
      add(true, "Times not compared: \(obstacle.phrase)")
    }
    let (images, qualities) = (inventory.newImages, inventory.newQualities)
    add(
      inventory.appeared > 0,
      "Encodes not in \(other): \(inventory.appeared)"
        + (images.count > 0 ? "; new images: \(images.phrase)" : "")
        + (qualities.isEmpty ? "" : "; new qualities: \(qualities.spelling)"))
    add(inventory.renamedImages, "Compared although renamed (same content)")
    add(inventory.mendedImages, "Images that failed in \(other) and work now")
    add(inventory.stillUnusable, "Images that fail here and in \(other)")
    add(
      inventory.mended > 0,
      "Failed in \(other) but work now: \(Numerals.counted(inventory.mended, "encode"))")
    add(
      report.comparedPoints > 0 && !circumstances.knowsLibraries,
      "Library versions are missing on at least one side; assumed equal")
    if let progress = circumstances.unfinishedBaseline {
      add(true, "The baseline's own run is \(progress.phrase ?? "")")
    }
    let idle = circumstances.idleThresholds.map { "\($0) (\(GateThresholds.lack($0)))" }
    add(
      !idle.isEmpty,
      "These configured thresholds matched nothing: \(idle.joined(separator: "; "))")
    return remarks
  }
}

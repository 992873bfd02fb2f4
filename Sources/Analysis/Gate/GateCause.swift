package import Model
package import Store

package enum GateCause: Sendable, Hashable {
  case unfinished(RunProgress)
  /// The run has only some shards of the corpus.
  case shards(MissingShards)
  case preparedSize
  case changedImages(NameList)
  case goneImages(NameList)
  /// Missing variants, and those in their place.
  case settings(gone: [CodecVariant], added: [CodecVariant])
  case goneQualities([Quality])
  case missingScores
  case failures
  /// Figures differ: other library versions.
  case libraries
  case preparation
  case version
  /// Figures differ, and no other difference is known.
  case encoder
  /// Figures differ, and library versions are unknown.
  case unknown
}

struct GateCauses {
  let report: GateReport
  /// Variants on one side only.
  let gone: [CodecVariant]
  let added: [CodecVariant]
  let knowsLibraries: Bool
  let manifests: (before: RunManifest?, after: RunManifest?)

  /// Causes of absences, then of differing figures. Changed images contribute to no figure.
  var all: [GateCause] {
    let hasFigures = (report.regressions + report.improvements).contains { $0.quantity.isFigure }
    return absences + (hasFigures ? [figures] : [])
  }

  private var inventory: GateInventory { report.inventory }

  private func has(_ isWanted: (GateQuantity) -> Bool) -> Bool {
    report.regressions.contains { isWanted($0.quantity) }
  }

  private var absences: [GateCause] {
    var causes: [GateCause] = []
    if let progress = report.unfinished { causes.append(.unfinished(progress)) }
    if let shards = report.missingShards { causes.append(.shards(shards)) }
    if inventory.changedImages.count > 0 {
      let isPrepared = inventory.replacements.allSatisfy {
        if case .preparedSize = $0.subject { true } else { false }
      }
      causes.append(isPrepared ? .preparedSize : .changedImages(inventory.changedImages))
    }
    if has({ $0 == .vanished }) {
      if inventory.goneImages.count > 0 { causes.append(.goneImages(inventory.goneImages)) }
      if !gone.isEmpty { causes.append(.settings(gone: gone, added: added)) }
      if !inventory.goneQualities.isEmpty { causes.append(.goneQualities(inventory.goneQualities)) }
    }
    if has(\.isMissing) { causes.append(.missingScores) }
    if has({ $0 == .failure }) { causes.append(.failures) }
    return causes
  }

  private var figures: GateCause {
    if report.usesWiderTolerance { return .libraries }
    if let before = manifests.before, let after = manifests.after {
      if before.preparation != after.preparation { return .preparation }
      if before.version != after.version { return .version }
    }
    return knowsLibraries ? .encoder : .unknown
  }
}

import CodecKit
import Codecs
import Foundation
import Model
import Pixels
import Reports
import Store
import Workers

/// Makes tiles below one folder, in a scratch folder first; finished ones are kept.
struct TilesRun {
  private let recipe: TileRecipe
  private let cancellation: Cancellation
  private let events: @Sendable (TilesEvent) -> Void
  private let folder: OwnedFolder

  init(
    _ recipe: TileRecipe, _ cancellation: Cancellation, _ events: @escaping @Sendable (TilesEvent) -> Void
  ) throws {
    (self.recipe, self.cancellation, self.events) = (recipe, cancellation, events)
    try OutputFolder.make(recipe.folder)
    folder = try OwnedFolder(recipe.folder)
  }

  func run() throws -> TilesOutcome {
    let entries = try recipe.images.entries(to: "cut")
    try folder.refuseObstacles(among: [TilePage.fileName])
    defer { folder.removeScratch() }
    let scratch = try folder.makeScratch()
    var failed = 0
    for (entry, name) in zip(entries, names(entries)) {
      do {
        if let problem = entry.problem { throw TileExport.Problem.failed(problem) }
        let maker = TileSetMaker(recipe, entry, name, folder: folder, scratch: scratch, cancellation, events)
        try maker.make()
      } catch TileExport.Problem.cancelled {
        return TilesOutcome(page: nil, failed: failed, wasInterrupted: true)
      } catch TileExport.Problem.unsupported(let reason) {
        events(.failed(picture: entry.identity.name, reason: reason))
        failed += 1
      } catch TileExport.Problem.failed(let failure) {
        events(.failed(picture: entry.identity.name, reason: failure.message))
        failed += 1
      }
    }
    let page = try writePage()
    try folder.tidy()
    return TilesOutcome(page: page, failed: failed, wasInterrupted: false)
  }

  /// Writes the page of all pictures in the folder, including those of earlier calls. Returns its path.
  private func writePage() throws -> String? {
    let sets = sets().filter { $0.isComplete && !$0.recipe.isBaseOnly }
    guard !sets.isEmpty else { return nil }
    try folder.write(try TilePage.html(sets), to: TilePage.fileName)
    return "\(recipe.folder)/\(TilePage.fileName)"
  }

  /// The sets of the folder, including half-made ones.
  private func sets() -> [TileSet] {
    folder.names().filter { $0.hasSuffix(TileSet.fileSuffix) }.sorted().compactMap { name in
      folder.standing(of: name) == .ours ? TileSetMaker.read(name, in: folder) : nil
    }
  }

  /// Distinct names after the files, with numbers if needed. A picture with tiles here keeps their name for itself.
  private func names(_ entries: [CorpusEntry]) -> [String] {
    let sets = sets()
    let known = Dictionary(grouping: sets, by: \.recipe.source)
    var taken = Set(sets.map { $0.name.lowercased() })
    var given: Set<String> = []
    return entries.map { entry in
      let base = Self.base(of: entry)
      let own = known[entry.identity.contentHash]?.map(\.name).first { name in
        let rest = name.dropFirst(base.count)
        return name.hasPrefix(base) && (rest.isEmpty || rest.first == "-" && Int(rest.dropFirst()) != nil)
          && !given.contains(name)
      }
      var (name, count) = (own ?? base, 1)
      while own == nil, !taken.insert(name.lowercased()).inserted {
        count += 1
        name = "\(base)-\(count)"
      }
      given.insert(name)
      return name
    }
  }

  /// The file's name without its ending, safe in paths and addresses. File systems take names of 255 bytes, of which
  /// some are left for numbers and endings.
  private static func base(of entry: CorpusEntry) -> String {
    let file = String(entry.identity.name.split(separator: "/").last ?? "picture")
    let stem =
      file.split(separator: ".").count > 1
      ? String(file[..<(file.lastIndex(of: ".") ?? file.endIndex)]) : file
    var safe = String(stem.map { $0.isLetter || $0.isNumber || "-_ ".contains($0) ? $0 : "-" }.prefix(100))
    while safe.utf8.count > 200 { safe.removeLast() }
    return safe.isEmpty || safe.hasPrefix(".") ? "picture" : safe
  }
}

import Analysis
import CodecKit
import Codecs
import Foundation
import Model
import Reports
import Store
import Sweep
import Synchronization
import Workers

/// The pictures of a report: made for the images that the analysis singles out, and put beside or into the page.
final class PictureSet: Sendable {
  /// Up to this size pictures go into the page itself, unless asked otherwise.
  static let embeddedBytes = 20_000_000

  let manifest: RunManifest
  /// Finds the image of a name with the content that was measured; nil where there is none any more.
  let entry: @Sendable (String) -> CorpusEntry?
  let limits: ReadLimits
  /// What the run encoded, where it was kept.
  let encoded: EncodedFiles?
  let page: PageSettings
  /// Told what cannot be shown.
  let notice: @Sendable (String) -> Void
  private let isStopped = Mutex(false)

  init(
    manifest: RunManifest, entry: @escaping @Sendable (String) -> CorpusEntry?, limits: ReadLimits,
    encoded: EncodedFiles? = nil, page: PageSettings, notice: @escaping @Sendable (String) -> Void
  ) {
    self.manifest = manifest
    self.entry = entry
    self.limits = limits
    self.encoded = encoded
    self.page = page
    self.notice = notice
  }

  /// Makes no further picture. May be called from any thread.
  func cancel() { isStopped.withLock { $0 = true } }

  var wasCancelled: Bool { isStopped.withLock { $0 } }

  /// Makes the pictures, images side by side as far as memory goes. What cannot be shown is said and left out.
  func make(for analysis: Analysis, in files: OwnedFolder) throws -> [ReportImage] {
    let names = page.selection.names(from: analysis)
    let chosen = names.compactMap(entry)
    guard !chosen.isEmpty else { return [] }
    let target = URL(filePath: try files.makeScratch())
    let exporter = PictureExporter(
      registry: .standard, preparation: manifest.preparation, limits: limits, encoded: encoded,
      folder: target.path)
    let details = Dictionary(
      analysis.imageDetails.map { ($0.image, $0) }, uniquingKeysWith: { first, _ in first })
    let results = Mutex([ExportedPictures?](repeating: nil, count: chosen.count))
    let queue = try WatchedQueue(
      concurrency: PictureExporter.concurrency(for: chosen.map(\.file), within: MachineMemory().defaultBudget)
    )
    for (index, entry) in chosen.enumerated() {
      let points = details[entry.identity.name]?.variants.flatMap { measured in
        measured.points.map { (variant: measured.variant, quality: $0.quality) }
      }
      queue.add { [self] in
        guard !wasCancelled else { return }
        do {
          let pictures = try exporter.export(entry.file, prefix: "\(index + 1)", points: points ?? [])
          results.withLock { $0[index] = pictures }
        } catch {
          notice("no pictures of “\(entry.identity.name)”: \(error)")
        }
      }
    }
    try queue.wait()
    let exported = results.withLock { $0.compactMap(\.self) }
    return try addresses(of: exported, in: target, files)
  }

  private func addresses(
    of exported: [ExportedPictures], in target: URL, _ files: OwnedFolder
  ) throws -> [ReportImage] {
    let bytes = try FileManager.default.contentsOfDirectory(
      at: target, includingPropertiesForKeys: [.fileSizeKey]
    ).reduce(0) { sum, file in sum + ((try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0) }
    let isEmbedded = page.embedsImages ?? (bytes <= Self.embeddedBytes)
    func address(_ file: String) -> String {
      guard isEmbedded, let data = try? Data(contentsOf: target.appending(path: file)) else {
        return "\(ReportWriter.picturesName)/\(file)"
      }
      return "data:image/png;base64,\(data.base64EncodedString())"
    }
    let images = exported.map { pictures in
      ReportImage(
        name: pictures.name, reference: address(pictures.reference), thumbnail: address(pictures.thumbnail),
        pictures: pictures.pictures.mapValues { $0.mapValues(address) },
        maps: pictures.maps.mapValues { $0.mapValues(address) })
    }
    if !isEmbedded {
      for name in try FileManager.default.contentsOfDirectory(atPath: target.path) {
        try files.move(target.path + "/" + name, to: "\(ReportWriter.picturesName)/\(name)")
      }
    }
    try? FileManager.default.removeItem(at: target)
    return images
  }
}

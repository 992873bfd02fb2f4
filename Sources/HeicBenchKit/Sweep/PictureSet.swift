import Analysis
import Codecs
import Foundation
import Model
import Reports
import Store
import Workers

/// The pictures of a report, made for the images that the analysis singles out and put next to the page or into it.
final class PictureSet: Sendable {
  let manifest: RunManifest
  /// Finds the image with a name and the content that was measured; nil if it is gone.
  let entry: @Sendable (String) -> CorpusEntry?
  let imports: [Case: String]
  let page: PageSettings
  let notice: @Sendable (String) -> Void
  let progress: @Sendable (Int, Int) -> Void
  private let strangePlaces: StrangePlaces
  private let encoded: EncodedFiles?
  private let exporter: PictureExporter

  init(
    manifest: RunManifest, imports: [Case: String] = [:],
    entry: @escaping @Sendable (String) -> CorpusEntry?,
    configuration: RunnerConfiguration,
    encoded: EncodedFiles? = nil, page: PageSettings, namedPlaces: [String] = [],
    progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in },
    notice: @escaping @Sendable (String) -> Void
  ) {
    (self.manifest, self.entry, self.imports) = (manifest, entry, imports)
    (self.page, self.notice, self.progress, self.encoded) = (page, notice, progress, encoded)
    exporter = PictureExporter(configuration, preparation: manifest.preparation)
    strangePlaces = StrangePlaces(named: namedPlaces, notice)
  }

  func cancel() { exporter.cancel() }

  var wasCancelled: Bool { exporter.isCancelled }

  /// Makes the pictures, several images at a time if memory allows; reports and skips those that cannot be
  /// shown.
  func make(for analysis: Analysis, in files: OwnedFolder) throws -> [ReportImage] {
    let names = analysis.shownImages(page.images)
    let chosen = names.compactMap(entry)
    guard !chosen.isEmpty else { return [] }
    let target = URL(filePath: try files.makeScratch())
    let details = Dictionary(
      analysis.imageDetails.map { ($0.image, $0) }, uniquingKeysWith: { first, _ in first })
    let images = chosen.map { entry in
      let points = details[entry.identity.name]?.variants.flatMap { measured in
        measured.points.compactMap { self.point($0, of: measured.variant, entry) }
      }
      return PictureExporter.Image(file: entry.file, points: points ?? [])
    }
    let made: [Result<ReportImage, Failure>]
    do { made = try exporter.export(images, into: target, progress: progress) } catch is CancellationError {
      return []
    }
    for case (let entry, .failure(let failure)) in zip(chosen, made) {
      notice("no pictures of “\(entry.identity.name)”: \(failure.message)")
    }
    let folder = try PictureFolder(target, name: ReportWriter.picturesName, embeds: page.embedsImages)
    let shown = made.compactMap { try? $0.get() }.map { image in
      ReportImage(
        name: image.name, reference: folder.address(image.reference),
        thumbnail: folder.address(image.thumbnail),
        pictures: image.pictures.mapValues { $0.mapValues(folder.address) },
        maps: image.maps.mapValues { $0.mapValues(folder.address) })
    }
    try folder.settle(files)
    return shown
  }

  private func point(
    _ point: ImageDetail.Point, of variant: CodecVariant, _ entry: CorpusEntry
  ) -> PictureExporter.Point? {
    if let quality = point.quality {
      let kept = encoded?.path(
        image: entry.identity.name, variant: variant, quality: quality, registry: .standard)
      return PictureExporter.Point(
        variant: variant, label: "\(quality)", subject: .encoded(variant, quality, kept: kept))
    }
    guard let name = point.file, let series = manifest.imports?.first(where: { $0.variant == variant })
    else { return nil }
    let key = Case(
      image: entry.identity, preparation: manifest.preparation.canonicalSpelling, series: series.name,
      file: name)
    let path = series.folder + "/" + name
    // A store may come from a stranger: only a file with the recorded content is shown.
    guard let hash = imports[key], !hash.isEmpty, (try? RegularFile.open(path)) != nil else { return nil }
    strangePlaces.say(series.folder)
    let file = ImageFile(
      path: Array(path.utf8), identity: ImageIdentity(name: name, contentHash: hash), fileBytes: point.bytes,
      header: entry.header)
    return PictureExporter.Point(variant: variant, label: name, subject: .file(file))
  }
}

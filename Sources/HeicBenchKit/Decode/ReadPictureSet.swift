import Analysis
import CodecKit
import Codecs
import Foundation
import Model
import Reports
import Store
import Synchronization
import Workers

/// The pictures of a page of reads, made by workers: the result of each route for some of the files.
final class ReadPictureSet: Sendable {
  /// Finds the image of a name with the content that was read; nil if it is gone.
  private let entry: @Sendable (String) -> CorpusEntry?
  private let configuration: RunnerConfiguration
  private let page: PageSettings
  private let notice: @Sendable (String) -> Void
  private let state = Mutex((isCancelled: false, pool: WorkerPool?.none))

  /// Peak bytes per pixel of a decoded picture: file, picture and what is made of it.
  private static let bytesPerPixel = 40.0

  init(
    entry: @escaping @Sendable (String) -> CorpusEntry?, configuration: RunnerConfiguration,
    page: PageSettings, notice: @escaping @Sendable (String) -> Void
  ) {
    (self.entry, self.configuration, self.page, self.notice) = (entry, configuration, page, notice)
  }

  /// Stops making pictures; callable from any thread.
  func cancel() {
    let pool = state.withLock { state in
      state.isCancelled = true
      return state.pool
    }
    pool?.cancel()
  }

  private struct Item: Sendable {
    var group: Int
    var read: CaseRecord
    var entry: CorpusEntry
  }

  /// Makes the pictures that a report chooses; reports and skips those that cannot be shown.
  /// - Parameter name: the folder beside the page.
  func make(for report: DecodeReport, in files: OwnedFolder, name: String) throws -> [PictureGroup] {
    let choices = try report.choices(count: page.images, builds: Set(configuration.builds.map(\.name)))
    var found: [String: CorpusEntry?] = [:]
    var items: [Item] = []
    for (group, choice) in choices.enumerated() {
      for read in choice.reads {
        let image = read.key.image.name
        let known = found[image] ?? entry(image)
        found[image] = known
        if let known { items.append(Item(group: group, read: read, entry: known)) }
      }
    }
    guard !items.isEmpty else { return [] }
    let folder = URL(filePath: try files.makeScratch())
    let pool = try pool(for: items)
    let isLate = state.withLock { state in
      state.pool = pool
      return state.isCancelled
    }
    if isLate { pool.cancel() }
    let made = try pool.map(items, pixels: { $0.entry.file.pixels }) { [configuration] worker, item in
      let request = ReadRequest(path: item.entry.file.path, key: item.read.key, repeats: 1)
      let seconds = configuration.timeout(pixels: item.entry.file.pixels, repeats: 1)
      return try worker.show(request, of: item.entry.file, within: seconds)
    }
    return try addresses(items, made, choices, folder, files, name)
  }

  /// A pool that prepares pictures for codecs as the run of reads did.
  private func pool(for items: [Item]) throws -> WorkerPool {
    let encoded = items.compactMap { $0.read.key.encoding?.variant }
    let variants = encoded.isEmpty ? [CodecVariant(codec: "jpeg")] : encoded
    let preparation = Preparation(
      for: variants, registry: .standard, background: [255, 255, 255], downscale: 1)
    var configuration = configuration
    (configuration.keepFolder, configuration.externalMetrics) = (nil, [])
    return WorkerPool(configuration, preparation: preparation, bytesPerPixel: Self.bytesPerPixel)
  }

  private func addresses(
    _ items: [Item], _ made: [Response<[UInt8]>], _ choices: [DecodeReport.Choice], _ folder: URL,
    _ files: OwnedFolder, _ name: String
  ) throws -> [PictureGroup] {
    var names: [(item: Item, file: String)] = []
    for (number, (item, result)) in zip(items, made).enumerated() {
      if let bytes = result.value {
        let file = "read-\(item.group + 1)-\(number + 1).png"
        try ScratchFile.write(bytes, to: folder.appending(path: file).path)
        names.append((item, file))
      } else if let failure = result.failure {
        let key = item.read.key
        notice("no picture of “\(key.image.name)” by \(key.route.rawValue): \(failure.message)")
      }
    }
    let pictures = try PictureFolder(folder, name: name, embeds: page.embedsImages)
    let groups = choices.enumerated().map { group, choice in
      let own = names.filter { $0.item.group == group }
      let name = own.first?.item.read.key.image.name ?? ""
      return PictureGroup(
        name: name, title: "\(name), \(choice.kind)",
        pictures: own.map {
          PictureGroup.Picture(address: pictures.address($0.file), caption: $0.item.read.caption)
        })
    }
    try pictures.settle(files)
    return groups.filter { !$0.pictures.isEmpty }
  }
}

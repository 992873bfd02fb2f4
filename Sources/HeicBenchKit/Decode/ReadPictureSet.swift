import Analysis
import CodecKit
import Codecs
import Foundation
import Model
import Reports
import Store
import Workers

/// The pictures of a page about reads, made by workers: the result of each route for some of the files.
struct ReadPictureSet: Sendable {
  /// Finds the image with a name and the content that was read; nil if it no longer exists.
  let entry: @Sendable (String) -> CorpusEntry?
  let configuration: RunnerConfiguration
  let page: PageSettings
  let notice: @Sendable (String) -> Void
  let cancellation = Cancellation()

  /// Makes the pictures that a report chooses; reports and skips those that cannot be shown.
  func make(for report: DecodeReport, in files: OwnedFolder, name: String) throws -> [PictureGroup] {
    let choices = try report.choices(count: page.images, builds: Set(configuration.builds.map(\.name)))
    let names = Set(choices.compactMap(\.reads.first?.key.image.name))
    let found = Dictionary(uniqueKeysWithValues: names.sorted().map { ($0, entry($0)) })
    let items = choices.enumerated().flatMap { group, choice in
      choice.reads.compactMap { read in
        (found[read.key.image.name] ?? nil).map { (group: group, read: read, file: $0.file) }
      }
    }
    guard !items.isEmpty else { return [] }
    let folder = URL(filePath: try files.makeScratch())
    let pool = pool(for: items.map(\.read.key))
    cancellation.perform { pool.cancel() }
    defer { cancellation.release() }
    let made = try pool.map(items, pixels: \.file.pixels) { [configuration] worker, item in
      let question = RouteQuestion(path: item.file.path, key: item.read.key, repeats: 1)
      let seconds = configuration.timeout(pixels: item.file.pixels, repeats: 1)
      return try worker.show(question, of: item.file, within: seconds)
    }
    var shown = choices.map { choice in
      let name = choice.reads.first?.key.image.name ?? ""
      return PictureGroup(name: name, title: "\(name), \(choice.kind)", pictures: [])
    }
    for (number, (item, result)) in zip(items, made).enumerated() {
      let key = item.read.key
      if let bytes = result.value {
        let file = "read-\(item.group + 1)-\(number + 1).png"
        try OwnedFolder.prepare(bytes, at: folder.appending(path: file).path)
        shown[item.group].pictures.append(.init(address: file, caption: item.read.caption))
      } else if let failure = result.failure {
        notice("no picture of “\(key.image.name)” by \(key.route.rawValue): \(failure.message)")
      }
    }
    let pictures = try PictureFolder(folder, name: name, embeds: page.embedsImages)
    for group in shown.indices {
      for index in shown[group].pictures.indices {
        shown[group].pictures[index].address = pictures.address(shown[group].pictures[index].address)
      }
    }
    try pictures.settle(files)
    return shown.filter { !$0.pictures.isEmpty }
  }

  /// A pool that prepares pictures for codecs the way the run did.
  private func pool(for reads: [Case]) -> WorkerPool {
    let encoded = reads.compactMap(\.encoding?.variant)
    let preparation = Preparation(
      for: encoded.isEmpty ? [CodecVariant(codec: "jpeg")] : encoded, registry: .standard)
    var configuration = configuration
    (configuration.keepFolder, configuration.externalMetrics) = (nil, [])
    return WorkerPool(configuration, preparation: preparation)
  }
}

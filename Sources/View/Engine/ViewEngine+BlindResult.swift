import Analysis
import CodecKit
import HeicBenchKit
import Model
import Pixels
import Reports
import Synchronization
import Workers

extension ViewEngine {
  /// A codec's whole file at the person's threshold.
  private struct AtThreshold {
    var row: BlindReport.Row
    var quality, safe: Quality?
    var bytes: Int?
    var range: BlindThreshold.Bytes?
  }

  /// Encodes the whole picture at each codec's threshold and reports the results.
  func finish(_ session: BlindSession) {
    let purpose = Purpose.blind(session.begin)
    guard let picture = cached(session.begin.picture, preparation) else { return }
    jobs.add([job(purpose, .whole) { [self] worker in tell(session, picture, worker) }])
  }

  private func tell(_ session: BlindSession, _ picture: CachedPicture, _ worker: ViewWorker) {
    let folder = configuration.blindFolder ?? ""
    let kept = "\(folder)/\(BlindLog.fileName)"
    if let balance = BlindReport.balances(session.records, of: BlindLog.fileName).first {
      let sentence = BlindReport.sentence(balance) + " For you, on this screen, for this picture."
      return send(BlindEvent.Finished(sentence: sentence, table: [], kept: kept), for: .blind(session.begin))
    }
    var found: [AtThreshold] = []
    for (codec, row) in BlindReport.rows(session.records, of: BlindLog.fileName).enumerated() {
      var entry = AtThreshold(row: row)
      if case .threshold(let score, _, let to) = row.threshold.finding {
        entry.quality = session.quality(of: codec, reaching: score)
        entry.safe = session.quality(of: codec, reaching: to)
      }
      encode(&entry, of: codec, session, picture, worker)
      found.append(entry)
    }
    guard !worker.isCancelled else { return }
    send(
      BlindEvent.Finished(sentence: Self.sentence(found), table: Self.table(found), kept: kept),
      for: .blind(session.begin))
  }

  /// The bytes of the whole picture at the threshold and at both ends of its interval; leaves out builds, since a
  /// worker with the system's libraries cannot replace them.
  private func encode(
    _ entry: inout AtThreshold, of codec: Int, _ session: BlindSession, _ picture: CachedPicture,
    _ worker: ViewWorker
  ) {
    let variant = configuration.variants[codec]
    guard case .threshold(let score, let from, let to) = entry.row.threshold.finding, variant.build == nil
    else {
      return
    }
    let sizes = [from, score, to].map { score in
      session.quality(of: codec, reaching: score).flatMap { size(of: picture, variant, $0, worker) }
    }
    entry.bytes = sizes[1]
    if let low = sizes[0], let middle = sizes[1], let high = sizes[2] {
      entry.range = BlindThreshold.Bytes(from: Double(low), threshold: Double(middle), to: Double(high))
    }
  }

  /// The bytes of the whole picture; nil if it cannot be encoded, such as one that is too wide for WebP. The threshold
  /// is that of a part, which could.
  private func size(
    of picture: CachedPicture, _ variant: CodecVariant, _ quality: Quality, _ worker: ViewWorker
  ) -> Int? {
    let question = EncodeSamples(shape: RasterShape(picture.raster), variant: variant, quality: quality)
    let seconds = Self.deadline(pixels: picture.raster.pixelCount)
    return try? worker.ask(question, picture.raster.sampleBytes, within: seconds).bytes.count
  }

  /// Compares the bytes only if there is an interval.
  private static func sentence(_ found: [AtThreshold]) -> String {
    let told = BlindReport.sentence(found.map(\.row))
    guard found.count == 2, let first = found[0].range, let second = found[1].range else { return told }
    let saving = BlindReport.sentence(
      (found[0].row.title, found[1].row.title), saving: BlindThreshold.saving(first, second))
    return "\(told) \(saving) For you, on this screen, for this picture."
  }

  private static func table(_ found: [AtThreshold]) -> [[String]] {
    let heading = [
      "Codec", "Visible below", "95 %", "Quality there", "Whole picture", "Trials", "Command",
      "To be safe",
    ]
    return [heading]
      + found.map { entry in
        let (row, variant) = (entry.row, CodecVariant(unchecked: entry.row.variant))
        func command(_ quality: Quality?) -> String {
          quality.flatMap { quality in variant.flatMap { SettingColumns.command($0, quality: quality.value) }
          } ?? "–"
        }
        guard case .threshold(let score, let from, let to) = row.threshold.finding else {
          return [row.title, "no threshold found", "–", "–", "–", "\(row.threshold.trials)", "–", "–"]
        }
        return [
          row.title, Numerals.fixed(score, decimals: 1),
          "\(Numerals.fixed(from, decimals: 1)) to \(Numerals.fixed(to, decimals: 1))",
          entry.quality?.description ?? "–", entry.bytes.map { ByteSize.text($0) } ?? "–",
          "\(row.threshold.trials)", command(entry.quality), command(entry.safe),
        ]
      }
  }
}

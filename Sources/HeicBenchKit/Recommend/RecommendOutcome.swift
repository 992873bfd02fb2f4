import Analysis
import Model
import Reports
import Store

/// Settings that meet the requirements, fewest bytes at the required score first, as text and JSON.
package struct RecommendOutcome: Sendable {
  let found: Recommendations
  let wishes: Wishes
  let score: Double
  let headline: MetricTraits
  let variants: [CodecVariant]
  let manifest: RunManifest?
  let progress: RunProgress?
  let results: String

  package var isFulfilled: Bool { !found.fulfilling.isEmpty }

  package func text(width: Int = .max) -> String { blocks.text(width: width) }

  private var blocks: [ReportBlock] {
    var blocks: [ReportBlock] = [.answer(answer)]
    if isFulfilled, let caution { blocks.append(.paragraph(answer == caution ? sentence : caution)) }
    if let unfinished { blocks.append(.paragraph(unfinished)) }
    if let leftOut { blocks.append(.paragraph(leftOut)) }
    if isFulfilled {
      blocks += [
        .table(ReportTable("Settings", brief, found.fulfilling)), .paragraph(legend),
        .table(ReportTable("Commands", commands, found.fulfilling)),
      ]
      if let picture {
        blocks += [.paragraph("HTML that offers them in this order:"), .list(picture)]
      }
      if let best = found.fulfilling.first, let command = manifest.flatMap({ Self.encoding(best, $0) }) {
        blocks.append(.paragraph("With heicbench: \(command)"))
      }
      if let measuring { blocks.append(.paragraph("To measure at the estimated qualities: \(measuring)")) }
      blocks.append(.list(SettingColumns.notes(found.fulfilling.map(\.variant))))
    }
    guard !found.others.isEmpty else { return blocks }
    return blocks + [
      .paragraph("\(isFulfilled ? "Other codecs" : "Codecs") at their closest quality:"),
      .table(ReportTable("Others", brief + some(["lacks"]), found.others)),
    ]
  }

  /// The answer as JSON, described by `$defs/recommendations` of docs/schema.json.
  package var json: String {
    let wished: [(String, JSONValue)] =
      [
        ("metric", .text(headline.id)), ("score", .number(score)), ("share", .number(wishes.share)),
        ("saving_percent", .number(wishes.savingPercent)),
      ] + TimedOperation.allCases.map { ("\($0)_cpu_ms_per_megapixel", .number(wishes.cpu[$0])) }
      + [("purpose", .text(wishes.purpose?.rawValue)), ("codecs", .strings(wishes.codecs))]
    return JSONValue.document(
      "heicbench-recommend",
      [
        ("answer", .text(answer)), ("caution", .text(isFulfilled ? caution : nil)),
        ("picture", .text(picture?.joined(separator: "\n"))), ("wishes", .object(wished)),
        ("reference", .text(found.reference?.name)),
        ("images", .integer(found.images)), ("images_unscored", .integer(found.unscored)),
        ("unfinished", .text(progress?.phrase)),
        ("fulfilling", .rows(all, found.fulfilling)), ("others", .rows(all, found.others)),
      ])
  }

  /// The sentence, or for an archive the note that lossy settings are not suitable.
  private var answer: String {
    let isKept = wishes.purpose == .archive && found.fulfilling.first.map { $0.rank(for: .archive) } == 1
    return isKept ? caution ?? sentence : sentence
  }

  /// `Use heif-enc -q 60: all 6 images reach SSIMULACRA2 80 (lowest: a.jpg, 85.7).`
  private var sentence: String {
    let wish = "\(headline.title) \(Numerals.short(score))"
    let percent = Numerals.short(wishes.share * 100)
    guard let best = found.fulfilling.first else {
      var wanted = ["\(percent) % of \(Numerals.counted(found.images, "image")) at \(wish)"]
      if let saving = wishes.savingPercent {
        wanted.append("\(Numerals.short(saving)) % fewer bytes than \(found.reference?.name ?? "the first")")
      }
      wanted += TimedOperation.allCases.compactMap { operation in
        wishes.cpu[operation].map { "\(Numerals.short($0)) ms/MP to \(operation)" }
      }
      return "No measured setting gives \(wanted.joined(separator: ", "))."
    }
    let setting =
      SettingColumns.command(best.variant, quality: best.set.value)
      ?? "\(best.variant.name) at quality \(best.set)"
    let share = "\(percent) % of the images reach \(wish)"
    let estimate =
      best.interpolated == nil ? "" : "\(share), estimated between measured qualities. At \(best.quality) "
    let reach =
      best.holding == best.images
      ? (best.images == 1 ? "the image reaches" : "all \(best.images) images reach")
      : "\(best.holding) of \(best.images) images reach"
    return
      "Use \(setting): \(estimate)\(reach) \(estimate.isEmpty ? wish : "it") (lowest: \(best.worst.image), "
      + "\(Numerals.fixed(best.worst.value, decimals: min(headline.decimals, 1))))."
  }

  /// A note that the run is unfinished, with the command that continues it; nil for a finished run.
  var unfinished: String? {
    guard let progress, !progress.isFinished else { return nil }
    let planned = progress.planned.map { " of \(Numerals.counted($0, "planned encode"))" } ?? " encodes"
    var text = "The run is not finished (\(Numerals.grouped(progress.done))\(planned)"
    if found.images + found.unscored < progress.images {
      text += ", \(found.images) of \(Numerals.counted(progress.images, "image"))"
    }
    text += "), so lines may cover different images."
    guard let command = manifest?.command, !command.isEmpty else { return text }
    return text + " To continue: " + command.map(ShellWord.quoted).joined(separator: " ")
  }

  /// Images that the answer does not cover: those without a score, and those that a codec cannot encode.
  private var leftOut: String? {
    var parts: [String] = []
    if found.unscored > 0 {
      let (has, isLeftOut) = found.unscored == 1 ? ("has", "is") : ("have", "are")
      parts.append(
        "\(Numerals.counted(found.unscored, "image")) \(has) no \(headline.title) score and \(isLeftOut) left out."
      )
    }
    for setting in found.fulfilling + found.others
    where progress?.isFinished != false && setting.images < found.images {
      parts.append("\(setting.variant.name) has results for \(setting.images) of \(found.images) images.")
    }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  private var legend: String {
    var parts = ["Bits/px, Encode and Decode (CPU, ms/MP) refer to the files at this quality"]
    let settings = found.fulfilling + found.others
    if let reference = found.reference, settings.contains(where: { $0.change != nil }) {
      let place = "\(headline.title) \(Numerals.short(score))"
      parts.append(
        "Bytes compares with \(reference.name) at \(place), so it is not the ratio of Bits/px"
      )
    }
    if settings.contains(where: { $0.interpolated != nil }) {
      parts[0] =
        "Quality is estimated where Measured differs; the other columns refer to the files at the measured quality"
    }
    return parts.joined(separator: ". ") + "."
  }

  /// The sweep that encodes with a setting and keeps the files, in a separate folder so that it does not replace the
  /// run; nil for a build of the libraries, and without the run's images.
  static func encoding(_ found: Recommendation, _ manifest: RunManifest) -> String? {
    line([found.variant], [found.set], manifest, ["--keep-encoded", "encoded", "--output", "encoded"])
  }

  /// The same sweep with this score as its headline, which measures at the qualities to set and keeps existing results.
  var measuring: String? {
    guard let manifest, found.fulfilling.contains(where: { $0.interpolated != nil }) else { return nil }
    let imported = Set((manifest.imports ?? []).map(\.name))
    let headline = headline.id == AnalysisOptions.standard.headlineMetric ? [] : ["--headline", headline.id]
    return Self.line(
      variants.filter { !imported.contains($0.codec) }, manifest.qualities, manifest,
      headline + ["--score", Numerals.short(score), "--output", results])
  }

  private static func line(
    _ variants: [CodecVariant], _ qualities: [Quality], _ manifest: RunManifest, _ rest: [String]
  ) -> String? {
    guard !manifest.roots.isEmpty, !qualities.isEmpty, variants.allSatisfy({ $0.build == nil }) else {
      return nil
    }
    return ShellWord.sweep(
      of: manifest.roots,
      variants.flatMap { ["--codec", $0.name] }
        + ["--qualities", qualities.map(\.description).joined(separator: ",")]
        + ReproduceCommand.options(in: manifest.command, and: ReproduceCommand.choosing) + rest)
  }
}

extension RecommendOutcome {
  /// All columns, for programs, described by `$defs/recommendation` in docs/schema.json.
  var all: [Column<Recommendation>] {
    let times: [Column<Recommendation>] = TimedOperation.allCases.map { operation in
      Column("\(operation)_cpu_ms_per_megapixel", title: operation.title) { found in
        let value = found.cpu[operation]
        return Cell(number: value, decimals: value.map { $0 < 100 ? 1 : 0 } ?? 1)
      }
    }
    let shown: [Column<Recommendation>] = [
      .text("browsers", "Browsers") { FormatSupport.of($0.variant)?.browsers },
      .text("apple", "Apple") { FormatSupport.of($0.variant)?.apple },
      .text("android", "Android") { FormatSupport.of($0.variant)?.android },
    ]
    return [
      .code("variant", "Codec") { $0.variant.name },
      Column("quality", title: "Quality") { .numeral($0.set.description) },
      Column("quality_measured", title: "Measured") { .numeral($0.quality.description) },
      Column("quality_too_low", title: "Too low") {
        $0.tooLow.map { .numeral($0.quality.description) } ?? .empty
      },
      .count("holding_too_low", "Images reaching the score there") { $0.tooLow?.holding },
      .number("bits_per_pixel", "Bits/px", decimals: 3) { $0.bitsPerPixel },
      .change("bytes_change_percent", "Bytes", decimals: 1) { $0.change?.mean },
      .count("bytes_change_images", "Images compared") { $0.change?.images },
    ] + times + shown + [
      .count("holding", "Images reaching the score") { $0.holding }, .count("images", "of") { $0.images },
      .code("worst_image", "Worst image") { $0.worst.image },
      .number("worst_score", "Score", decimals: headline.decimals) { $0.worst.value },
      .text("lacks", "Lacks") { Self.lacks($0) },
      .code("command", "Command") { SettingColumns.command($0.variant, quality: $0.set.value) },
      .code("command_alternative", "With avifenc") {
        SettingColumns.alternative($0.variant, quality: $0.set.value)
      },
      .code("heicbench_command", "With heicbench") { [manifest] found in
        manifest.flatMap { Self.encoding(found, $0) }
      },
    ]
  }

  /// The columns to read, narrow enough for a terminal of 80 columns.
  var brief: [Column<Recommendation>] {
    let change = Column<Recommendation>("change", title: "Bytes (%)") { found in
      Cell(
        text: found.change.map { change in
          let mean = Numerals.signed(change.mean, decimals: 1)
          return change.images == found.images
            ? mean : "\(mean) (\(Numerals.counted(change.images, "image")))"
        })
    }
    let isEstimated = (found.fulfilling + found.others).contains { $0.interpolated != nil }
    return some(["variant", "quality"] + (isEstimated ? ["quality_measured"] : []) + ["bits_per_pixel"])
      + (found.reference == nil ? [] : [change])
      + some(TimedOperation.allCases.map { "\($0)_cpu_ms_per_megapixel" }) + [
        Column("images", title: "Images") { .text("\($0.holding) of \($0.images)") }
      ] + some(["worst_image"]) + [
        .number("worst_score", "Score", decimals: headline.decimals > 2 ? headline.decimals : 1) {
          $0.worst.value
        },
        .text("shown", "Shown by") { [wishes] in FormatSupport.of($0.variant)?.shown(for: wishes.purpose) },
      ]
  }

  var commands: [Column<Recommendation>] { some(["variant", "command"]) }

  private func some(_ names: [String]) -> [Column<Recommendation>] {
    all.filter { names.contains($0.name) }
  }

  private static func lacks(_ found: Recommendation) -> String? {
    let words = found.shortfalls.map { shortfall in
      switch shortfall {
      case .score: "score"
      // The saving is unknown if too few images have points near the score.
      case .saving: found.change?.standsOnHalf == false ? "saving (too few images)" : "saving"
      case .cpu(let operation): "\(operation) CPU"
      }
    }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }
}

import CodecKit
import Codecs
import Metrics
import Model
import Pixels
import Workers

struct JudgeQuestion: Question {
  var file: ImageFile
  var commandSeconds: Double

  func reply(in session: WorkerSession, _: [UInt8]) throws -> Figures {
    guard let image = session.image else { throw Refusal.noImage }
    let (setup, registry) = (session.setup, session.registry)
    let opened = try OpenImage.open(file, setup: setup, registry: registry)
    try Self.checkSize(of: opened.raster, against: image.raster)
    try Self.checkPicture(opened.raster, against: image.raster)
    let bytes = try SourceFile.bytes(at: [UInt8](file.path))
    guard let reader = registry.reader(for: bytes) else {
      throw Failure(kind: .source, message: "it changed while heicbench read it")
    }
    let format = opened.record.header?.format ?? ""
    // Decodes again now that the decoder's pages are loaded; the times of codecs exclude loading them too.
    var watch = Stopwatch(memoryLimit: setup.memoryLimit)
    let decode: TimingSample
    do {
      decode = try watch.time { () throws(CodecError) in try reader.read(bytes, limits: setup.limits) }.sample
    } catch { throw error.recorded }
    let contents = (try? reader.contents(of: bytes)) ?? FileContents()
    var making = contents.making
    if contents.bytes(of: .icc) > 0 || opened.record.profile != ColorProfile.sRGB.title {
      making.profile = opened.record.profile
    }
    var figures = Figures(
      encodedBytes: bytes.count, timing: TimingSeries(conditions: .contended, encode: [], decode: [decode]),
      scores: try session.reference()?.score(opened.raster) ?? [:],
      remarks: opened.record.steps + session.remarks(on: opened.raster))
    (figures.format, figures.decoder) = (format, registry.decoder(of: format))
    let parts = contents.bytes(of: .gainMap) > 0 ? GainMapFile.summary(of: bytes) : nil
    let told = [making.summary, parts].compactMap(\.self).filter { !$0.isEmpty }
    (figures.making, figures.asked) = (told.joined(separator: ", "), setup.metrics)
    // Sizes come from the file and may add up to more than its length.
    figures.figures[.metadata] = min(contents.bytesBesidePicture, bytes.count - 1)
    if let programs = session.external?.scores(
      of: opened.raster, against: image.raster, named: image.identity, within: commandSeconds)
    {
      figures.scores.merge(programs.scores) { own, _ in own }
      // Leaves out failed programs, since they may succeed next time.
      figures.asked = setup.metrics + programs.scores.keys.sorted()
      figures.failedScores = programs.failed
    }
    return figures
  }

  func remarks(in answer: Answer) -> [String: [String]] { [file.identity.name: answer.remarks] }

  func verify(_ file: inout Figures, by check: AnswerCheck) throws(AnswerCheck.Invalid) {
    if let problem = file.impossibility(of: .imported(file: "")) { throw .init(detail: problem) }
    try check.require(file.figures.keys.elementsEqual([.metadata]), "the bytes of its metadata")
    let external = check.setup.externalMetrics.map(\.id).filter { file.scores[$0] != nil }
    try check.require(file.asked == check.setup.metrics + external.sorted(), "the requested metrics")
    try check.check(file.timing.decode, repeats: 1...1)
    try check.check(file.scores)
    file.failedScores = try check.checked(failedScores: file.failedScores)
    try check.require(file.metricPrograms == nil, "the program of a metric")
    (file.format, file.decoder) = (file.format.map(check.clean), file.decoder.map(check.clean))
    (file.making, file.remarks) = (file.making.map(check.clean), try check.clean(file.remarks))
  }
}

extension JudgeQuestion {
  private static func checkSize(
    of picture: RasterImage, against original: RasterImage
  ) throws(Failure) {
    guard picture.width != original.width || picture.height != original.height else { return }
    let (w, h) = (Double(picture.width), Double(picture.height))
    let (width, height) = (Double(original.width), Double(original.height))
    let sizes =
      "\(picture.width)×\(picture.height) pixels, but the original has \(original.width)×\(original.height)"
    // The shorter side rounds to whole pixels.
    let (expected, scale) = (height * w / width, w / width)
    let turn = (try? PictureLikeness.turn(of: picture, toFit: original)) ?? nil
    let reason =
      if let turn {
        "it fits when \(turn.phrase), but the file does not say so"
      } else if picture.width == original.height, picture.height == original.width {
        "rotated, or a different picture"
      } else if abs(expected - h) <= max(1, scale / 2) {
        scale < 1
          ? "reduced; export it at full size, or use originals of that size"
          : "enlarged; export it at the original's size"
      } else if w <= width, h <= height {
        "cropped"
      } else {
        "a different shape"
      }
    throw Failure(kind: .source, message: "has \(sizes): \(reason)")
  }

  private static func checkPicture(
    _ picture: RasterImage, against original: RasterImage
  ) throws(Failure) {
    let likeness: PictureLikeness
    do { likeness = try PictureLikeness(of: original, and: picture) } catch {
      throw Failure(kind: .source, message: error.description)
    }
    switch likeness.verdict {
    case .same, .tooSmall: return
    case .other(let correlation):
      if let turn = (try? PictureLikeness.turn(of: picture, toFit: original)) ?? nil {
        throw Failure(
          kind: .source, message: "fits when \(turn.phrase), but the file does not say so: export it upright")
      }
      let figure = "\((correlation * 100).rounded() / 100)"
      throw Failure(
        kind: .source,
        message:
          "shows a different picture from the original, or a different part of it (correlation of details: \(figure); "
          + "0.7 or more for the same picture)")
    case .moved(let pixels):
      let figure = "\((pixels * 10).rounded() / 10)"
      throw Failure(
        kind: .source,
        message: "is cropped, stretched or shifted: its edge is about \(figure) pixels off the original's"
      )
    }
  }
}

extension WorkerSlot {
  func judge(
    _ imported: ImageFile, of file: ImageFile
  ) throws -> Response<Figures> {
    // Both pictures are decoded, and compared at a small size.
    let seconds = 2 * seconds(imported)
    return try ask(
      JudgeQuestion(file: imported, commandSeconds: seconds), about: file,
      within: seconds + commandSeconds(beside: seconds)
    )
  }
}

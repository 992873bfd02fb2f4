import CodecKit
import Metrics
import Model
import Pixels

/// Files that another encoder made of the open image.
extension WorkerSession {
  /// Decodes a file, makes sure that it is a picture of the open image, and scores it.
  func judge(_ request: ImageFile, commandSeconds: Double) -> WorkerReply {
    guard let image else { return .refused("no image is open") }
    do throws(Failure) {
      return .judged(try judge(request, against: image, within: commandSeconds))
    } catch {
      return .failed(error)
    }
  }

  private func judge(
    _ request: ImageFile, against image: OpenImage, within commandSeconds: Double
  ) throws(Failure) -> ImportedMeasurement {
    let file: OpenImage
    do throws(UnusableImage) {
      file = try OpenImage.open(request, setup: setup, registry: registry)
    } catch {
      throw error.record.problem ?? Failure(kind: .source, message: "it cannot be used")
    }
    try Self.checkSize(of: file.raster, against: image.raster)
    try Self.checkPicture(file.raster, against: image.raster)
    let bytes = try SourceFile.bytes(at: [UInt8](request.path))
    guard let reader = registry.reader(for: bytes) else {
      throw Failure(kind: .source, message: "it changed while it was looked at")
    }
    let format = file.record.header?.format ?? ""
    // Once more, now that the decoder's pages are there: the times of codecs are without them too.
    var watch = Stopwatch(memoryLimit: setup.memoryLimit)
    let limits = setup.limits
    let decode: TimingSample
    do {
      decode = try watch.time { () throws(CodecError) in try reader.read(bytes, limits: limits) }.sample
    } catch { throw error.failure }
    var scores: [String: Double] = [:]
    do { scores = try reference()?.score(file.raster) ?? [:] } catch {
      throw Failure(kind: .metric, message: "\(error)")
    }
    let contents = (try? reader.contents(of: bytes)) ?? FileContents()
    var making = reader.making(of: bytes)
    if contents.bytes(of: .icc) > 0 || file.record.profile != ColorProfile.sRGB.title {
      making.profile = file.record.profile
    }
    var measurement = ImportedMeasurement(
      bytes: bytes.count, format: format, making: making,
      decoder: registry.decoder(of: format), decode: decode, asked: setup.metrics,
      scores: scores, steps: file.record.steps)
    // Sizes come from the file and may add up to more than it has.
    measurement.metadataBytes = min(contents.bytesBesidePicture, bytes.count - 1)
    if let programs = external?.scores(of: file.raster, against: image, within: commandSeconds) {
      measurement.scores.merge(programs.scores) { own, _ in own }
      // A program that has failed may not do so the next time.
      measurement.asked += programs.scores.keys.sorted()
      measurement.failedScores = programs.failed.isEmpty ? nil : programs.failed
    }
    return measurement
  }

  private static func checkSize(
    of picture: RasterImage, against original: RasterImage
  ) throws(Failure) {
    guard picture.width != original.width || picture.height != original.height else { return }
    let (w, h) = (Double(picture.width), Double(picture.height))
    let (width, height) = (Double(original.width), Double(original.height))
    let sizes =
      "\(picture.width)×\(picture.height) pixels where the original has \(original.width)×\(original.height)"
    // The shorter side rounds to whole pixels.
    let (expected, scale) = (height * w / width, w / width)
    let reason =
      if picture.width == original.height, picture.height == original.width {
        "turned, without a word about it in the file"
      } else if abs(expected - h) <= max(1, scale / 2) {
        scale < 1
          ? "made smaller; export it in full size, or take pictures of that size for originals"
          : "made larger; export it in the original's size"
      } else if w <= width, h <= height {
        "cropped"
      } else {
        "of another shape"
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
      let figure = "\((correlation * 100).rounded() / 100)"
      throw Failure(
        kind: .source,
        message:
          "shows another picture, or another part of it, than the original (details correlate by \(figure), "
          + "those of the same picture by 0.7 or more)")
    case .moved(let pixels):
      let figure = "\((pixels * 10).rounded() / 10)"
      throw Failure(
        kind: .source,
        message: "is cropped, stretched or shifted: its edge lies some \(figure) pixels beside the original's"
      )
    }
  }
}

import CProcessShim
import CodecKit
import Foundation
import Model
import Pixels

/// Encodes tiles of a picture into files, level by level from the largest, holding no more than two levels.
struct TileExporter {
  private var level = 0
  private var image: RasterImage
  private let folder: String
  private let memoryLimit: Int?

  /// Begins with a picture. Throws where the pyramid is not its own.
  init(
    _ image: RasterImage, _ request: TileExportRequest, folder: String, memoryLimit: Int?
  ) throws(PointProblem) {
    let (x, y) = (request.originX, request.originY)
    let (width, height) = (request.pyramid.width, request.pyramid.height)
    guard x >= 0, y >= 0, width == image.width + x, height == image.height + y else {
      throw .failed(Failure(kind: .source, message: "the picture is not as large as it was planned to be"))
    }
    self.image = image
    if x > 0 || y > 0 {
      var canvas = RasterCanvas(width: width, height: height, like: image)
      let all = PixelRegion(x: 0, y: 0, width: image.width, height: image.height)
      if canvas.paste(image, from: all, x: x, y: y), let padded = canvas.image { self.image = padded }
    }
    (self.folder, self.memoryLimit) = (folder, memoryLimit)
    // Tiles and their files come and go by the thousand: memory of the heap that one leaves serves the next, where blocks of
    // the system's own would have each page of each tile asked for anew.
    hb_fix_mapped_blocks(Self.mappedBlock)
  }

  /// Smaller blocks are parts of the heap; the most that glibc takes.
  private static let mappedBlock = 32 << 20

  /// Writes tiles.
  mutating func write(
    _ request: TileExportRequest, registry: CodecRegistry, peak: PeakMemory
  ) throws(PointProblem) -> ExportedTiles {
    guard let codec = registry.codec(request.variant.codec) else {
      throw .failed(Failure(kind: .codec, message: "this program has no codec “\(request.variant.codec)”"))
    }
    let start = MonotonicClock.processCPU()
    try reach(request.places.first?.level ?? 0)
    let begun = MonotonicClock.processCPU()
    let settings = EncodeSettings(
      variant: request.variant, quality: request.quality, traits: codec.traits)
    let (image, folder) = (image, folder)
    let levels = request.pyramid.levels
    let jobs = request.places.isEmpty ? [nil] : request.places.map { Optional($0) }
    let memoryLimit = memoryLimit
    let results = try PlainThread.values(jobs.count, by: request.threads) { (index) throws(PointProblem) in
      var stopwatch = Stopwatch(memoryLimit: memoryLimit)
      let bytes = try stopwatch.time { () throws(CodecError) in
        guard let place = jobs[index] else { return try codec.encode(image, settings) }
        let region = request.pyramid.region(place, in: levels[place.level])
        return try Self.tile(image, region, request, codec, settings)
      }.value
      return try Self.keep(bytes, at: "\(folder)/\(request.firstNumber + index)")
    }
    return ExportedTiles(
      tiles: results, encodeNanoseconds: MonotonicClock.processCPU() - begun,
      pyramidNanoseconds: begun - start, peakBytes: peak.highest())
  }

  /// Makes a level out of the one that is there.
  private mutating func reach(_ wanted: Int) throws(PointProblem) {
    guard wanted >= level else {
      throw .failed(Failure(kind: .broken, message: "level \(wanted) was let go already"))
    }
    while level < wanted {
      do { image = try image.halved() } catch {
        throw .failed(Failure(kind: .source, message: error.description))
      }
      level += 1
    }
  }

  private static func tile(
    _ image: RasterImage, _ region: PixelRegion, _ request: TileExportRequest, _ codec: any ImageCodec,
    _ settings: EncodeSettings
  ) throws(CodecError) -> [UInt8] {
    guard let part = image.cropped(to: region) else {
      throw .unsupported("a tile lies outside of its level")
    }
    let side = request.pyramid.tileSize
    guard request.padsEdges, let padded = part.extended(toWidth: side, height: side), padded != part else {
      return try codec.encode(part, settings)
    }
    return try codec.cutting(
      try codec.encode(padded, settings), toWidth: region.width, height: region.height)
  }

  private static func keep(_ bytes: [UInt8], at path: String) throws(PointProblem) -> ExportedTiles.Tile {
    do {
      try ScratchFile.write(bytes, to: path)
    } catch {
      throw .failed(Failure(kind: .source, message: "a tile could not be written: \(error)"))
    }
    return ExportedTiles.Tile(bytes: bytes.count, hash: SHA256.hexDigest(of: bytes))
  }
}

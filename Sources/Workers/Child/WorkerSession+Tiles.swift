import Metrics
import Model
import Pixels

/// Tiles of the open image.
extension WorkerSession {
  func openRows(_ request: ImageFile) -> WorkerReply {
    close()
    do {
      let opened = try OpenImage.openRows(request, setup: setup, registry: registry)
      rows = opened.rows
      return .image(opened.record)
    } catch {
      return .image(error.record)
    }
  }

  func export(_ request: TileExportRequest) -> WorkerReply {
    guard let folder = setup.keepFolder else { return .refused("there is no folder for tiles") }
    do throws(PointProblem) {
      if exporter == nil, let rows = rows ?? image.map({ PictureRows($0.raster) }) {
        // From here on the exporter has the only ones.
        (image, self.rows) = (nil, nil)
        exporter = try TileExporter(rows, request, folder: folder, memoryLimit: setup.memoryLimit)
      }
      guard let tiles = try exporter?.write(request, registry: registry, peak: peak) else {
        return .refused("no image is open")
      }
      return .exported(.measured(tiles))
    } catch {
      return .exported(error.outcome())
    }
  }

  func cut(_ request: TilingRequest) -> WorkerReply {
    guard let raster = image?.raster else { return .refused("no image is open") }
    return .cut(
      Outcome { () throws(PointProblem) in
        let key = request.key
        if key.variant.build != nil, !key.libraries.isEmpty {
          let measurer = try PointMeasurer(
            variant: key.variant, quality: key.quality, image: raster, registry: registry,
            memoryLimit: setup.memoryLimit)
          try measurer.expect(libraries: key.libraries)
        }
        if tiles == nil {
          let reference: PreparedSuite
          do { reference = try suite.prepare(raster) } catch {
            throw .failed(Failure(kind: .metric, message: "\(error)"))
          }
          tiles = TileMeasurer(raster, reference: reference, registry: registry, setup: setup, peak: peak)
        }
        guard let tiles else { throw .failed(Failure(kind: .broken, message: "no image is open")) }
        return try tiles.measure(request)
      })
  }
}

import Model
import SampleData

@testable import Reports

extension SyntheticSweep {
  /// A source of `images` × 2 codecs × 10 qualities.
  static func source(images: Int, manifest: RunManifest? = SampleRun.manifest) -> RowSource {
    RowSource(manifest: manifest, metrics: metrics, variants: variants) { body in
      for image in 0..<images { try rows(of: image).forEach(body) }
    }
  }
}

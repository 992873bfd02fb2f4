/// What heicbench reads.
package enum ImageInput {
  /// The formats, for messages.
  package static let readableFormats = "PNG, JPEG, PNM, HEIC, AVIF, WebP and JPEG XL"

  /// There is no image for what is to be done: `cut`.
  package static func nothing(to purpose: String) -> HeicBenchError {
    HeicBenchError(.noInput, "there is no image to \(purpose); heicbench reads \(readableFormats)")
  }
}

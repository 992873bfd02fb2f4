/// What heicbench reads.
package enum ImageInput {
  /// The formats, for messages.
  package static let readableFormats = "PNG, JPEG, PNM, HEIC, AVIF, WebP and JPEG XL"
}

import Reports

/// What heicbench reads.
package enum ImageInput {
  /// The formats, for messages.
  package static let readableFormats = "PNG, JPEG, PNM, HEIC, AVIF, WebP and JPEG XL"

  /// There is no image for what is to be done: `cut`.
  /// - Parameter ownFiles: how many files that heicbench wrote were passed over.
  package static func nothing(to purpose: String, ownFiles: Int = 0) -> HeicBenchError {
    guard ownFiles == 0 else {
      return HeicBenchError(
        .noInput,
        "there is no image to \(purpose) but \(Numerals.counted(ownFiles, "file")) that heicbench wrote, as with "
          + "--keep-encoded; they are passed over in folders: name them one by one, as in folder/*.heic")
    }
    return HeicBenchError(
      .noInput, "there is no image to \(purpose); heicbench reads \(readableFormats)")
  }
}

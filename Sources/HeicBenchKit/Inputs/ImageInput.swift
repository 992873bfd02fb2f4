import Reports

/// The formats that heicbench reads, and the error if there is no image.
package enum ImageInput {
  package static let readableFormats = "PNG, JPEG, PNM, HEIC, AVIF, WebP and JPEG XL"

  /// The error for having no image for a purpose such as `cut`.
  /// - Parameter ownFiles: number of files skipped because heicbench wrote them.
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

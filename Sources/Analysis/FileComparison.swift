package import Model

/// Bytes of lossy source files against a variant's bytes for the same pixels at one score: the answer to “should I
/// convert my JPEGs?”. Scores are against the original file, so a conversion adds its loss to the file's own.
package struct FileComparison: Sendable, Hashable {
  package var variant: CodecVariant
  /// Score of the headline metric; infinite after lossless packing, the other answer to the same question.
  package var target: Double
  package var images = 0
  package var outOf = 0
  package var fileBytes = 0
  package var bytes = 0.0
  package var larger = 0

  mutating func add(fileBytes: Int, bytes: Double) {
    images += 1
    self.fileBytes = saturatingSum(self.fileBytes, fileBytes)
    self.bytes += bytes
    if bytes > Double(fileBytes) { larger += 1 }
  }

  package var changePercent: Double? { fileBytes > 0 ? (bytes / Double(fileBytes) - 1) * 100 : nil }
}

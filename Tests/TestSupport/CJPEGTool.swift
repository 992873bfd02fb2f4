package import Pixels

/// libjpeg-turbo's own program, if it is installed. Our files must equal its files.
package enum CJPEGTool {
  private static let tool = OutsideTool("cjpeg")

  /// Its path; nil if it is not installed.
  package static var path: String? { tool.path }

  /// The file that it makes from an 8-bit image.
  package static func encode(_ image: RasterImage, _ arguments: [String]) throws -> [UInt8] {
    guard case .bytes(let samples) = image.samples else { return [] }
    let magic = image.format.layout == .gray ? "P5" : "P6"
    let file = Array("\(magic)\n\(image.width) \(image.height)\n255\n".utf8) + samples
    return try tool.output(
      of: file, named: "in.pnm", as: "out.jpg", arguments + ["-outfile", "{out}", "{in}"])
  }
}

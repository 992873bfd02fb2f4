import Codecs
import Foundation
import Model
import Store

/// A request to put separately encoded tiles together into one HEIC or AVIF file without decoding them.
package struct TilePackRequest: Sendable {
  /// A folder of tiles whose names end in `COLUMN_ROW`, or tiles row by row.
  package var tiles: [InputPath]
  /// The file to write; an existing one is not replaced.
  package var output: String
  /// Tiles per row; nil if their names tell.
  package var columns: Int?
  /// The picture's size; nil for the one noted when the tiles were made, or else the one that the last tile shows.
  package var size: PixelSize?

  package init(_ tiles: [InputPath], into output: String) {
    self.tiles = tiles
    self.output = output
  }

  /// Writes the file, whole or not at all.
  /// - Throws: `HeicBenchError` that names the tile that does not fit, or says why the file cannot be written.
  package func run() throws {
    try HeicBenchError.mapping {
      try Limits.columns.check(columns)
      let files = try TileFiles.find(tiles, columns: columns)
      let bytes = try files.files.map { path in
        let bytes: [UInt8]
        do throws(Failure) { bytes = try SourceFile.bytes(at: path.bytes) } catch {
          throw HeicBenchError(.noInput, "“\(path.name)” \(error.message)")
        }
        guard bytes.dropFirst(4).starts(with: "ftyp".utf8) else {
          throw HeicBenchError(.noInput, "“\(path.name)” is no HEIC file, as tiles to pack have to be")
        }
        return bytes
      }
      let packed: [UInt8]
      do throws(TilePackingError) {
        packed = try TilePacking.file(
          bytes, columns: files.columns, size: (size ?? files.pictureSize).map { ($0.width, $0.height) })
      } catch {
        let place = error.file.map { "“\(files.files[$0].name)”: " } ?? ""
        throw HeicBenchError(.noInput, "\(place)\(error.reason)")
      }
      // A slip in a name must not cost a file: an existing one stays.
      let url = URL(filePath: output)
      let folder = url.deletingLastPathComponent().path(percentEncoded: false)
      try OwnedFolder(folder.isEmpty ? "." : folder).give(packed, as: url.lastPathComponent)
    }
  }
}

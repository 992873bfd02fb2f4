import CodecKit
package import Model

extension HEIFReader {
  /// Reads Exif data, decoder configurations and encoders' messages; a grid's first tile represents all.
  package func making(of bytes: [UInt8]) -> FileMaking {
    var making = FileMaking()
    guard let boxes = try? HEIFBox.list(in: bytes[...], isTruncationAllowed: true),
      let meta = boxes.first("meta"), let items = try? HEIFItems(meta: meta), let primary = items.primary
    else { return making }
    for (item, type) in items.types.sorted(by: { $0.key < $1.key }) where type == "Exif" {
      guard let data = items.data(of: item, in: bytes) else { continue }
      var reader = BoxScanner(data)
      // The first number is the offset to the TIFF header (ISO/IEC 23008-12, A.2.1).
      guard let offset = reader.number(4), reader.take(offset) != nil else { continue }
      ExifText.describe(reader.rest, in: &making)
    }
    var walk = HEIFDerivationWalk(file: bytes, items: items, maximumPixels: .max)
    guard let coded = try? walk.visit(primary) else { return making }
    making.bitDepth = coded.bits
    if items.types[primary] == "grid" { making.tiles = Self.tiles(primary, items, bytes) }
    let configurations = items.propertyBoxes[coded.item] ?? []
    if let box = configurations.first("hvcC") {
      Self.describe(hevc: box, items.data(of: coded.item, in: bytes), in: &making)
    } else if let box = configurations.first("av1C") {
      Self.describe(av1: box, in: &making)
    }
    return making
  }

  /// Text such as `8×6 tiles of 512×512`.
  private static func tiles(_ item: Int, _ items: HEIFItems, _ file: [UInt8]) -> String? {
    guard let data = items.data(of: item, in: file, count: 4), let first = items.sources(of: item).first
    else { return nil }
    let bytes = Array(data)
    guard bytes.count == 4 else { return nil }
    for case .size(let width, let height) in items.properties[first] ?? [] {
      return "\(Int(bytes[3]) + 1)×\(Int(bytes[2]) + 1) tiles of \(width)×\(height)"
    }
    return nil
  }

  private static let hevcProfiles = [
    1: "Main", 2: "Main 10", 3: "Main Still Picture", 4: "Range Extensions", 9: "Screen Content Coding",
  ]
  private static let chromaFormats = ["4:0:0", "4:2:0", "4:2:2", "4:4:4"]

  /// Adds a HEVC decoder configuration (ISO/IEC 14496-15, 8.3.3.1) and its stream's encoder.
  private static func describe(
    hevc box: HEIFBox, _ stream: ArraySlice<UInt8>?, in making: inout FileMaking
  ) {
    let bytes = Array(box.payload.prefix(23))
    guard bytes.count == 23 else { return }
    let profile = hevcProfiles[Int(bytes[1] & 31)].map { " \($0)" } ?? ""
    making.coding = "HEVC\(profile)"
    making.chroma = chromaFormats[Int(bytes[16] & 3)]
    var reader = BoxScanner(box.payload.dropFirst(23))
    for _ in 0..<bytes[22] {
      guard reader.byte() != nil, let count = reader.number(2) else { break }
      for _ in 0..<count {
        guard let length = reader.number(2), let unit = reader.take(length) else { break }
        if let encoder = HEVCMessages.encoder(inUnit: unit) {
          making.encoder = encoder
          return
        }
      }
    }
    guard let stream else { return }
    making.encoder = HEVCMessages.encoder(in: stream, lengthSize: Int(bytes[21] & 3) + 1)
  }

  /// Adds an AV1 decoder configuration (AV1 in ISOBMFF, 2.3.3).
  private static func describe(av1 box: HEIFBox, in making: inout FileMaking) {
    let bytes = Array(box.payload.prefix(3))
    guard bytes.count == 3 else { return }
    let profiles = ["Main", "High", "Professional"]
    let profile = Int(bytes[1] >> 5)
    making.coding = "AV1" + (profiles.indices.contains(profile) ? " \(profiles[profile])" : "")
    making.chroma =
      switch (bytes[2] & 0x10 != 0, bytes[2] & 8 != 0, bytes[2] & 4 != 0) {
      case (true, _, _): "4:0:0"
      case (_, true, true): "4:2:0"
      case (_, true, false): "4:2:2"
      default: "4:4:4"
      }
  }
}

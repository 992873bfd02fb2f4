import Model
import Pixels

/// Packs descriptions to send them from a worker.
extension FileDescription {
  package func pack(into packer: inout BytePacker) {
    packer.add((obstacle?.rawValue ?? -1) + 1)
    packer.add(isRecognised ? 1 : 0)
    packer.add(fileBytes)
    packer.add(contentHash)
    packer.add(header)
    packer.add(camera)
    packer.add(contents)
    packer.add(foreignFormat)
    packer.add(problem)
  }

  /// - Throws: `Invalid` for a description that no file can have.
  package init(from unpacker: inout ByteUnpacker) throws(ByteUnpacker.Invalid) {
    self.init()
    let place = try unpacker.number()
    obstacle = place == 0 ? nil : try unpacker.required(Obstacle(rawValue: max(place, 0) - 1))
    isRecognised = try unpacker.number() == 1
    fileBytes = try unpacker.number()
    contentHash = try unpacker.hash()
    header = try unpacker.header()
    camera = try unpacker.line()
    contents = try unpacker.contents()
    foreignFormat = try unpacker.line()
    problem = try unpacker.failure()
    guard fileBytes >= 0 else { throw ByteUnpacker.Invalid() }
  }

  fileprivate static let longestText = 2000
  /// The range for counts of items in a file, and for their bytes.
  fileprivate static let items = 0...Int(Int32.max)
}

extension BytePacker {
  fileprivate mutating func add(_ text: String?) {
    add(text == nil ? 0 : 1)
    if let text { add(text) }
  }

  fileprivate mutating func add(_ header: ImageHeader?) {
    add(header == nil ? 0 : 1)
    guard let header else { return }
    add(header.format)
    add(header.width)
    add(header.height)
    add(header.bitDepth)
    add(header.layout.rawValue)
    add((header.isLossy ? 1 : 0) + (header.hdr == nil ? 0 : 2))
    if let hdr = header.hdr {
      add(hdr.primaries)
      add(hdr.transfer)
    }
  }

  fileprivate mutating func add(_ failure: Failure?) {
    add(failure?.kind.rawValue)
    add(failure?.message)
  }

  /// Adds 0 for nil, -1 and the failure, or the number of kinds plus 1 and the kinds.
  fileprivate mutating func add(_ contents: Result<FileContents, Failure>?) {
    switch contents {
    case nil: add(0)
    case .failure(let failure)?:
      add(-1)
      add(failure)
    case .success(let contents)?:
      add(contents.shares.count + 1)
      for (kind, share) in contents.shares {
        add(kind.rawValue)
        add(share.count)
        add(share.bytes)
        add(share.plainBytes)
      }
    }
  }
}

extension ByteUnpacker {
  fileprivate func required<Value>(_ value: Value?) throws(Invalid) -> Value {
    guard let value else { throw Invalid() }
    return value
  }

  /// Reads a text on one line.
  fileprivate mutating func line() throws(Invalid) -> String? {
    try number() == 0 ? nil : PlainText.line(try text(), limit: FileDescription.longestText)
  }

  fileprivate mutating func hash() throws(Invalid) -> String? {
    guard try number() != 0 else { return nil }
    let hash = try text()
    let isHexadecimal = hash.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    guard hash.utf8.count == 64, isHexadecimal else { throw Invalid() }
    return hash
  }

  fileprivate mutating func header() throws(Invalid) -> ImageHeader? {
    guard try number() != 0 else { return nil }
    var header = ImageHeader(
      format: PlainText.line(try text(), limit: FileDescription.longestText), width: try number(),
      height: try number(), bitDepth: try number(), layout: try required(ChannelLayout(rawValue: try text())),
      isLossy: false)
    let flags = try number()
    header.isLossy = flags & 1 == 1
    if flags & 2 == 2 { header.hdr = CodePoints(primaries: try number(), transfer: try number()) }
    guard header.width > 0, header.height > 0, Bound.depth.contains(header.bitDepth) else { throw Invalid() }
    return header
  }

  fileprivate mutating func failure() throws(Invalid) -> Failure? {
    let kind = try line()
    let message = try line()
    guard let kind, let message else { return nil }
    return Failure(kind: try required(Failure.Kind(rawValue: kind)), message: message).recorded
  }

  fileprivate mutating func contents() throws(Invalid) -> Result<FileContents, Failure>? {
    let kinds = try number()
    if kinds == 0 { return nil }
    if kinds == -1 { return .failure(try required(try failure())) }
    guard kinds > 0, kinds <= FileContents.Kind.allCases.count + 1 else { throw Invalid() }
    var contents = FileContents()
    for _ in 1..<kinds {
      let kind = try required(FileContents.Kind(rawValue: try text()))
      let (count, bytes, plain) = (try number(), try number(), try number())
      guard FileDescription.items.contains(count), bytes >= 0, plain >= 0 else { throw Invalid() }
      contents.add(kind, bytes: bytes, count: count, plain: plain)
    }
    return .success(contents)
  }
}

package import Model
package import Workers

/// The files of a corpus by name and kind, in bytewise order of their names. None has been opened yet.
package struct FoundFiles: Sendable {
  let candidates: [CorpusWalker.Candidate]
  package let passedOver: PassedOver

  package var count: Int { candidates.count }
}

package struct CorpusListing: Sendable, Hashable {
  /// In bytewise order of their names; each name occurs once.
  package var entries: [CorpusEntry]
  package var passedOver: PassedOver = PassedOver()
  /// The sample that the entries are; nil for all images.
  package var sample: DrawnSample?
}

package struct CorpusEntry: Sendable, Hashable {
  package let identity: ImageIdentity
  /// The path's bytes as the system uses them; paths need not be valid text.
  package let path: [UInt8]
  package let fileBytes: Int
  /// Nil if the header could not be read.
  package let header: ImageHeader?
  /// Why the image cannot be measured, judging by its header; nil if it is worth trying.
  package let problem: Failure?
  /// What the file contains besides its picture, or why that is unknown; nil unless it was requested.
  package let contents: Result<FileContents, Failure>?

  package init(
    identity: ImageIdentity, path: [UInt8], fileBytes: Int, header: ImageHeader?, problem: Failure? = nil,
    contents: Result<FileContents, Failure>? = nil
  ) {
    self.identity = identity
    self.path = path
    self.fileBytes = fileBytes
    self.header = header
    self.problem = problem
    self.contents = contents
  }

  package var file: ImageFile {
    ImageFile(path: path, identity: identity, fileBytes: fileBytes, header: header)
  }

  /// Pixels that workers may have to handle: 0 for a refused image, whatever its header claims.
  var pixels: Int { problem == nil ? file.pixels : 0 }
}

extension [CorpusEntry] {
  /// The first entry with each content, so that copies count once.
  var withoutCopies: [CorpusEntry] {
    var contents: Set<String> = []
    return filter { contents.insert($0.identity.contentHash).inserted }
  }
}

extension [CaseRecord] {
  /// The names of images with the same content as an image earlier in the records.
  var copies: Set<String> {
    var owners = ContentOwners()
    return reduce(into: []) { copies, record in
      let image = record.key.image
      if owners.enter(image.name, contentHash: image.contentHash) == .copy { copies.insert(image.name) }
    }
  }
}

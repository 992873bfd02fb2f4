package import Model
package import Workers

/// The files of a corpus by name and kind, none of them opened yet, in bytewise order of their names.
package struct FoundFiles: Sendable {
  let candidates: [CorpusWalker.Candidate]
  package let passedOver: PassedOver

  package var count: Int { candidates.count }
}

package struct CorpusListing: Sendable, Hashable {
  /// In bytewise order of their names, each name once.
  package var entries: [CorpusEntry]
  package var passedOver: PassedOver = PassedOver()
  /// The sample that the entries are; nil for all images.
  package var sample: DrawnSample?
}

package struct CorpusEntry: Sendable, Hashable {
  package let identity: ImageIdentity
  /// The path's bytes as the system takes them; paths need not be valid text.
  package let path: [UInt8]
  package let fileBytes: Int
  /// Nil if the header could not be read.
  package let header: ImageHeader?
  /// The reason that the image cannot be measured, known from its header alone; nil if it is worth trying.
  package let problem: Failure?
  /// What the file holds beside its picture, or the reason why that is unknown; nil unless it was asked for.
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
  /// The first entry of each content: copies count once.
  var withoutCopies: [CorpusEntry] {
    var contents: Set<String> = []
    return filter { contents.insert($0.identity.contentHash).inserted }
  }
}

extension [CaseRecord] {
  /// The names of images whose content another has under a name that comes first among the records.
  var copies: Set<String> {
    var owners = ContentOwners()
    return reduce(into: []) { copies, record in
      let image = record.key.image
      if owners.enter(image.name, contentHash: image.contentHash) == .copy { copies.insert(image.name) }
    }
  }
}

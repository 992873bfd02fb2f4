import Foundation
import GRDB
package import Model

extension ResultStore {
  private static let readSubject = "reads"
  private static let chainSubject = "chains"

  /// The last question on reads; the defaults if there is none or it is unreadable.
  package func readQuestion() throws(StoreError) -> ReadQuestion {
    let text = try question(Self.readSubject)
    guard let text, let asked = try? JSONDecoder().decode(ReadQuestion.self, from: Data(text.utf8)) else {
      return ReadQuestion()
    }
    // Validated again: a store may come from a stranger.
    return ReadQuestion(score: asked.score, bandwidth: asked.bandwidth, roots: asked.roots)
  }

  package func note(_ question: ReadQuestion) throws(StoreError) { try note(question, Self.readSubject) }

  package func note(_ question: ChainQuestion) throws(StoreError) { try note(question, Self.chainSubject) }

  /// The chains of the last call, in order of arrival; nil if there was none.
  package func chains() throws(StoreError) -> [CaseRecord]? {
    guard let text = try question(Self.chainSubject),
      let asked = try? JSONDecoder().decode(ChainQuestion.self, from: Data(text.utf8))
    else { return nil }
    return try results(.generations, where: asked.covers)
  }

  /// The last question on a subject; nil if there is none.
  func question(_ subject: String) throws(StoreError) -> String? {
    try read { db in
      try String.fetchOne(db, sql: "SELECT text FROM question WHERE subject = ?", arguments: [subject])
    }
  }

  func note(_ question: some Encodable, _ subject: String) throws(StoreError) {
    try write { db in
      let text = String(decoding: try JSONEncoder().encode(question), as: UTF8.self)
      try db.execute(
        sql: "INSERT OR REPLACE INTO question(subject, text) VALUES (?, ?)", arguments: [subject, text])
    }
  }
}

/// The chains that the latest call asked for, so that a gate compares no others.
package struct ChainQuestion: Sendable, Hashable, Codable {
  private var images: Set<ImageIdentity>
  /// Each chain without its image.
  private var chains: Set<Case>

  package init(_ keys: Set<Case>) {
    images = Set(keys.map(\.image))
    chains = Set(keys.map(Self.chain))
  }

  func covers(_ key: Case) -> Bool { images.contains(key.image) && chains.contains(Self.chain(key)) }

  private static func chain(_ key: Case) -> Case {
    var chain = key
    chain.image = ImageIdentity(name: "", contentHash: "")
    return chain
  }
}

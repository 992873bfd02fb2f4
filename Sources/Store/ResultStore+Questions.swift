import Foundation
import GRDB
package import Model

extension ResultStore {
  private static let readSubject = "reads"

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

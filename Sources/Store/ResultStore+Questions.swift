import Foundation
import GRDB
package import Model

extension ResultStore {
  private static let readSubject = "reads"

  /// What was asked of reads last; the defaults where nobody has asked, or where it cannot be read.
  package func readQuestion() throws(StoreError) -> ReadQuestion {
    let text = try question(Self.readSubject)
    guard let text, let asked = try? JSONDecoder().decode(ReadQuestion.self, from: Data(text.utf8)) else {
      return ReadQuestion()
    }
    // A store may come from a stranger.
    return ReadQuestion(score: asked.score, bandwidth: asked.bandwidth, roots: asked.roots)
  }

  /// Keeps what is asked of reads in the place of what was asked before.
  package func note(_ question: ReadQuestion) throws(StoreError) { try note(question, Self.readSubject) }

  /// What was asked about a subject last; nil where nobody has asked.
  func question(_ subject: String) throws(StoreError) -> String? {
    try read { db in
      try String.fetchOne(db, sql: "SELECT text FROM question WHERE subject = ?", arguments: [subject])
    }
  }

  /// Keeps what is asked about a subject in the place of what was asked before.
  func note(_ question: some Encodable, _ subject: String) throws(StoreError) {
    try write { db in
      let text = String(decoding: try JSONEncoder().encode(question), as: UTF8.self)
      try db.execute(
        sql: "INSERT OR REPLACE INTO question(subject, text) VALUES (?, ?)", arguments: [subject, text])
    }
  }
}

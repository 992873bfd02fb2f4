import HeicBenchKit
import Testing
import Workers

@testable import View

/// A worker finds a question by its name.
@Suite struct QuestionNamesTests {
  @Test func everyQuestionHasANameOfItsOwn() {
    let questions = Questions.all + ViewQuestions.all
    #expect(Set(questions.map { Questions.name($0) }).count == questions.count)
  }
}

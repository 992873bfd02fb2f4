import Testing

@testable import Analysis

struct ThresholdPosteriorTests {
  /// Answers, with the results of the Python package questplus 2023.1 (`norm_cdf`, the same grid, `min_entropy`).
  @Test(arguments: [
    (
      "52+ 65+ 70+ 74+ 78+ 81+ 84- 74+ 78+ 78+ 81+ 84+ 84+ 87+ 87+ 87- 84- 81+ 81+ 81+ 84+ 84+ 84- 81+ 81- 78+ 81+ 81+ "
        + "81+ 84- 81+ 81+ 81+ 81+ 84+ 84- 81+ 81+ 84- 81+", 83.0988, 1.7981
    ),
    (
      "52+ 65- 44+ 44- 35+ 35+ 35+ 44+ 44+ 44+ 52+ 52+ 52+ 59+ 59+ 59+ 65+ 70- 59+ 59+ 59+ 65+ 65+ 65- 59+ 65+ 65+ 65- "
        + "59+ 59+ 65+ 65+ 65+ 65+ 65+ 65+ 65+ 65+ 70+ 70+", 69.0595, 5.3828
    ),
    (
      "52+ 65+ 70+ 74+ 78+ 81+ 84+ 87+ 87+ 90+ 90+ 93- 87+ 90+ 90- 87+ 87+ 90- 87+ 87+ 87+ 87+ 90- 87+ 87+",
      89.8826,
      2.7413
    ),
  ])
  func agreesWithQuestPlus(answers: String, mean: Double, deviation: Double) throws {
    var posterior = ThresholdPosterior()
    for answer in answers.split(separator: " ") {
      let score = try #require(Double(answer.dropLast()))
      posterior.enter(isRight: answer.last == "+", at: .init(at: score))
    }
    #expect(abs(posterior.mean - mean) < 0.001)
    #expect(abs(posterior.deviation - deviation) < 0.001)
    #expect(posterior.quantile(0.025) < mean - deviation && posterior.quantile(0.975) > mean + deviation)
  }

  @Test func asksWhereTheAnswerTellsMost() {
    var posterior = ThresholdPosterior()
    for _ in 0..<12 {
      posterior.enter(isRight: true, at: .init(at: 78))
      posterior.enter(isRight: false, at: .init(at: 90))
      posterior.enter(isRight: true, at: .init(at: 90))
    }
    let scores = [30.0, 60, 82, 99]
    #expect(posterior.mostTelling(of: scores.map(ThresholdPosterior.Chances.init)) == 2)
    #expect(posterior.mostTelling(of: []) == nil)
  }
}

import Model
import Testing

@testable import Analysis

@Suite struct BlockArrayTests {
  @Test(arguments: [0, 1, 1023, 1024, 1025, 3000])
  func valuesStayInTheirOrder(count: Int) {
    var array = BlockArray<Int>()
    for value in 0..<count { array.append(value) }
    #expect(array.count == count)
    #expect(Array(array) == Array(0..<count))
  }

  @Test func aCopyIsAnArrayOfItsOwn() {
    var first = BlockArray<Int>()
    for value in 0..<1500 { first.append(value) }
    var second = first
    second.append(-1)
    first.append(-2)
    #expect(Array(first).last == -2)
    #expect(Array(second).last == -1)
  }

  @Test func theFirstOfEqualImagesIsNamed() {
    var column = FigureColumn(.plain)
    for (name, value) in [("a", 2.0), ("b", 1), ("c", 1), ("d", 3), ("e", 3)] {
      column.add(value, image: NamedImage(name: name, isSmall: name == "d"))
    }
    let figure = column.figure(outOf: 6, options: AnalysisOptions())
    #expect(figure?.best == NamedFigure(image: "b", value: 1))
    #expect(figure?.worst == NamedFigure(image: "d", value: 3, isSmall: true))
    #expect(figure?.median == 2 && figure?.mean == 2 && figure?.images == 5 && figure?.outOf == 6)
  }
}

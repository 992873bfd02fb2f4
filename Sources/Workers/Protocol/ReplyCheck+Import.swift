import Model

extension ReplyCheck {
  /// What a worker says of an imported file: the file may have said it of itself.
  func checked(_ file: ImportedMeasurement) throws(Lie) -> ImportedMeasurement {
    var file = file
    try require(Bound.bytes.contains(file.bytes), "the file's size")
    try require(file.metadataBytes.map((0..<file.bytes).contains) ?? false, "the bytes of its metadata")
    let external = setup.externalMetrics.map(\.id).filter { file.scores[$0] != nil }
    try require(file.asked == setup.metrics + external.sorted(), "what was asked for")
    try check([file.decode], repeats: 1...1)
    try check(file.scores)
    file.failedScores = try file.failedScores.map { failed throws(Lie) in try checked(failedScores: failed) }
    try require(file.metricPrograms == nil, "what stands behind a metric")
    try require(file.making.bitDepth.map(Bound.depth.contains) ?? true, "the file's depth")
    (file.format, file.decoder) = (clean(file.format), clean(file.decoder))
    file.making.software = file.making.software.map(clean)
    file.making.camera = file.making.camera.map(clean)
    file.making.encoder = file.making.encoder.map(clean)
    file.making.coding = file.making.coding.map(clean)
    file.making.chroma = file.making.chroma.map(clean)
    file.making.profile = file.making.profile.map(clean)
    file.making.tiles = file.making.tiles.map(clean)
    file.steps = try clean(file.steps)
    return file
  }
}

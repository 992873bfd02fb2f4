package import Store

/// The files that heicbench writes into a results folder, and the check that a file is its own.
package enum ResultsFolder {
  package static let targetsName = "targets.csv"
  /// The folder of batches for the codec-compare viewer, and the file that lists them.
  static let (codecCompareName, batchListName) = ("codec-compare", "batches.json")

  /// Reports by name, with the first bytes that version 0.1.0 wrote: that version left no list of its files.
  static let reports: [(name: String, beginning: String)] =
    [
      (ReportWriter.measurementsName, "image,width,height,"),
      (ReportWriter.summaryName, "# heicbench"),
      (ReportWriter.pageName, "<!DOCTYPE html>\n<html lang=\"en\">"),
      (ReportStamp.fileName, "{\""),
      (targetsName, "image,codec,settings,target,"),
      (ImageFigureColumns.savingsName, "image,variant,reference,metric,score,"),
      (ImageFigureColumns.ratesName, "image,variant,reference,metric,range,"),
      (ImageFigureColumns.comparisonsName, "score,variant,against,"),
      (ImageFigureColumns.bdRateComparisonsName, "score_from,score_to,variant,against,"),
    ]
    + ChartKind.allCases.map { ($0.fileName, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"hb-chart\"") }

  /// Opens the folder for writing and removes leftovers of killed processes. Files of version 0.1.0 become ours if the
  /// folder holds our store and no list yet, their names and first bytes are those of a report, and a stamp, if any,
  /// still matches.
  package static func open(_ folder: String) throws(OutputError) -> OwnedFolder {
    let files = try OwnedFolder(folder)
    // Without a list, the store shows that the folder is ours.
    guard !files.isNew || ResultStore.isOurs(in: folder) else { return files }
    files.removeLeftovers()
    guard files.isNew else {
      ReportStamp.vouch(for: files)
      return files
    }
    let stamped = ReportStamp.described(in: files)
    for (name, beginning) in reports {
      let isUnstamped = name == targetsName || name == ReportStamp.fileName
      guard isUnstamped || stamped?.contains(name) != false else { continue }
      try adopt(name, beginning: beginning, files)
    }
    for name in files.names(in: ReportWriter.picturesName) where isPicture(name) {
      try adopt(ReportWriter.picturesName + "/" + name, beginning: "\u{89}PNG", files)
    }
    for name in files.names(in: codecCompareName) where name.hasSuffix(".json") {
      let beginning = name == batchListName ? "[" : "{\n\"constant_descriptions\": "
      try adopt(codecCompareName + "/" + name, beginning: beginning, files)
    }
    return files
  }

  /// Throws if something that is not ours has the name of a report. Changes nothing, and is called before anything is
  /// measured.
  package static func refuseObstacles(in files: OwnedFolder) throws(OutputError) {
    try files.refuseObstacles(among: names(in: files))
  }

  static func names(in files: OwnedFolder) -> [String] {
    let pictures = files.names(in: ReportWriter.picturesName).filter(isPicture)
    // A name below the folder also reveals an obstacle to the folder itself.
    return reports.map(\.name)
      + (["1-reference.png"] + pictures).map { ReportWriter.picturesName + "/" + $0 }
  }

  /// True if a file in `report-images` is named like a page's picture: `2-reference.png`, `2-0-map.png`.
  static func isPicture(_ name: String) -> Bool {
    name.wholeMatch(of: /[0-9]+-(?:[0-9]+|reference|thumbnail|[0-9]+-map)\.png/) != nil
  }

  private static func adopt(_ name: String, beginning: String, _ files: OwnedFolder) throws(OutputError) {
    // The first byte of a PNG file is not valid text.
    let bytes = beginning == "\u{89}PNG" ? [0x89, 0x50, 0x4e, 0x47] : Array(beginning.utf8)
    if files.beginning(of: name, count: bytes.count) == bytes { try files.adopt(name) }
  }
}

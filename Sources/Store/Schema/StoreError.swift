/// A reason a results folder is unusable. Existing data is always preserved.
package enum StoreError: Error, Sendable, Hashable {
  case missing(path: String)
  case notWritable(path: String, reason: String)
  case inTheWay(path: String, reason: String)
  case vanished(path: String)
  case diskFull(path: String)
  case inUse(path: String, by: String)
  case newerVersion(path: String, found: Int, known: Int)
  /// The file is not a database, or has invalid contents.
  case damaged(path: String, reason: String)
  case foreign(path: String)
  /// Two stores differ in a value that depends only on the point's key.
  case conflict(StoreConflict)
  case unmergeable(path: String, reason: String)
  case failed(path: String, reason: String)
}

extension StoreError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missing(let path):
      "There are no results at “\(path)”. Run a sweep with --output on its folder first, or name another folder."
    case .notWritable(let path, let reason):
      "“\(path)” cannot be written: \(reason). Choose another folder with --output."
    case .inTheWay(let path, let reason):
      "“\(path)” is in the way: \(reason). Move it elsewhere, or choose another folder. It was left as it is."
    case .vanished(let path):
      "“\(path)” was removed or replaced while this run wrote into it, and what it measured is lost. Run the "
        + "same command again."
    case .diskFull(let path):
      "The disk of “\(path)” is full. Free some space and run the same command again; everything finished is kept."
    case .inUse(let path, let holder):
      "“\(path)” is in use by another heicbench (\(holder)). Wait for it, or choose another folder with --output."
    case .newerVersion(let path, let found, let known):
      "“\(path)” was made by a newer heicbench (format \(found), this one knows \(known)). Update heicbench, or "
        + "choose another folder with --output."
    case .damaged(let path, let reason):
      "“\(path)” is damaged: \(reason). Move it elsewhere and run again, or save what can be saved with "
        + "“sqlite3 FILE .recover”. Nothing in it was removed."
    case .foreign(let path):
      "“\(path)” is another program's database. Choose another folder with --output. It was left as it is."
    case .conflict(let conflict): conflict.description
    case .unmergeable(let path, let reason):
      "“\(path)” cannot be merged: \(reason)."
    case .failed(let path, let reason):
      "“\(path)” cannot be used: \(reason). Check the disk and its file system."
    }
  }
}

/// Two different measurements of a point that should be equal.
package struct StoreConflict: Sendable, Hashable, CustomStringConvertible {
  package struct Side: Sendable, Hashable {
    package var path: String
    package var host: String
    package var value: String
  }

  package var point: String
  /// The differing quantity: `encoded bytes`, `encoded file's hash` or a metric's identifier.
  package var quantity: String
  package var sides: [Side]

  package var description: String {
    let values = sides.map { "\($0.value) on host \($0.host) (“\($0.path)”)" }.joined(separator: " but ")
    return
      "The results contradict each other on the \(quantity) of \(point): \(values). Equal libraries should "
      + "give equal values; find out which host differs and measure its part again with --fresh. Nothing from the "
      + "second folder was merged."
  }
}

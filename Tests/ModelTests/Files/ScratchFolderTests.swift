import Foundation
import TestSupport
import Testing

@testable import Model

@Suite struct ScratchFolderTests {
  @Test("a killed run's folder is removed, a living one's is kept, and nothing else is touched")
  func abandoned() throws {
    let parent = try TemporaryFolder()
    let manager = FileManager.default
    let left = parent.path + "/heicbench-metric-aB3xYz"
    try manager.createDirectory(atPath: left, withIntermediateDirectories: false)
    try Data("old".utf8).write(to: URL(filePath: left + "/distorted.png"))
    let other = parent.path + "/heicbench-metric-of-mine"
    try manager.createDirectory(atPath: other, withIntermediateDirectories: false)
    try manager.createSymbolicLink(
      atPath: parent.path + "/heicbench-metric-abcdef", withDestinationPath: other)
    let first = try ScratchFolder(in: parent.path)
    #expect(!manager.fileExists(atPath: left))
    let second = try ScratchFolder(in: parent.path)
    #expect(manager.fileExists(atPath: first.path) && manager.fileExists(atPath: second.path))
    #expect(manager.fileExists(atPath: other))
  }

  @Test("without a place for it there is a message")
  func nowhere() {
    #expect {
      _ = try ScratchFolder(in: "/nonexistent/folder")
    } throws: { error in
      "\(error)".contains("/nonexistent/folder") && "\(error)".contains("TMPDIR")
    }
  }
}

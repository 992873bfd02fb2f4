import Foundation
import TestSupport
import Testing

/// `heicbench view --blind` as users run it: its socket does not reveal which side is which, and it keeps every answer.
@Suite("view --blind, run as a program")
struct BlindProgramTests {
  let desk: ProgramDesk

  init() throws { desk = try ProgramDesk() }

  @Test func aTrialTellsNoSideAndAnAnswerIsKept() throws {
    try desk.writeImage("images/a.ppm", width: 96, height: 80)
    let view = try RunningView(desk, ["images", "--blind", "--codec", "jpeg", "--output", "own"])
    let page = try view.client().ask("GET", "/\(view.token)/", headers: view.headers)
    #expect(String(decoding: page.body, as: UTF8.self).contains("photosensitive"))
    let (client, _) = try view.connect()
    client.send(#"{"type":"show","picture":0}"#)
    let opened = try RunningView.event("opened", client)
    let (width, height) = (try #require(opened["width"] as? Int), try #require(opened["height"] as? Int))
    client.send(
      #"{"type":"begin","picture":0,"view":[0,0,64,64],"shown":"flicker","viewport":[1280,900],"ratio":1}"#)
    var answered = 0
    while answered < 5 {
      var planes: [[UInt8]] = []
      var text: [String: Any] = [:]
      while text["type"] as? String != "trial" {
        let frame = try #require(client.frame())
        if frame.isText {
          text = try #require(try JSONSerialization.jsonObject(with: Data(frame.payload)) as? [String: Any])
        } else if frame.payload[1] >= 4 {
          planes.append(frame.payload)
        }
      }
      #expect(planes.map { $0[1] } == [4, 5, 6, 7])
      #expect(Set(planes.map(\.count)) == [24 + min(64, width) * min(64, height) * 4])
      #expect(Set(text.keys) == ["type", "number", "answered", "most", "canUndo", "width", "height"])
      let isLeft = planes[0].dropFirst(24) != planes[1].dropFirst(24)
      #expect(isLeft != (planes[2].dropFirst(24) != planes[3].dropFirst(24)))
      let number = try #require(text["number"] as? Int)
      client.send(
        #"{"type":"answer","number":\#(number),"answer":"\#(isLeft ? "left" : "right")","milliseconds":9}"#)
      answered += 1
    }
    _ = try RunningView.event("trial", client)
    view.end()
    let lines = try String(contentsOf: desk.folder.url.appending(path: "own/blind.csv"), encoding: .utf8)
      .split(
        separator: "\n")
    #expect(lines.count == 6 && lines[0].hasPrefix("session,test,seed,trial,kind,image,"))
    #expect(lines.dropFirst().allSatisfy { $0.contains(",left,left,9,") || $0.contains(",right,right,9,") })
    let report = try desk.run(["report", "own"])
    #expect(report.status == 0)
    #expect(
      try String(contentsOf: desk.folder.url.appending(path: "own/blind.md"), encoding: .utf8)
        .contains("no threshold found"))
    let sweep = try desk.run([
      "images", "--codec", "jpeg", "--qualities", "0.5", "--refine", "off", "--metrics", "none", "--images",
      "none", "--output", "own",
    ])
    #expect(sweep.status == 0, "\(sweep.errors)")
    #expect(try desk.text("own/summary.md").contains("What people saw"))
  }

  /// Observers answer one test of both codecs' thresholds, with a break, and one comparison of both.
  @Test(
    .enabled(
      if: DrivenBrowser.isPresent, "SKIPPED: needs Chromium and Python; scripts/setup --tests installs them"))
  func thePageWorksInABrowser() throws {
    try DrivenBrowser.check(
      "blind-test",
      [
        desk.program.executable.path, DrivenBrowser.file("corpus/photo/market.png").path, "--codec",
        "heic:preset=ultrafast", "--codec", "jpeg", "--runs", "0", "--guess", "0", "--cheat", "0",
      ])
  }

  @Test("a locked log does not stop the page, which asks for the answer again")
  func heldLog() throws {
    try desk.writeImage("images/a.ppm", width: 96, height: 80)
    let view = try RunningView(desk, ["images", "--blind", "--codec", "jpeg", "--output", "own"])
    let (client, _) = try view.connect()
    client.send(#"{"type":"show","picture":0}"#)
    _ = try RunningView.event("opened", client)
    client.send(
      #"{"type":"begin","picture":0,"view":[0,0,64,64],"shown":"flicker","viewport":[1280,900],"ratio":1}"#)
    func answer(_ trial: [String: Any]) throws {
      let number = try #require(trial["number"] as? Int)
      client.send(#"{"type":"answer","number":\#(number),"answer":"left","milliseconds":9}"#)
    }
    let first = try RunningView.event("trial", client)
    let lock = open(desk.folder.path + "/own/.heicbench-blind.csv.tmp", O_CREAT | O_RDWR, 0o600)
    defer { close(lock) }
    try #require(flock(lock, LOCK_EX) == 0)
    try answer(first)
    let page = try view.client().ask("GET", "/\(view.token)/", headers: view.headers)
    #expect(String(decoding: page.body, as: UTF8.self).contains("photosensitive"))
    let failed = try RunningView.event("failed", client)
    #expect((failed["message"] as? String)?.contains("Another program is writing to it") == true, "\(failed)")
    let again = try RunningView.event("trial", client)
    try #require(flock(lock, LOCK_UN) == 0)
    try answer(again)
    _ = try RunningView.event("trial", client)
    view.end()
    #expect(try desk.text("own/blind.csv").split(separator: "\n").count == 2)
  }
}

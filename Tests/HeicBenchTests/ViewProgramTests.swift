import CodecKit
import Codecs
import Foundation
import Pixels
import TestSupport
import Testing

/// `heicbench view` as users run it: the address that it prints, the page, the socket, and how it ends.
@Suite("view, run as a program")
struct ViewProgramTests {
  let desk: ProgramDesk

  init() throws { desk = try ProgramDesk() }

  @Test func aMoveBecomesPixelsFiguresAndAFile() throws {
    try desk.writeImage("images/a.ppm")
    let view = try RunningView(desk, ["images", "--metrics", "psnr-rgb,ssimulacra2"])
    let (client, hello) = try view.connect()
    #expect(hello["type"] as? String == "hello")
    #expect((hello["pictures"] as? [Any])?.count == 1)

    client.send(#"{"type":"show","picture":0}"#)
    let opened = try RunningView.event("opened", client)
    let (width, height) = (try #require(opened["width"] as? Int), try #require(opened["height"] as? Int))
    let original = try #require(client.frame())
    #expect(!original.isText)
    #expect(original.payload.count == 24 + width * height * 4)

    // A message with an older number is ignored after a newer one.
    for (number, quality) in [(7, 0.9), (3, 0.1)] {
      client.send(
        #"{"type":"move","side":"left","number":\#(number),"picture":0,"codec":"jpeg","quality":\#(quality),"view":[0,0,\#(width),\#(height)],"settled":true}"#
      )
    }
    let whole = try RunningView.event("whole", client)
    #expect(whole["number"] as? Int == 7)
    let pixels = try #require(client.frame())
    #expect(pixels.payload.count == 24 + width * height * 4)
    #expect(Array(pixels.payload.prefix(8)) == [4, 1, 0, 0, 7, 0, 0, 0], "left, of move 7")
    let scored = try RunningView.event("scored", client)
    #expect(scored["number"] as? Int == 7)
    let further = try #require(scored["further"] as? [[String]])
    let scores = try #require(scored["scores"] as? [String: Double])
    #expect(further.map(\.first) == ["PSNR-RGB"] && further[0][1].hasSuffix(" dB"))
    let shown = try #require(Double(further[0][1].dropLast(3)))
    #expect(abs(shown - (scores["psnr-rgb"] ?? 0)) < 0.01)

    let other = try #require(PageClient(port: view.port))
    let file = other.ask("GET", "/\(view.token)/file?side=left&number=7", headers: ["Host: \(view.host)"])
    #expect(file.code == 200)
    #expect(file.body.count == whole["bytes"] as? Int)
    #expect(Array(file.body.prefix(2)) == [0xFF, 0xD8])
    view.end()
  }

  /// A move of the left side over a picture that requests its whole file.
  private static func move(_ number: Int, codec: String, quality: Double = 0.5) -> String {
    #"{"type":"move","side":"left","number":\#(number),"picture":0,"codec":"\#(codec)","quality":\#(quality),"view":[0,0,9,9],"settled":true}"#
  }

  @Test("view finds the same quality for a score as a sweep does")
  func sameQualityAsASweep() throws {
    try desk.writeImage("images/a.ppm", width: 160, height: 128)
    let codecs = ["jpeg", "heic:preset=ultrafast", "heic:chroma=444,preset=ultrafast", "webp"]
    let sweep = try desk.run(
      ["images", "--qualities", "0.1...1.0", "--score", "70", "--images", "none", "--metrics", "ssimulacra2"]
        + codecs.flatMap { ["--codec", $0] })
    #expect(sweep.status == 0, "\(sweep.errors)")
    let answer = try desk.run(["recommend", "results", "--score", "70", "--format", "json"]).output
    let json = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any]
    let settings = try #require(json?["fulfilling"] as? [[String: Any]])
    #expect(settings.count == codecs.count)

    let view = try RunningView(desk, ["images"])
    let (client, _) = try view.connect()
    client.send(#"{"type":"show","picture":0}"#)
    _ = try RunningView.event("opened", client)
    for (index, setting) in settings.enumerated() {
      let codec = try #require(setting["variant"] as? String)
      client.send(
        #"{"type":"move","side":"left","number":\#(index + 1),"picture":0,"codec":"\#(codec)","quality":0.5,"score":70,"view":[0,0,9,9],"settled":true}"#
      )
      var found = try RunningView.event("scored", client)
      while found["isFinal"] as? Bool != true || found["number"] as? Int != index + 1 {
        found = try RunningView.event("scored", client)
      }
      #expect(found["quality"] as? Double == setting["quality"] as? Double, "\(codec)")
    }
    view.end()
  }

  #if os(Linux)
    @Test func aSideRunsWithTheLibrariesOfABuild() throws {
      try desk.writeImage("images/a.ppm")
      let folder = desk.folder.url.appending(path: "other")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      try Data(try MappedJPEG.bytes(buildID: [0xDE, 0xAD, 0xBE, 0xEF]))
        .write(to: folder.appending(path: "libjpeg.so.62"))
      let view = try RunningView(
        desk, ["images", "--build", "other=other", "--codec", "jpeg@other:progressive=true"])
      let (client, hello) = try view.connect()
      let codecs = (hello["codecs"] as? [[String: Any]])?.compactMap { $0["id"] as? String } ?? []
      #expect(codecs.contains("jpeg@other") && codecs.contains("jpeg"))
      #expect(hello["left"] as? String == "original")
      #expect(hello["right"] as? String == "jpeg@other:progressive=true")

      client.send(#"{"type":"show","picture":0}"#)
      _ = try RunningView.event("opened", client)
      client.send(Self.move(1, codec: "jpeg@other:optimise=true"))
      #expect(try RunningView.event("scored", client)["number"] as? Int == 1)
      let mapped = try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { Int($0) != nil }
        .filter {
          let maps = FileHandle(forReadingAtPath: "/proc/\($0)/maps")
          return String(decoding: (try? maps?.readToEnd()) ?? Data(), as: UTF8.self)
            .contains(folder.resolvingSymlinksInPath().path + "/libjpeg.so.62")
        }
      #expect(!mapped.isEmpty, "a worker has the build's library")

      for (spelling, reason) in [
        ("jpeg@none", "no build “none”"), ("jpeg@other:no-such=1", "no-such"), ("nothing@other", "nothing"),
      ] {
        client.send(Self.move(2, codec: spelling))
        #expect(try Self.refusal(client).contains(reason), "\(spelling)")
      }
      view.end()
    }

    @Test func aFolderThatIsNoBuildIsRefused() throws {
      let refused = try desk.run(["view", "--build", "other=missing"])
      #expect(refused.status == 64)
      #expect(refused.errors.contains("missing"))
    }
  #endif

  /// The text of the next error that the page receives.
  private static func refusal(_ client: PageClient) throws -> String {
    while true {
      let event = try RunningView.event(client)
      if event["type"] as? String == "failed" { return event["message"] as? String ?? "" }
    }
  }

  @Test func anHDRPictureIsRefused() throws {
    let image = try ProgramDesk.image(width: 40, height: 30, seed: 1)
    try FileManager.default.createDirectory(
      at: desk.folder.url.appending(path: "images"), withIntermediateDirectories: true)
    try Data(PNGFile.pq(width: 40, height: 30, rgb: Array(image.suffix(40 * 30 * 3))))
      .write(to: desk.folder.url.appending(path: "images/pq.png"))
    let view = try RunningView(desk, ["images"])
    let (client, _) = try view.connect()
    client.send(#"{"type":"show","picture":0}"#)
    #expect(try Self.refusal(client).contains("HDR (PQ) is not measured"))
    view.end()
  }

  @Test(
    .enabled(
      if: DrivenBrowser.isPresent, "SKIPPED: needs Chromium and Python; scripts/setup --tests installs them"))
  func thePageWorksInABrowser() throws {
    // The smallest picture that comes in two pieces and fills what the bars leave of a phone's screen.
    let coast = [UInt8](try Data(contentsOf: DrivenBrowser.file("corpus/photo/coast.png")))
    let part = try #require(
      PNGReader().read(coast, limits: ReadLimits()).image
        .cropped(to: PixelRegion(x: 60, y: 60, width: 520, height: 364)))
    let picture = desk.folder.url.appending(path: "coast.png")
    try Data(PNGWriter().write(part)).write(to: picture)
    try DrivenBrowser.check(
      "view-test",
      [
        try #require(BuiltProgram("heicbench")).executable.path,
        DrivenBrowser.file("corpus/deep/dusk.png").path, picture.path, "--moves", "30",
      ])
  }

  @Test func picturesAreAddedAndBrokenOnesFailAlone() throws {
    try desk.writeImage("a.ppm")
    let view = try RunningView(desk, [])
    let (client, hello) = try view.connect()
    #expect((hello["pictures"] as? [Any])?.isEmpty == true)
    let picture = Array(try desk.data("a.ppm"))
    for (bytes, name) in [(Array("not a picture".utf8), "b.jpg"), (picture, "a.ppm")] {
      let upload = try #require(PageClient(port: view.port))
      let answer = upload.ask("PUT", "/\(view.token)/upload?name=\(name)", headers: view.headers, body: bytes)
      #expect(answer.code == 200)
    }
    client.send(#"{"type":"show","picture":0}"#)
    while true {
      let event = try RunningView.event(client)
      guard event["type"] as? String == "failed" else { continue }
      #expect(event["picture"] as? Int == 0)
      break
    }
    client.send(#"{"type":"show","picture":1}"#)
    #expect(try RunningView.event("opened", client)["picture"] as? Int == 1)
    view.end()
  }

  @Test func strangersStayOut() throws {
    let view = try RunningView(desk, [])
    for (code, path, headers) in [
      (403, "/\(view.token)/", ["Host: evil.example"]),
      (403, "/\(view.token)/", ["Host: \(view.host)", "Origin: http://evil.example"]),
      (404, "/", ["Host: \(view.host)"]),
      (404, "/\(String(repeating: "0", count: 64))/", ["Host: \(view.host)"]),
      (404, "/\(view.token)/../../etc/passwd", ["Host: \(view.host)"]),
      (403, "/\(view.token)/socket", ["Host: \(view.host)"]),
      (200, "/\(view.token)/", ["Host: \(view.host)"]),
    ] {
      let client = try #require(PageClient(port: view.port))
      #expect(client.ask("GET", path, headers: headers).code == code, "\(path) \(headers)")
    }
    view.end()
  }
}

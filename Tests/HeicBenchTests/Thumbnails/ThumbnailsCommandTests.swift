import CodecKit
import Codecs
import Foundation
import Model
import Pixels
import Synchronization
import TestSupport
import Testing
import Workers

@testable import HeicBenchKit

/// `heicbench thumbnails` as its users run it.
struct ThumbnailsCommandTests {
  private func picture(_ desk: ProgramDesk, _ name: String) throws -> RasterImage {
    let bytes = [UInt8](try desk.data(name))
    let reader = try #require(CodecRegistry.standard.reader(for: bytes))
    return try reader.read(bytes, limits: ReadLimits()).image
  }

  @Test func picturesBecomeSmallAndAreNeverEnlarged() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("photos/day/wide.ppm", width: 260, height: 140)
    try desk.writeImage("photos/tall.ppm", width: 90, height: 300)
    try desk.writeImage("photos/tiny.ppm", width: 20, height: 10)
    try desk.write("of no interest", to: "photos/notes.txt")
    let result = try desk.run(["thumbnails", "photos", "out", "--size", "100"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("3 thumbnails: 3 by full decodes"))
    for (name, width, height) in [("day/wide", 100, 54), ("tall", 30, 100), ("tiny", 20, 10)] {
      let small = try picture(desk, "out/\(name).ppm.jpg")
      #expect((small.width, small.height) == (width, height), "\(name)")
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: desk.folder.path + "/out").sorted() == [
        ".heicbench-files", ".heicbench-thumbnails", "day", "tall.ppm.jpg", "tiny.ppm.jpg",
      ])
  }

  @Test(arguments: [("png", "png"), ("heic", "heic"), ("avif:speed=9", "avif")])
  func everyFormatIsWritten(format: String, ending: String) throws {
    let desk = try ProgramDesk()
    try desk.writeImage("a.ppm", width: 260, height: 140)
    let result = try desk.run(["thumbnails", "a.ppm", "out", "--size", "128", "--format", format])
    #expect(result.status == 0, "\(result.errors)")
    let small = try picture(desk, "out/a.ppm.\(ending)")
    #expect((small.width, small.height) == (128, 69))
  }

  /// A stated size that is wrong by less than a coding block neither gets a file refused nor stretches its picture.
  @Test func aFalseSizeStretchesNothing() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("a.ppm", width: 64, height: 48)
    let made = try desk.run(["thumbnails", "a.ppm", "made", "--size", "64", "--format", "avif:speed=9"])
    #expect(made.status == 0, "\(made.errors)")
    var bytes = [UInt8](try desk.data("made/a.ppm.avif"))
    // The last byte of the width, after version and flags.
    let place = try #require(bytes.firstRange(of: Array("ispe".utf8))?.upperBound) + 7
    #expect(bytes[place] == 64)
    bytes[place] = 128
    try Data(bytes).write(to: desk.folder.url.appending(path: "wide.avif"))
    let result = try desk.run(["thumbnails", "wide.avif", "out", "--size", "32"])
    #expect(result.status == 0, "\(result.errors)")
    let small = try picture(desk, "out/wide.avif.jpg")
    #expect((small.width, small.height) == (32, 24))
  }

  /// Judging takes as long as hundreds of thumbnails. Even with several workers, it is done once.
  @Test(arguments: [false, true]) func oneFileOfAKindIsJudged(isFirstBroken: Bool) throws {
    let desk = try ProgramDesk()
    let codec = try #require(CodecRegistry.standard.codec("heic"))
    let variant = try CodecRegistry.standard.variant("heic:preset=ultrafast,thumbnail=160")
    let image = try #require(SyntheticImage.waves(width: 400, height: 300))
    let file = try codec.encode(image, EncodeSettings(variant: variant, quality: 0.8, traits: codec.traits))
    let files = try (0..<7).map { number in
      let url = desk.folder.url.appending(path: "\(number).heic")
      try Data(number == 0 && isFirstBroken ? file.dropLast(file.count / 2) : file[...]).write(to: url)
      return GlancedFile(
        name: "\(number)", path: Array(url.path.utf8), fileBytes: file.count, modifiedNanoseconds: 0,
        pixels: image.pixelCount, format: "heic", kind: "heic 400×300", camera: nil, problem: nil)
    }
    let runner = ThumbnailRunner(
      ThumbnailStyle(sides: [120], score: 1),
      configuration: RunnerConfiguration(jobs: 3, workerExecutable: desk.program.executable.path))
    let outcomes = Mutex<[Outcome<MadeThumbnails>]>([])
    try runner.run(files) { _, outcome in outcomes.withLock { $0.append(outcome) } }
    let made = outcomes.withLock { $0 }.compactMap { outcome in
      if case .measured(let thumbnail) = outcome { thumbnail } else { nil }
    }
    #expect(made.count == (isFirstBroken ? 6 : 7) && outcomes.withLock { $0.count } == 7)
    #expect(made.count { $0.judgement != nil } == 1)
    #expect(made.allSatisfy { $0.route == .thumbnail })
    // Judging the only file would take longer than making its thumbnail.
    let alone = ThumbnailRunner(
      ThumbnailStyle(sides: [120], score: 1),
      configuration: RunnerConfiguration(jobs: 1, workerExecutable: desk.program.executable.path))
    try alone.run([files[1]]) { _, outcome in
      #expect(outcome.value?.route == .scaled && outcome.value?.judgement == nil)
    }
  }

  /// Two cameras make thumbnails of the same size. The second's blurred one is not used just because the first's is
  /// good.
  @Test func anotherCamerasThumbnailIsJudgedByItself() throws {
    let desk = try ProgramDesk()
    let codec = try #require(CodecRegistry.standard.codec("jpeg"))
    func encoded(_ image: RasterImage) throws -> [UInt8] {
      try codec.encode(
        image, EncodeSettings(variant: CodecVariant(codec: "jpeg"), quality: 0.9, traits: codec.traits))
    }
    let image = try #require(SyntheticImage.waves(width: 640, height: 480))
    let picture = try encoded(image)
    let small = try image.reduced(toWidth: 160, height: 120, by: .lanczos)
    let gray = try #require(
      RasterImage(width: 160, height: 120, layout: .rgb, bytes: [UInt8](repeating: 128, count: 57_600)))
    for (camera, thumbnail) in [("Good", small), ("Poor", gray)] {
      for number in 0..<2 {
        var file = SegmentedJPEG(picture: picture)
        file.segments = [
          SegmentedJPEG.exif(thumbnail: try encoded(thumbnail), model: camera)
        ]
        try Data(file.bytes).write(to: desk.folder.url.appending(path: "\(number)-\(camera).jpg"))
      }
    }
    let names = ["0-Good.jpg", "1-Good.jpg", "0-Poor.jpg", "1-Poor.jpg"]
    let result = try desk.run(["thumbnails"] + names + ["out", "--size", "120", "--at", "30", "-j", "1"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.output.contains("(Good), thumbnail 160×120: embedded thumbnails are good enough (score "),
      "\(result.output)")
    #expect(
      result.output.contains(
        "(Poor), thumbnail 160×120: embedded thumbnails are too poor (score 0 or lower)"))
    #expect(
      result.output.contains("2 from embedded thumbnails, 1 at a reduced decoding size, 1 by full decodes"),
      "\(result.output)")
  }

  @Test func whatIsThereAndNewerIsLeftAlone() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("photos/a.ppm", width: 260, height: 140)
    try desk.writeImage("photos/b.ppm", width: 260, height: 140, seed: 2)
    // The folder of thumbnails may be among the photographs; thumbnails do not count as photographs.
    let command = ["thumbnails", "photos", "photos/small", "--size", "64"]
    #expect(try desk.run(command).status == 0)
    let again = try desk.run(command)
    #expect(again.output.contains("0 thumbnails; 2 already there"), "\(again.output)")
    let later = Date(timeIntervalSinceNow: 60)
    try FileManager.default.setAttributes(
      [.modificationDate: later], ofItemAtPath: desk.folder.path + "/photos/b.ppm")
    #expect(try desk.run(command).output.contains("1 thumbnail: 1 by full decodes"))
    // Another size makes another thumbnail.
    let other = try desk.run(["thumbnails", "photos", "photos/small", "--size", "32"])
    #expect(other.output.contains("2 thumbnails"), "\(other.output)")
    #expect(try picture(desk, "photos/small/a.ppm.jpg").width == 32)
  }

  /// A file whose index points past the end of the file once ended the whole command.
  @Test(
    .enabled(if: SharedFolder.isPresent, "\(SharedFolder.reason)"),
    arguments: [["thumbnails"], ["convert-check", "--codec", "jpeg"]])
  func anIndexBehindTheEndIsNoHarm(words: [String]) throws {
    let desk = try ProgramDesk()
    let folder = SharedFolder.path + "/field/mpf"
    let run = try desk.run(words + [folder] + (words[0] == "thumbnails" ? ["small"] : []))
    #expect(run.status == 0 && !run.wasKilled, "\(run.status): \(run.errors)")
    #expect(!run.errors.contains("killed"), "\(run.errors)")
  }

  @Test func brokenFilesAreNamedAndOthersMade() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("photos/good.ppm", width: 260, height: 140)
    try desk.write("this is no image but a line of text", to: "photos/bad.heic")
    let image = try String(
      decoding: ProgramDesk.image(width: 40, height: 40, seed: 1).prefix(900), as: UTF8.self)
    try desk.write(image, to: "photos/cut.ppm")
    let result = try desk.run(["thumbnails", "photos", "out"])
    #expect(result.status == 3)
    #expect(result.errors.contains("bad.heic: not an image: it contains text"), "\(result.errors)")
    #expect(result.errors.contains("cut.ppm:"), "\(result.errors)")
    #expect(result.output.contains("1 thumbnail: 1 by full decodes"))
  }

  /// A user's photograph with a thumbnail's name is not replaced.
  @Test func whatIsInTheWayStays() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("photos/a.ppm", width: 260, height: 140)
    try FileManager.default.createDirectory(
      at: desk.folder.url.appending(path: "out"), withIntermediateDirectories: true)
    try desk.write("mine", to: "out/a.ppm.jpg")
    let result = try desk.run(["thumbnails", "photos", "out"])
    #expect(result.status == 3)
    #expect(result.errors.contains("a.ppm.jpg"))
    #expect(try desk.text("out/a.ppm.jpg") == "mine")
  }

  /// If a name is too long with its ending, or belongs to a folder, only that picture has no thumbnail.
  @Test func namesThatCannotBeFailAlone() throws {
    let desk = try ProgramDesk()
    let long = String(repeating: "L", count: 250) + ".ppm"
    for name in ["a.ppm", long, "\(String(repeating: "D", count: 255))/b.ppm", "z.ppm"] {
      try desk.writeImage("photos/\(name)", width: 64, height: 48)
    }
    try FileManager.default.createDirectory(
      at: desk.folder.url.appending(path: "out/a.ppm.jpg"), withIntermediateDirectories: true)
    for made in ["2 thumbnails: 2 by full decodes", "0 thumbnails"] {
      let result = try desk.run(["thumbnails", "photos", "out"])
      #expect(result.status == 3 && result.output.contains(made), "\(result.output)")
      #expect(result.errors.contains("LLL.ppm: cannot create"), "\(result.errors)")
      #expect(result.errors.contains("a.ppm: “out/a.ppm.jpg” is in the way"), "\(result.errors)")
    }
    #expect(try picture(desk, "out/z.ppm.jpg").width == 64)
  }

  /// Name and date are not enough: a thumbnail under a picture's name must be of that picture.
  @Test func anotherPicturesThumbnailIsNotTaken() throws {
    let desk = try ProgramDesk()
    let manager = FileManager.default
    for (seed, path) in ["one/a.ppm", "two/a.ppm"].enumerated() {
      try desk.writeImage(path, width: 128, height: 96, seed: UInt64(seed))
      try manager.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: "\(desk.folder.path)/\(path)")
    }
    func make(_ paths: String...) throws -> String {
      let result = try desk.run(["thumbnails"] + paths + ["out", "--format", "png"])
      #expect(result.status == 0, "\(result.errors)")
      return result.output
    }
    #expect(try make("one/a.ppm").contains("1 thumbnail:"))
    let first = try desk.data("out/a.ppm.png")
    // A picture from another folder, with the same size and date.
    #expect(try make("two/a.ppm").contains("1 thumbnail:"))
    let second = try desk.data("out/a.ppm.png")
    #expect(first != second)
    #expect(try make("./two/a.ppm").contains("1 already there"))
    // An older picture replaces it.
    try desk.writeImage("two/a.ppm", width: 128, height: 96, seed: 7)
    try manager.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 9e8)], ofItemAtPath: "\(desk.folder.path)/two/a.ppm")
    #expect(try make("two/a.ppm").contains("1 thumbnail:"))
    #expect(try desk.data("out/a.ppm.png") != second)
    // A changed thumbnail is in the way, and an invalid list does not help.
    try desk.write("[]", to: "out/.heicbench-thumbnails")
    let refused = try desk.run(["thumbnails", "two", "out", "--format", "png"])
    #expect(refused.status == 74 && refused.errors.contains("is in the way"), "\(refused.errors)")
  }

  @Test("several sizes have one folder each, and a missing one is made again with the others")
  func severalSizes() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("photos/a.ppm", width: 130, height: 70)
    func make(_ words: String...) throws -> String {
      let made = try desk.run(["thumbnails", "photos", "out", "--format", "png"] + words)
      #expect(made.status == 0, "\(made.errors)")
      return made.output
    }
    #expect(try make("--size", "64,32").contains("2 thumbnails: 2 by full decodes"))
    for side in [32, 64] {
      #expect(try picture(desk, "out/\(side)/a.ppm.png").width == side)
    }
    #expect(try make("--size", "64,32").contains("0 thumbnails; 2 already there"))
    try FileManager.default.removeItem(at: desk.folder.url.appending(path: "out/32/a.ppm.png"))
    #expect(try make("--size", "64,32").contains("2 thumbnails: 2 by full decodes"))
    let alone = try desk.run(["thumbnails", "photos", "alone", "--format", "png", "--size", "32"])
    #expect(alone.status == 0)
    #expect(try desk.data("alone/a.ppm.png") == desk.data("out/32/a.ppm.png"))
  }

  @Test(arguments: [
    (["photos"], "then the folder"), (["photos", "out", "--size", "0"], "--size"),
    (["photos", "out", "--format", "gif"], "no codec"), (["photos", "out", "--quality", "2"], "--quality"),
    (["photos", "out", "--format", "jpeg", "--quality", "nan"], "--quality"),
  ])
  func wrongUsageIsRefused(arguments: [String], word: String) throws {
    let result = try ProgramDesk().run(["thumbnails"] + arguments)
    #expect(result.status == 64)
    #expect(result.errors.contains(word), "\(result.errors)")
  }

  @Test func nothingToReadIsSaid() throws {
    let desk = try ProgramDesk()
    try desk.write("text", to: "readme.txt")
    #expect(try desk.run(["thumbnails", ".", "out"]).status == 66)
  }

  /// A phone's embedded thumbnail is used only where it shows the picture.
  @Test(.enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.reason)))
  func embeddedThumbnailsAreTakenWhereTheyShowThePicture() throws {
    let desk = try ProgramDesk()
    let file = "\(SharedFolder.path)/inputs/device/arrow.heic"
    for name in ["a", "b"] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(desk.folder.path)/\(name).heic", withDestinationPath: file)
    }
    let lenient = try desk.run(["thumbnails", "a.heic", "b.heic", "lenient"])
    #expect(lenient.output.contains("2 thumbnails: 2 from embedded thumbnails"), "\(lenient.output)")
    let small = try picture(desk, "lenient/a.heic.jpg")
    #expect((small.width, small.height) == (240, 320), "upright")
    let score = try #require(
      lenient.output.firstMatch(of: #/good enough \(score ([\d.]+) or more\)/#).flatMap { Double($0.1) })
    #expect((60...75).contains(score), "it is softer than the picture")
    let strict = try desk.run(["thumbnails", "a.heic", "b.heic", "strict", "--size", "320", "--at", "95"])
    #expect(strict.output.contains("2 thumbnails: 2 at a reduced decoding size"), "\(strict.output)")
    #expect(try picture(desk, "strict/a.heic.jpg").height == 320)
    let large = try desk.run(["thumbnails", "a.heic", "b.heic", "large", "--size", "500", "--at", "1"])
    #expect(large.output.contains("at a reduced decoding size"), "an embedded one of 320 px is not enlarged")
  }
}

import Foundation
import TestSupport
import Testing

/// File names that break programs, from the folder to every output.
@Suite("awkward file names, through the program")
struct AwkwardNamesTests {
  let user: UserFolder

  init() throws {
    user = try UserFolder()
    try FileManager.default.createDirectory(atPath: user.path("images"), withIntermediateDirectories: true)
  }

  /// Names as bytes on the disk, as printed, and as fields of a CSV file.
  private static let names: [(file: [UInt8], printed: String, field: String)] = [
    (Array("two words.ppm".utf8), "two words.ppm", "two words.ppm"),
    (Array("-dash.ppm".utf8), "-dash.ppm", "'-dash.ppm"),
    (Array("=1+1.ppm".utf8), "=1+1.ppm", "'=1+1.ppm"),
    (Array("@SUM(A1).ppm".utf8), "@SUM(A1).ppm", "'@SUM(A1).ppm"),
    (Array("a\"quote\".ppm".utf8), "a\"quote\".ppm", "\"a\"\"quote\"\".ppm\""),
    (Array("it's, here.ppm".utf8), "it's, here.ppm", "\"it's, here.ppm\""),
    (Array("line\nbreak.ppm".utf8), "line\\x0abreak.ppm", "line\\x0abreak.ppm"),
    (Array("a|b`c`.ppm".utf8), "a|b`c`.ppm", "a|b`c`.ppm"),
    (Array("back\\slash.ppm".utf8), "back\\\\slash.ppm", "back\\\\slash.ppm"),
    (
      Array("<img src=x onerror=alert(1)>.ppm".utf8), "<img src=x onerror=alert(1)>.ppm",
      "<img src=x onerror=alert(1)>.ppm"
    ),
    (Array("größe-写真.ppm".utf8), "größe-写真.ppm", "größe-写真.ppm"),
    (Array("bad".utf8) + [0xFF, 0xC3] + Array(".ppm".utf8), "bad\\xff\\xc3.ppm", "bad\\xff\\xc3.ppm"),
  ]

  private func write(_ name: [UInt8], in folder: Int32) throws {
    let file = (name + [0]).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { name in
      name.baseAddress.map { openat(folder, $0, O_WRONLY | O_CREAT, 0o644) } ?? -1
    }
    // APFS refuses names that are not text.
    guard file >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    try handle.write(contentsOf: Data(try UserFolder.image()))
  }

  @Test("every output has every name as text", .timeLimit(.minutes(30)))
  func names() throws {
    let folder = open(user.path("images"), O_RDONLY | O_DIRECTORY)
    defer { close(folder) }
    let names = Self.names.filter { (try? write($0.file, in: folder)) != nil }
    #expect(names.count >= 10)
    let sweep = try user.run(
      "images", "--codec", "jpeg", "--codec", "null", "--qualities", "0.5", "--metrics", "psnr-y", "--format",
      "json")
    #expect(sweep.status == 0, "\(sweep.errors)")
    let csv = try user.rows()
    #expect(csv.count == 2 * names.count)
    for name in names {
      #expect(csv.count { $0.hasPrefix(name.field + ",24,16,") } == 2, "\(name.field)")
    }
    let json = try JSONSerialization.jsonObject(with: Data(sweep.output.utf8))
    let texts = Set(strings(in: json))
    for name in names { #expect(texts.contains(name.printed), "\(name.printed)") }
    for page in ["summary.md", "report.html"] {
      #expect(try !user.text("results/" + page).contains("<img src=x"), "\(page)")
    }
  }

  /// All strings of a JSON value.
  private func strings(in value: Any) -> [String] {
    switch value {
    case let text as String: [text]
    case let list as [Any]: list.flatMap(strings)
    case let object as [String: Any]: object.values.flatMap(strings)
    default: []
    }
  }

  @Test("failures quote awkward names for the shell, and the command finds the file")
  func failures() throws {
    try Data("P6\n100 100\n255\nshort".utf8).write(
      to: user.folder.url.appending(path: "images/it's $(touch owned).ppm"))
    try user.writeImage("images/good.ppm")
    let sweep = try user.run("images", "--codec", "null", "--qualities", "0.5", "--metrics", "none")
    #expect(sweep.status == 3)
    let lines = try user.run("report", "--failures").output.split(separator: "\n")
    let command = try #require(lines.last).drop { $0 == " " }
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = [
      "-c", "heicbench() { \"$0\" \"$@\"; }; \(command) --quiet", user.program.executable.path,
    ]
    shell.currentDirectoryURL = user.folder.url
    let errors = Pipe()
    shell.standardError = errors
    try shell.run()
    let said = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    shell.waitUntilExit()
    // None of the named images can be read.
    #expect(shell.terminationStatus == 66, "\(command): \(said)")
    #expect(said.contains("it's $(touch owned).ppm"))
    #expect(!FileManager.default.fileExists(atPath: user.path("owned")))
  }

  @Test("files that are not images are skipped, counted and named", .timeLimit(.minutes(30)))
  func passedOver() throws {
    try user.writeImage("images/good.ppm")
    try user.writeImage("images/.hidden.ppm")
    try FileManager.default.createSymbolicLink(
      atPath: user.path("images/loop"), withDestinationPath: user.path("images"))
    try FileManager.default.createSymbolicLink(
      atPath: user.path("images/circle"), withDestinationPath: "circle")
    try FileManager.default.createSymbolicLink(
      atPath: user.path("images/nowhere"), withDestinationPath: "missing.ppm")
    #expect(mkfifo(user.path("images/fifo"), 0o644) == 0)
    try user.writeImage("images/secret")
    chmod(user.path("images/secret"), 0)
    let sweep = try user.run("images", "--codec", "null", "--qualities", "0.5", "--metrics", "none")
    #expect(sweep.errors.contains("1 hidden (.hidden.ppm)"), "\(sweep.errors)")
    #expect(sweep.errors.contains("1 not a regular file (fifo)"))
    #expect(sweep.errors.contains("link loop"))
    #expect(sweep.errors.contains("loop") && sweep.errors.contains("circle"))
    #expect(sweep.errors.contains("1 dangling link (nowhere)"))
    // Root can read every file.
    let isRoot = geteuid() == 0
    #expect(isRoot || sweep.errors.contains("secret"))
    #expect(try user.rows().count { $0.contains(",measured,") } == (isRoot ? 2 : 1))
  }

  @Test("a file that only has an image's name fails the run, with its cause", .timeLimit(.minutes(30)))
  func impostors() throws {
    try user.writeImage("images/good.ppm")
    try Data().write(to: URL(filePath: user.path("images/empty.png")))
    try Data("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n".utf8)
      .write(to: URL(filePath: user.path("images/pointer.JPG")))
    try Data("notes".utf8).write(to: URL(filePath: user.path("images/notes.txt")))
    let sweep = try user.run(
      "images", "--codec", "null", "--qualities", "0.5", "--metrics", "none", "--verbose", "--format", "json")
    #expect(sweep.status == 3, "\(sweep.errors)")
    #expect(sweep.errors.contains("2 images unusable"))
    #expect(sweep.errors.contains("skipped “notes.txt”: not an image"))
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(sweep.output.utf8)) as? [String: Any])
    let names = (json["manifest"] as? [String: Any])?["passed_over_names"] as? [String: [String]]
    #expect(names == ["not an image": ["notes.txt"]])
    let failures = try user.run("report", "results", "--failures")
    #expect(failures.output.contains("empty.png: not an image: the file is empty"))
    #expect(failures.output.contains("pointer.JPG: not an image: a Git LFS pointer"))
    #expect(failures.output.contains("git lfs pull"))
    #expect(try user.rows().count == 3)
    // The same command says so again, whatever it remembers about the files.
    #expect(
      try user.run("images", "--codec", "null", "--qualities", "0.5", "--metrics", "none").status == 3)
  }

  @Test("an image below a path of 4,000 bytes is measured")
  func longPath() throws {
    var folder = open(user.path("images"), O_RDONLY | O_DIRECTORY)
    let part = String(repeating: "long-", count: 40)
    let room = 4000 - user.path("images").utf8.count - "/a.ppm".utf8.count
    for _ in 0..<room / (part.utf8.count + 1) {
      #expect(mkdirat(folder, part, 0o755) == 0)
      let next = openat(folder, part, O_RDONLY | O_DIRECTORY)
      close(folder)
      folder = next
    }
    try write(Array("a.ppm".utf8), in: folder)
    close(folder)
    let sweep = try user.run("images", "--codec", "null", "--qualities", "0.5", "--metrics", "none")
    #expect(sweep.status == 0, "\(sweep.errors)")
    #expect(try user.rows().count == 1)
  }
}

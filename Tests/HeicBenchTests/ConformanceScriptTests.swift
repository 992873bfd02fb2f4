#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// The script that compares heicbench's pictures with those of other readers.
  @Suite(
    .enabled(
      if: Python.has("numpy, PIL.ImageCms"),
      "SKIPPED: needs Python with NumPy and Pillow; scripts/setup --tests unpacks them"))
  struct ConformanceScriptTests {
    let desk: ProgramDesk

    init() throws { desk = try ProgramDesk() }

    /// Faults in the PNG that stands in for heicbench's picture of a file, and what the script says about each.
    private static let faults = [
      ("alpha dropped", "UNEXPLAINED: Pillow: alpha"), ("alpha inverted", "UNEXPLAINED: Pillow: alpha"),
      ("not turned", "UNEXPLAINED: Pillow: orientation"),
      ("upside down", "turn 3)"),
      ("channels exchanged", "UNEXPLAINED: Pillow: pixels"),
      ("range not expanded", "UNEXPLAINED: Pillow: pixels"),
      ("gamma dropped", "UNEXPLAINED: Pillow: pixels"), ("cropped", "UNEXPLAINED: Pillow: size"),
    ]

    /// Compares pairs, starting the script once.
    private func compare(_ names: [String]) throws -> (status: Int32, text: String) {
      try Python.run(Self.pairs, Self.script, desk.folder.path, names.joined(separator: ","))
    }

    @Test func equalPicturesAreEqual() throws {
      let found = try compare(["equal", "turned right"])
      #expect(found.status == 0 && found.text.contains("\n0 unexplained"), "\(found.text)")
      #expect(found.text.contains("| all | 2 | 2 | 2 |"), "\(found.text)")
    }

    @Test func faultsAreFound() throws {
      let found = try compare(Self.faults.map(\.0))
      #expect(found.status == 1 && found.text.contains("\n\(Self.faults.count) unexplained"), "\(found.text)")
      for (name, text) in Self.faults {
        let line = found.text.split(separator: "\n").first { $0.contains("/\(name)/a.") }
        #expect(
          line?.contains(text) == true && line?.contains("UNEXPLAINED") == true, "\(name): \(found.text)")
      }
    }

    /// Each file needs a picture, or nobody knows which picture belongs to which file.
    @Test func aPairTooFewIsRefused() throws {
      let found = try Python.run(
        "import subprocess, sys; sys.exit(subprocess.run([sys.executable, *sys.argv[1:]]).returncode)",
        Self.script, "--pair", "a.png", DrivenBrowser.file("corpus/odd/1x1.png").path,
        DrivenBrowser.file("corpus/odd/1x37.png").path)
      #expect(found.status == 64 && found.text.contains("1 --pair for 2 images"), "\(found.text)")
    }

    /// The program's own pictures, and a file that no reader can read.
    @Test func aFolderIsCompared() throws {
      for seed: UInt64 in 1...2 { try desk.writeImage("images/\(seed).ppm", seed: seed) }
      try Data("\u{89}PNG\r\n\u{1a}\n".utf8).write(to: desk.folder.url.appending(path: "images/broken.png"))
      try Data("no image".utf8).write(to: desk.folder.url.appending(path: "images/notes.txt"))
      let command =
        "import os, subprocess, sys; os.environ['HEICBENCH'] = sys.argv[3]; "
        + "sys.exit(subprocess.run([sys.executable, sys.argv[1], sys.argv[2] + '/images']).returncode)"
      let found = try Python.run(command, Self.script, desk.folder.path, desk.program.executable.path)
      #expect(
        found.status == 0 && found.text.contains("| PNM | 2 | 2 | 2 | 0 | 0 | 0 | 0 | 0 |"), "\(found.text)")
      #expect(found.text.contains("| all | 3 | 2 | 2 | 0 | 0 | 0 | 1 | 0 |"), "\(found.text)")
    }

    private static let script = URL(filePath: #filePath).appending(path: "../../../scripts/conformance")
      .standardized.path

    /// Writes the pair for each name and runs the script on them.
    private static let pairs = """
      import os, struct, subprocess, sys, zlib, numpy
      from PIL import Image, ImageOps
      script, root, names = sys.argv[1:]
      y, x = numpy.mgrid[0:48, 0:64]
      picture = Image.fromarray(numpy.stack([x * 4, y * 5, 255 - x * 2, 40 + x * 3], -1).astype('uint8'), 'RGBA')
      words, files = [], []
      for name in names.split(','):
          folder = root + '/' + name
          os.mkdir(folder)
          image = picture
          colour, made, options = image.convert('RGB'), image, {}
          if name in ('turned right', 'not turned'):
              file, image = 'a.jpg', colour
              options = {'exif': bytes.fromhex('45786966000049492a00080000000100120103000100000006000000') + bytes(4), 'quality': 95}
          else:
              file = 'a.png'
          if name == 'gamma dropped':
              image = made = colour
          image.save(folder + '/' + file, **options)
          if name == 'gamma dropped':
              body = b'gAMA' + struct.pack('>I', 100000)
              data = open(folder + '/a.png', 'rb').read()
              chunk = struct.pack('>I', 4) + body + struct.pack('>I', zlib.crc32(body))
              open(folder + '/a.png', 'wb').write(data[:33] + chunk + data[33:])
          if file == 'a.jpg':
              made = Image.open(folder + '/a.jpg')
              made = ImageOps.exif_transpose(made) if name == 'turned right' else made
          alpha = image.getchannel('A') if image.mode == 'RGBA' else None
          if name == 'alpha dropped':
              made = colour
          if name == 'alpha inverted':
              made = Image.merge('RGBA', [*colour.split(), alpha.point(lambda value: 255 - value)])
          if name == 'upside down':
              made = image.rotate(180)
          if name == 'channels exchanged':
              made = Image.merge('RGBA', [*colour.split()[::-1], alpha])
          if name == 'range not expanded':
              made = Image.merge('RGBA', [*colour.point(lambda value: 16 + value * 219 // 255).split(), alpha])
          if name == 'cropped':
              made = image.crop((0, 0, 60, 48))
          made.info.clear()
          made.save(folder + '/heicbench.png', exif=b'')
          words += ['--pair', folder + '/heicbench.png']
          files.append(folder + '/' + file)
      sys.exit(subprocess.run([sys.executable, script, *words, *files]).returncode)
      """
  }
#endif

#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// Libraries run their own code as they are loaded, before the program that loads them does anything.
  @Suite("hostile builds, through the program")
  struct HostileBuildTests {
    private static let compiler = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .flatMap { folder in ["cc", "clang", "gcc"].map { "\(folder)/\($0)" } }
      .first { FileManager.default.isExecutableFile(atPath: $0) }

    let desk: ProgramDesk

    init() throws { desk = try ProgramDesk() }

    /// The functions that x265 must find in libnuma, and does not call if NUMA is not available.
    private static let questions = [
      "allocate_cpumask", "allocate_nodemask", "bitmask_free", "bitmask_weight", "max_node", "node_to_cpus",
      "run_on_node_mask", "set_interleave_mask", "set_localalloc",
    ]

    /// A libnuma that writes a file and starts a program when it is loaded.
    private func makeLibrary(_ compiler: String) throws {
      let folder = desk.folder.url
      try FileManager.default.createDirectory(
        at: folder.appending(path: "build"), withIntermediateDirectories: true)
      let source = """
        #include <stdlib.h>
        #include <fcntl.h>
        #include <unistd.h>
        int numa_available(void) { return -1; }
        \(Self.questions.map { "void numa_\($0)(void) {}" }.joined(separator: "\n"))
        __attribute__((constructor)) static void begin(void) {
          unsetenv("LD_LIBRARY_PATH");
          int file = open("\(folder.path)/written", O_CREAT | O_WRONLY, 0600);
          if (file >= 0) close(file);
          (void)!system("touch \(folder.path)/started");
        }
        """
      try Data(source.utf8).write(to: folder.appending(path: "numa.c"))
      let build = try BuiltProgram(URL(filePath: compiler)).run(
        ["-shared", "-fPIC", "-Wl,-soname,libnuma.so.1", "-o", "build/libnuma.so.1", "numa.c"], in: folder)
      try #require(build.status == 0, "\(build.errors)")
    }

    private func left() -> [String] {
      ["written", "started"].filter {
        FileManager.default.fileExists(atPath: desk.folder.url.appending(path: $0).path)
      }
    }

    @Test(
      "a build's constructors run in the worker's sandbox: they cannot write files or start programs",
      .enabled(if: compiler != nil, "SKIPPED: there is no C compiler"))
    func holdsConstructorsInTheSandbox() throws {
      try makeLibrary(try #require(Self.compiler))
      let unheld = try desk.program.run(
        ["codecs"], in: desk.folder.url, environment: ["LD_LIBRARY_PATH": desk.folder.path + "/build"])
      #expect(unheld.status == 0)
      try #require(left() == ["written", "started"], "the library does nothing, so there is no test")
      for name in left() { try FileManager.default.removeItem(at: desk.folder.url.appending(path: name)) }

      // A build that changes none of the codecs is refused, after a worker has loaded it.
      let held = try desk.program.run(["codecs", "--build", "evil=build"], in: desk.folder.url)
      #expect(held.status == 64, "\(held.errors)")
      #expect(left().isEmpty)
    }

    /// A libavif in the user's own path was used and named for `avif`, and named for files that libheif had read.
    @Test(
      "libavif is loaded only for a build",
      .enabled(if: compiler != nil, "SKIPPED: there is no C compiler"))
    func loadsLibAVIFOnlyForABuild() throws {
      let folder = desk.folder.path + "/own"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try desk.write(
        """
        #include <stdio.h>
        __attribute__((constructor)) static void begin(void) { fclose(fopen("loaded", "w")); }
        """, to: "avif.c")
      let library = try BuiltProgram(URL(filePath: try #require(Self.compiler))).run(
        ["-shared", "-fPIC", "-o", "own/libavif.so.16", "avif.c"], in: desk.folder.url)
      try #require(library.status == 0, "\(library.errors)")
      let loaded = desk.folder.path + "/loaded"
      let control = try BuiltProgram(URL(filePath: "/bin/true")).run(
        [], in: desk.folder.url, environment: ["LD_PRELOAD": folder + "/libavif.so.16"])
      try #require(control.status == 0 && FileManager.default.fileExists(atPath: loaded))
      try FileManager.default.removeItem(atPath: loaded)
      for variable in ["LD_LIBRARY_PATH", "LIBAVIF_FOLDER"] {
        let codecs = try desk.run(["codecs", "avif"], environment: [variable: folder])
        #expect(codecs.status == 0 && codecs.output.contains("AVIF (libheif, aom)"), "\(codecs.errors)")
        #expect(!FileManager.default.fileExists(atPath: loaded), "\(variable)")
      }
    }

    @Test(
      "a build whose libheif lacks a symbol is refused with the linker's message",
      .enabled(if: compiler != nil, "SKIPPED: there is no C compiler"))
    func namesAMissingFunction() throws {
      try desk.write("int absent(void); int heif_init(void *p) { return absent(); }", to: "heif.c")
      try FileManager.default.createDirectory(
        at: desk.folder.url.appending(path: "lacking"), withIntermediateDirectories: true)
      let library = try BuiltProgram(URL(filePath: try #require(Self.compiler))).run(
        ["-shared", "-fPIC", "-Wl,-soname,libheif.so.1", "-o", "lacking/libheif.so.1", "heif.c"],
        in: desk.folder.url)
      try #require(library.status == 0, "\(library.errors)")
      let refused = try desk.run(["codecs", "--build", "new=lacking"])
      #expect(refused.status == 64)
      #expect(
        refused.errors.contains("its libraries cannot be used: libheif")
          && refused.errors.contains("undefined symbol: absent"), "\(refused.errors)")
    }
  }
#endif

package import CodecKit
import Foundation
package import Model

/// The builds of the libraries that a command names, each tried in its own worker before any measurement.
package struct TriedBuilds: Sendable {
  package private(set) var builds: [LibraryBuild] = []
  private var inspections: [String: LibraryInspection] = [:]

  package static let none = TriedBuilds()

  private init() {}

  /// Starts a worker with each build's libraries. Throws `BuildError` for an unusable build and `WorkerStartError` if
  /// the system refuses a process.
  /// - Parameters:
  ///   - spellings: The variants to resolve, spelled as for `--codec`; those that use the system's libraries are
  ///     ignored.
  package init(
    _ builds: [LibraryBuild], spellings: [String], system: CodecRegistry,
    program: String = RunnerConfiguration.ownExecutable
  ) throws {
    guard !builds.isEmpty else { return }
    let own = system.codecs.filter { !$0.traits.isHidden }.map { Set($0.traits.libraries) }
    for build in builds {
      guard !build.isSystem else {
        throw BuildError(
          description:
            "build “\(build.name)”: the system's libraries do not need a build; leave out @\(build.name) "
            + "(only bisect takes NAME=system)")
      }
      guard inspections[build.name] == nil else { throw BuildError(build, "its name is used twice") }
      let mine = spellings.filter { Self.build(of: $0) == build.name }
      let trial = try BuildTrial(build, spellings: mine, program: program)
      if trial.inspection.codecs.map({ Set($0.libraries) }) == own {
        throw BuildError(build, "every codec still runs with the system's own libraries")
      }
      if let twin = self.builds.first(where: { $0.files == trial.build.files }) {
        throw BuildError(build, "it contains the same libraries as build “\(twin.name)”")
      }
      self.builds.append(trial.build)
      inspections[build.name] = trial.inspection
    }
  }

  package func inspection(of name: String) -> LibraryInspection? { inspections[name] }

  /// The build that a spelling names: `new` for `heic@new:preset=slow`; nil for the system's libraries.
  package static func build(of spelling: String) -> String? {
    let name = spelling.prefix { $0 != ":" }
    return name.firstIndex(of: "@").map { String(name[name.index(after: $0)...]) }
  }

  package static func check(_ spelling: String, among builds: [LibraryBuild]) throws(CodecError) {
    let known = builds.map(\.name)
    guard let name = build(of: spelling), !known.contains(name) else { return }
    throw .invalidSetting(
      "“\(spelling)”: no build “\(name)”\(suggestion(for: name, among: known)); "
        + (known.isEmpty
          ? "name one with --build \(name)=FOLDER" : "available: \(known.joined(separator: ", "))"))
  }

  package func variant(_ spelling: String) throws(CodecError) -> ResolvedVariant {
    try Self.check(spelling, among: builds)
    let inspection = Self.build(of: spelling).flatMap { inspections[$0] }
    guard let variant = inspection?.variants[spelling] else {
      throw .invalidSetting(inspection?.refusals[spelling] ?? "“\(spelling)” was not tried")
    }
    return variant
  }

  /// The traits of a variant's codec with its build's libraries; nil for the system's.
  package func traits(of variant: CodecVariant) -> CodecTraits? {
    variant.build.flatMap { inspections[$0]?.codecs.first { $0.id == variant.codec } }
  }

  /// The rasters that a variant of a build accepts; nil for one of the system's.
  package func support(for variant: CodecVariant) -> PixelSupport? {
    variant.build.flatMap { inspections[$0]?.variants.values.first { $0.variant == variant }?.support }
  }
}

private struct BuildTrial {
  let build: LibraryBuild
  let inspection: LibraryInspection

  /// The time limit of an inspection, seconds.
  private static let patience = 60.0

  init(_ build: LibraryBuild, spellings: [String], program: String) throws {
    let folder = try LibraryFolder(build)
    inspection = try Self.inspect(build, spellings, program)
    let own = Self.directory(build.folder)
    let mapped = inspection.files.filter { Self.directory($0.path, isFile: true) == own }
    guard !mapped.isEmpty else {
      let reasons = folder.names.compactMap { name in folder.obstacle(name).map { "\(name) \($0)" } }
      // The linker names the file that it cannot use.
      let refusal = inspection.codecs.compactMap(\.absence).first { $0.contains(build.folder) }
      throw BuildError(
        build,
        reasons.first.map { "the dynamic linker skipped it: \($0)" }
          ?? refusal.map { "its libraries cannot be used: \($0)" }
          ?? "none of its libraries has a name that heicbench looks for, such as libjpeg.so.62 or libheif.so.1"
      )
    }
    let names = Set(mapped.map(\.name))
    let elsewhere = Dictionary(
      inspection.files.map { ($0.name, $0.path) }, uniquingKeysWith: { first, _ in first })
    for name in folder.names where !names.contains(name) {
      guard let other = elsewhere[name] else { continue }
      let reason = folder.obstacle(name).map { ": it \($0)" } ?? ""
      throw BuildError(build, "the dynamic linker skipped \(name) and loaded \(other)\(reason)")
    }
    var tried = build
    tried.files = mapped.map { file in file.build.map { "\(file.name) (build \($0))" } ?? file.name }.sorted()
    self.build = tried
  }

  private static func inspect(
    _ build: LibraryBuild, _ spellings: [String], _ program: String
  ) throws -> LibraryInspection {
    var configuration = RunnerConfiguration(jobs: 1, workerExecutable: program)
    (configuration.builds, configuration.sharesFiles) = ([build], false)
    let pool = WorkerPool(configuration)
    defer { pool.retire() }
    let slot = pool.sessions[0]
    do { try slot.start(build.name) } catch let error as WorkerStartError where !error.isShortage {
      throw BuildError(build, "its libraries cannot be used: \(error)")
    }
    let response = try slot.ask(InspectQuestion(spellings: spellings), build: build.name, within: patience)
    guard let inspection = response.value else {
      let reason = response.failure?.message ?? "gave no answer"
      throw BuildError(build, "its libraries cannot be used: a worker \(reason)")
    }
    return inspection
  }

  private static func directory(_ path: String, isFile: Bool = false) -> String {
    let url = URL(filePath: path)
    return (isFile ? url.deletingLastPathComponent() : url).resolvingSymlinksInPath().path
  }
}

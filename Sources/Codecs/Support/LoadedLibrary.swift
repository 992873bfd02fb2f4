import CLoadedLibraries
import CodecKit
import Foundation
import Model

struct LoadedLibrary {
  let path: String
  /// The first eight digits of its GNU build id, or, without one, of the file's SHA-256; nil if neither can be read.
  let build: String?

  /// Finds a library by the beginning of its file's name, such as `libheif`; nil if none is mapped.
  init?(_ stem: String) {
    self.init { hb_find_library(stem, $0) > 0 }
  }

  /// Calls `find` with room for a description; nil if it finds nothing.
  private init?(_ find: (hb_library) -> Bool) {
    var path = [CChar](repeating: 0, count: Int(HB_LIBRARY_PATH))
    var build = [CChar](repeating: 0, count: Int(HB_LIBRARY_BUILD))
    let isFound = path.withUnsafeMutableBufferPointer { path in
      build.withUnsafeMutableBufferPointer { find(hb_library(path: path.baseAddress, build: $0.baseAddress)) }
    }
    guard isFound else { return nil }
    self.path = path.withUnsafeBytes { Self.text($0) }
    let digits = build.withUnsafeBytes { Self.text($0) }
    self.build = digits.isEmpty ? Self.contentHash(self.path) : String(digits.prefix(8))
  }

  static var all: [MappedFile] {
    var files: [MappedFile] = []
    while let library = LoadedLibrary({ hb_library_at(Int32(clamping: files.count), $0) != 0 }) {
      files.append(MappedFile(path: library.path, build: library.build))
    }
    return files
  }

  /// Used only without a build id, because hashing takes some 10 ms per megabyte.
  private static func contentHash(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(SHA256.hexDigest(of: [UInt8]($0)).prefix(8)) }
  }

  /// The number after `.so.`: 199 of `libx265.so.199`.
  var fileVersion: Int? {
    let name = path.split(separator: "/").last ?? ""
    guard let ending = name.firstRange(of: ".so.") else { return nil }
    return name[ending.upperBound...].split(separator: ".").first.flatMap { Int($0) }
  }

  static func text(in stem: String, beginning: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 128)
    guard hb_find_library_text(stem, beginning, &buffer, buffer.count) != 0 else { return nil }
    return buffer.withUnsafeBytes { text($0) }
  }

  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}

extension LibraryVersion {
  func withBuild(of stem: String) -> LibraryVersion {
    LibraryVersion(name: name, version: version, build: LoadedLibrary(stem)?.build)
  }
}

/// The state of a library when the process first uses its format.
struct OpenedLibrary: Sendable {
  let version: Result<LibraryVersion, CodecError>

  /// The state of a library behind a shim, which must be built with the library's headers.
  init<Status: Equatable>(
    _ name: String, _ status: Status, found: Status, notBuilt: Status, missing: @autoclosure () -> String,
    version: () -> String
  ) {
    guard status == found else {
      let headers = "heicbench was built without \(name)'s headers (Debian: \(name)-dev)"
      self.version = .failure(.unsupported(status == notBuilt ? headers : missing()))
      return
    }
    self.version = .success(LibraryVersion(name: name, version: version()).withBuild(of: name))
  }

  init(version: Result<LibraryVersion, CodecError>) { self.version = version }

  func need() throws(CodecError) { _ = try version.get() }

  var libraries: [LibraryVersion] { (try? version.get()).map { [$0] } ?? [] }

  var absence: String? {
    guard case .failure(let error) = version else { return nil }
    return "\(error)"
  }
}

import Model
import Testing

@Suite("Builds of libraries") struct LibraryBuildTests {
  @Test(arguments: ["new", "libheif-1.8.1", "3", "a_b"])
  func takes(name: String) { #expect(LibraryBuild.isName(name)) }

  @Test(arguments: ["", "-a", ".a", "a b", "a@b", "a:b", "ä", "a,b", String(repeating: "a", count: 65)])
  func refuses(name: String) { #expect(!LibraryBuild.isName(name)) }

  @Test("a variant is named after codec, build and settings")
  func variantName() {
    let variant = CodecVariant(codec: "heic", build: "new", settings: ["preset": "fast"])
    #expect(variant.name == "heic@new:preset=fast")
    #expect(CodecVariant(codec: "heic", build: "new").name == "heic@new")
    #expect(variant != CodecVariant(codec: "heic", settings: ["preset": "fast"]))
  }

  @Test("a key's libraries are split into those that encoded and those that scored")
  func halves() {
    let own = LibraryVersion(name: "x265", version: "4.3", build: "0a")
    let system = LibraryVersion(name: "libheif", version: "1.15.1")
    var description = VariantDescription(
      variant: CodecVariant(codec: "heic", build: "new"), libraries: [own], threads: 1)
    #expect(LibrarySpelling.halves(of: description.librariesInKey) == ("x265 4.3 (build 0a)", nil))
    description.decoder = [system]
    #expect(
      LibrarySpelling.halves(of: description.librariesInKey) == ("x265 4.3 (build 0a)", "libheif 1.15.1"))
  }
}

import Model
import SampleData
import Testing

@testable import Reports

@Suite struct ReproduceCommandTests {
  @Test(arguments: [
    ("heicbench a.png --timeout 5 --jobs 2", ["--timeout", "5"]),
    (
      "heicbench --memory-per-job=1GiB a.png --max-pixels 2.5",
      ["--memory-per-job=1GiB", "--max-pixels", "2.5"]
    ),
    ("heicbench a.png --quiet --downscale 2 --metrics ssim", ["--downscale", "2", "--metrics", "ssim"]),
    ("heicbench a.png --timeout", ["--timeout"]),
    ("heicbench hdr --light hlg=600 --jobs 2", ["--light", "hlg=600"]),
    ("heicbench hdr --light=white", ["--light=white"]),
  ])
  func optionsThatMatterAreTakenOver(command: String, expected: [String]) {
    #expect(ReproduceCommand.options(in: command.split(separator: " ").map(String.init)) == expected)
  }

  @Test(
    "all codecs are listed in the run’s order: pixels are prepared for all, and the first is the reference"
  )
  func otherVariants() throws {
    var manifest = SampleRun.manifest
    manifest.variants = ["jpeg", "heic"].map {
      VariantDescription(variant: CodecVariant(codec: $0), libraries: [], threads: 1)
    }
    manifest.roots = ["corpus"]
    manifest.command = ["heicbench", "corpus", "--metric-command", "mine=score {reference} {distorted}"]
    let line = ReproduceCommand.line(
      image: "a b.png", variant: CodecVariant(codec: "heic"), quality: Quality(thousandths: 500),
      variants: manifest.variants.map(\.variant), manifest: manifest)
    #expect(
      line == "heicbench 'corpus/a b.png' --codec jpeg --codec heic --qualities 0.5 "
        + "--metric-command 'mine=score {reference} {distorted}' --fresh --output reproduced")
  }

  @Test("a path that looks like an option stays a path")
  func dashes() {
    var manifest = SampleRun.manifest
    (manifest.roots, manifest.imports) = ([], [ImportedSeries(name: "phone", folder: "-from")])
    let line = ReproduceCommand.line(image: "-a.png", series: "phone", file: "-a.heic", manifest: manifest)
    #expect(line == "heicbench score ./-a.png ./-from/-a.heic")
  }

  @Test("a name that is not text is quoted for its bytes")
  func escapedName() {
    var manifest = SampleRun.manifest
    (manifest.roots, manifest.command) = (["photos"], [])
    let line = ReproduceCommand.line(
      image: #"caf\xe9.png"#, variant: nil, quality: nil, variants: [], manifest: manifest)
    #expect(line == #"heicbench $'photos/caf\xe9.png' --fresh --output reproduced"#)
  }

  @Test("a whole image is measured with the defaults")
  func wholeImage() {
    let line = ReproduceCommand.line(
      image: "cut.ppm", variant: nil, quality: nil, variants: [CodecVariant(codec: "jpeg")], manifest: nil)
    #expect(line == "heicbench cut.ppm --fresh --output reproduced")
  }
}

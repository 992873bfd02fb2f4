import ArgumentParser
import CodecKit
import Codecs
import HeicBenchKit
import Metrics
import Pixels
import Store

struct CodingOptions: ParsableArguments {
  @Option(
    "Qualities from 0.0 to 1.0: a range (0.1...1.0), with a step (0.5...0.95:0.05), a number, or several, "
      + "comma-separated. (default: 0.1...1.0)", value: "qualities", name: .customLong("qualities"))
  var chosenQualities: QualityList?

  @Option(
    "A codec and its settings, NAME[@BUILD][:key=value,…]; repeat it to compare several, or list several in "
      + "quotes with braces: 'heic:preset={fast,medium,slow}'. The others are compared with the first. See "
      + "“heicbench codecs”. (default: jpeg and heic)", value: "codec", name: .customLong("codec"),
    completion: .list(CodecRegistry.standard.codecs.filter { !$0.traits.isHidden }.map(\.traits.id)))
  var codecLists: [CodecList] = []
  var codecs: [CodecVariant] { codecLists.flatMap(\.variants) }

  @Option(
    "both: measure codecs with halved chroma (4:2:0) also with full chroma (4:4:4), which is smaller at high "
      + "scores; given: as --codec says.", value: "given|both")
  var chroma = SweepRequest.Chroma.given

  @Option(
    "both: measure each codec also with 10 bits per coded sample, or its next higher depth, which is smaller at high "
      + "scores, takes little longer and limits who can decode it; given: as --codec says.",
    value: "given|both")
  var depth = SweepRequest.Depth.given

  @OptionGroup var build: BuildOptions

  @Option(
    "Metrics, comma-separated, or all, or none: \(MetricTraits.standard.map(\.id).joined(separator: ", ")); in an HDR "
      + "run \(MetricTraits.hdr.map(\.id).joined(separator: ", ")). (default: the first "
      + "\(MetricTraits.usual.count), or all for HDR)",
    value: "metrics",
    completion: .list(["all", "none"] + (MetricTraits.standard + MetricTraits.hdr).map(\.id)))
  var metrics = MetricList.usual

  @Option(
    "A metric of your own: a name and a program that prints a number, with {reference} and {distorted} for the "
      + "paths of two PNG files. NAME:lower or NAME:higher says which scores are better.",
    value: "name[:lower|:higher]='program …'", name: .customLong("metric-command"))
  var metricCommands: [MetricCommand] = []

  @Option(
    "The colour under transparent pixels where a codec keeps no alpha: #rrggbb, white or black.",
    value: "colour")
  var background = BackgroundColour.white

  @Option(
    "First downscale every image by this factor in each direction, in linear light, which removes the artefacts "
      + "of lossy sources.", value: "n", transform: Limits.downscale.parse)
  var downscale = 1

  @Option(
    "HDR run: how to interpret samples as light. file: as each file states (PQ, HLG, or SDR with its white at 203 "
      + "cd/m²); pq; hlg or hlg=PEAK, the display's peak in cd/m²; white or white=CANDELAS for SDR only. "
      + "(default: an SDR run, or file if all images state HDR)", value: "light",
    completion: .list(["file", "pq", "hlg", "white"]))
  var light: HDRViewing?

  func validate() throws {
    let names = metrics.identifiers + metricCommands.map(\.name)
    try refuse(Set(names).count < names.count, "Two metrics have the same name.")
    guard !metricCommands.isEmpty else { return }
    var columns = Set(MeasurementColumns.all(metrics: MetricTraits.hdr).map(\.name))
    for column in metricCommands.map(\.traits.column) {
      try refuse(
        !columns.insert(column).inserted,
        "--metric-command: measurements.csv already has a column “\(column)”; choose another name.")
    }
  }

  func apply(to request: inout SweepRequest) {
    request.codecs = codecs
    (request.chroma, request.depth) = (chroma, depth)
    request.builds = build.builds
    request.scoresThroughBuilds = build.decoder == .own
    if let chosenQualities { request.qualities = chosenQualities.qualities }
    request.metrics = metrics.identifiers
    request.metricCommands = metricCommands
    request.background = background.components
    request.downscale = downscale
    request.light = light
  }
}

extension HDRViewing: ParsedValue {
  /// Parses `file`, `pq`, `hlg`, `hlg=PEAK`, `white` or `white=LUMINANCE`, in cd/m².
  init(parsing text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let source = Source(rawValue: parts[0]), parts.count == 1 || source == .hlg || source == .white
    else { throw HeicBenchError(.usage, "write file, pq, hlg, hlg=PEAK, white or white=LUMINANCE") }
    self.init(source: source)
    guard parts.count == 2 else { return }
    let luminance = try (source == .hlg ? Limits.peak : Limits.white).parse(parts[1])
    if source == .hlg { peak = luminance } else { white = luminance }
  }
}

/// The value of `--background`: `#rrggbb`, `rrggbb`, `white` or `black`.
struct BackgroundColour: ExpressibleByArgument, CustomStringConvertible, Equatable {
  /// Red, green and blue, 0 to 255.
  let components: [UInt8]

  static let white = BackgroundColour(components: [255, 255, 255])

  private init(components: [UInt8]) { self.components = components }

  init?(argument: String) {
    switch argument.lowercased() {
    case "white": self = .white
    case "black": self.init(components: [0, 0, 0])
    default:
      let digits = argument.hasPrefix("#") ? argument.dropFirst() : argument[...]
      guard digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16)
      else {
        return nil
      }
      self.init(components: [16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) })
    }
  }

  var description: String {
    self == .white ? "white" : "#" + components.hexadecimal
  }
}

/// The value of `--metrics`: comma-separated identifiers, `all`, or `none`.
struct MetricList: ParsedValue, Equatable {
  let identifiers: [String]

  static var all: MetricList { MetricList(identifiers: MetricTraits.standard.map(\.id)) }
  static var usual: MetricList { MetricList(identifiers: MetricTraits.usual.map(\.id)) }

  init(identifiers: [String]) { self.identifiers = identifiers }

  init(parsing text: String) throws(MetricError) {
    switch text {
    case "all": self = .all
    case "none": self.init(identifiers: [])
    default:
      var seen: Set<String> = []
      let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      let identifiers = names.filter { seen.insert($0).inserted }
      let known = (MetricTraits.standard + MetricTraits.hdr).map(\.id)
      if let unknown = identifiers.first(where: { !known.contains($0) }) {
        throw MetricError(
          "no metric “\(unknown)”\(suggestion(for: unknown, among: known)); available: "
            + "\(known.joined(separator: ", ")), all and none")
      }
      self.init(identifiers: identifiers)
    }
  }
}

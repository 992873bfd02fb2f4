import CodecKit
import Foundation
package import Model

/// What a run and its workers say to each other: one JSON object a line. A run asks, its worker answers, one
/// reply to each request and nothing unasked.
enum WorkerProtocol {
  /// Goes up with every change of the messages. Both ends are the same program, except when someone replaces
  /// it in the middle of a run.
  static let version = 13

  /// The longest line that is still taken for a message. A path has 4,096 bytes at most and a measurement with
  /// a thousand repeats some 100 kB.
  static let longestLine = 16 << 20

  /// The line of a message, without the line feed.
  static func line(_ message: some Encodable) throws -> [UInt8] {
    [UInt8](try ScoreJSON.encoder().encode(message))
  }

  /// The message of a line.
  static func message<Message: Decodable>(_ type: Message.Type, from line: [UInt8]) throws -> Message {
    try ScoreJSON.decoder().decode(type, from: Data(line))
  }
}

/// What a worker is asked to do.
enum WorkerRequest: Sendable {
  /// The first request: what stays the same for the worker's life.
  case begin(WorkerSetup)
  /// Read, decode and prepare an image, which the requests that follow are about.
  case open(ImageFile)
  /// The same for `export` alone, without decoding all of it where there is such a way.
  case openRows(ImageFile)
  /// Encode, decode and score the open image at one point.
  case measure(MeasureRequest)
  /// Time the open image at one point, and nothing else.
  case time(TimeRequest)
  /// Read a file by a route. No image has to be open.
  case read(ReadRequest)
  /// Give the picture that a read delivers. No image has to be open.
  case show(ReadRequest)
  /// Give files and pictures made of the open image.
  case render(RenderRequest)
  /// Score another file against the open image.
  case compare(ImageFile)
  /// Score a file against another. None of the two stays open.
  case pair(PairRequest)
  /// Look at a file that another encoder made of the open image, and score it.
  case judge(ImageFile, commandSeconds: Double)
  /// Do what a view asks. So many bytes follow the line.
  case view(ViewRequest, payload: Int)
  /// Tell which libraries are mapped and what codecs make of spellings of variants.
  case inspect(InspectRequest)
  /// Write the open image's pixels to a file of one's own folder, for the worker of a build.
  case handOver
  /// Open the pixels that another worker has handed over, in place of a file of the corpus.
  case take(TakeRequest)
  /// Score a file that the worker of a build has encoded from the open image.
  case score(EncodedScoreRequest)
  /// Write tiles of the open image.
  case export(TileExportRequest)
  /// Cut the open image into tiles and measure what that costs.
  case cut(TilingRequest)
  /// Make a thumbnail of a file. No image has to be open.
  case shrink(ThumbnailRequest)
  /// Encode the open image, then what that decodes to, and so on.
  case generations(GenerationChainRequest)
}

/// What stays the same for a worker's life.
struct WorkerSetup: Codable, Sendable {
  /// `WorkerProtocol.version` of the asking end.
  var version = WorkerProtocol.version
  /// How sources become rasters.
  var preparation: Preparation
  /// What a reader may spend.
  var limits: ReadLimits
  /// The metrics to score, by identifier.
  var metrics: [String]
  /// Commands that score a pair of files.
  var externalMetrics: [ExternalMetric] = []
  /// The memory that the system lets the worker have, bytes, for its messages; nil without a limit.
  var memoryLimit: Int?
  /// The folder below which encoded files are kept; nil where they are not.
  var keepFolder: String?
  /// The worker's own folder for the files that commands read; nil without commands.
  var scratchFolder: String?
}

/// An image file as it was found, for a worker to read.
package struct ImageFile: Codable, Sendable, Hashable {
  /// The path's bytes, base 64 in the message: paths need not be text.
  let path: Data
  /// Name and expected hash; an empty hash is not checked.
  package let identity: ImageIdentity
  /// Size of the file when it was found.
  package let fileBytes: Int
  /// Pixels that its header declares. Headers that could not be read say nothing: a camera's size is assumed.
  package let pixels: Int

  /// Describes a file.
  package init(path: [UInt8], identity: ImageIdentity, fileBytes: Int, header: ImageHeader?) {
    self.path = Data(path)
    self.identity = identity
    self.fileBytes = fileBytes
    pixels = header?.pixelCount ?? 12_000_000
  }
}

/// Two files to compare.
struct PairRequest: Codable, Sendable {
  var reference: ImageFile
  var distorted: ImageFile
  /// Whether the machine has a core for a second thread.
  var usesTwoThreads: Bool
}

/// A point to measure.
struct MeasureRequest: Codable, Sendable {
  /// Codec and settings.
  var variant: CodecVariant
  /// The libraries that the point will be filed under; nil leaves them unchecked.
  var libraries: String?
  /// Position on the quality axis.
  var quality: Quality
  /// How often each call is timed, at least once.
  var repeats: Int
  /// What else the machine is doing.
  var conditions: TimingSeries.Conditions
  /// Seconds that each external metric may take.
  var commandSeconds: Double
  /// Whether the encoded file is left in the worker's own folder for another worker to score.
  var leavesFile = false
  /// Which of the pictures that a page shows of the point are put beside its kept file.
  var drawing = PointDrawing.nothing
}

/// A point to time.
package struct TimeRequest: Codable, Sendable {
  /// Codec and settings.
  package var variant: CodecVariant
  /// The libraries that the point will be filed under; nil leaves them unchecked.
  package var libraries: String?
  /// Position on the quality axis.
  package var quality: Quality
  /// Repeats that are made and thrown away first.
  package var warmUps: Int
  /// The fewest repeats.
  package var minimumRepeats: Int
  /// Repeats go on until encodes and decodes have taken this long each, nanoseconds.
  package var minimumNanoseconds: Int64
  /// The most repeats, however short they are.
  package var maximumRepeats: Int
  /// The cores to stay on; empty leaves the worker where it is.
  package var cores: [Int]

  /// Asks for the times of a point.
  package init(
    variant: CodecVariant, libraries: String?, quality: Quality, warmUps: Int, minimumRepeats: Int,
    minimumNanoseconds: Int64, maximumRepeats: Int, cores: [Int]
  ) {
    (self.variant, self.libraries, self.quality) = (variant, libraries, quality)
    (self.warmUps, self.minimumRepeats, self.maximumRepeats) = (warmUps, minimumRepeats, maximumRepeats)
    (self.minimumNanoseconds, self.cores) = (minimumNanoseconds, cores)
  }
}

/// What a worker answers.
enum WorkerReply: Sendable {
  /// To `begin`.
  case ready(version: Int, sandbox: SandboxStatus)
  /// To `open`: what became of the image. With a problem in it, no image is open.
  case image(ImageRecord)
  /// To `measure`: what became of the point, and the worker's highest resident memory, scoring included.
  case outcome(PointOutcome, peakBytes: Int?)
  /// To `time`.
  case timing(TimingSeries)
  /// To `time`, where the point cannot be timed.
  case untimed(Failure)
  /// To `read`.
  case read(Outcome<ReadMeasurement>)
  /// To `show`: the picture's size; so many bytes of a PNG file follow the line.
  case shown(width: Int, height: Int, payload: Int)
  /// To `render`; its files follow the line.
  case rendered(Rendering)
  /// To `compare`.
  case scores([String: Double])
  /// To `judge`.
  case judged(ImportedMeasurement)
  /// To `view`. So many bytes follow the line.
  case view(ViewReply, payload: Int)
  /// To `inspect`.
  case inspected(LibraryInspection)
  /// To `handOver` and `take`.
  case done
  /// To `score`.
  case scored(ScoredFile)
  /// To `handOver`, `take`, `score`, `show`, `render`, `compare` and `judge`, where that cannot be done.
  case failed(Failure)
  /// To `export`.
  case exported(Outcome<ExportedTiles>)
  /// To `cut`.
  case cut(Outcome<TilingMeasurement>)
  /// To `shrink`.
  case thumbnail(Outcome<MadeThumbnail>)
  /// To `generations`.
  case generations(Outcome<[Generation]>)
  /// The request makes no sense here: a defect of the asking end.
  case refused(String)

  /// How many bytes follow the reply's line.
  var payloadBytes: Int {
    switch self {
    case .rendered(let rendering): rendering.sizes.reduce(0) { $0 + ($1 ?? 0) }
    case .view(_, let count), .shown(_, _, let count): count
    default: 0
    }
  }
}

import CodecKit
import Metrics
import Model
import Pixels
import Reports

enum PageEvent {
  struct Listed: Encodable {
    var name: String
  }

  struct Codec: Encodable {
    var id, title, quick: String
    var settings: [SettingSpecification]
    /// As in the charts of reports; dashes distinguish the codec's variants, in order.
    var colour: Int
    var dashes: [String]

    init(_ traits: CodecTraits, build: String?) {
      (id, title, quick) = (traits.id, traits.title, traits.quick)
      settings = traits.settings.filter { !$0.isOfHDR }
      let style = SeriesStyle.all(of: [traits.id])[0]
      (colour, dashes) = (style.colour, style.dashes)
      if let build { (id, title) = ("\(id)@\(build)", "\(title), \(build)") }
    }
  }

  struct Hello: Encodable {
    var type = "hello"
    var version = PageMessages.version
    var pictures: [Listed]
    var codecs: [Codec]
    var left, right: String
    var roots: [String]
    /// The values of `--build`, for the commands that the page writes.
    var builds: [String]
    /// The most bytes of a file dropped onto the page, so that a larger one is not sent only to be refused.
    var mostBytes = ViewEngine.UploadLimit.file
  }

  /// Another page has taken over. If this one connected again, the two would take turns for ever.
  struct Replaced: Encodable {
    var type = "replaced"
  }

  struct Added: Encodable {
    var type = "added"
    var pictures: [Listed]
  }

  struct Opened: Encodable {
    var type = "opened"
    var picture, width, height, fileBytes, rawBytes: Int
    var format, profile: String
    var steps: [String]
    var path: String?

    init(_ index: Int, _ listed: ListedPicture, _ cached: CachedPicture) {
      picture = index
      (width, height) = (cached.raster.width, cached.raster.height)
      (fileBytes, rawBytes) = (cached.fileBytes, cached.raster.rawByteCount)
      (format, profile) = (cached.facts.header.format, cached.facts.profile)
      (steps, path) = (cached.facts.steps, listed.path)
    }
  }

  struct Progress: Encodable {
    var type = "progress"
    var side: Side
    var number: Int
    var quality: Double
    var pieces, of, bytes: Int
    var estimate, margin: Double?
    /// Milliseconds from the move's arrival to its first pixels, and CPU milliseconds of the pieces so far.
    var firstMilliseconds, encodeCPU: Double
  }

  struct Whole: Encodable {
    var type = "whole"
    var side: Side
    var number: Int
    var quality: Double
    var bytes: Int
    var encodeWall, encodeCPU: Double
    var fileExtension: String
  }

  struct Decoded: Encodable {
    var type = "decoded"
    var side: Side
    var number: Int
    var quality: Double
    var decodeWall, decodeCPU: Double
  }

  /// The scores of the whole file. `isFinal` is false for tries during a search.
  struct Scored: Encodable {
    var type = "scored"
    var side: Side
    var number: Int
    var quality: Double
    var bytes: Int
    var encodeCPU: Double
    var scores: [String: Double]
    /// Scores of further metrics as displayed: title and text.
    var further: [[String]]
    var isFinal: Bool
    /// True if a search reached its goal.
    var isReached: Bool

    init(_ move: Move, _ figures: WholeFigures, isFinal: Bool, isReached: Bool = true) {
      (side, number, quality) = (move.side, move.number, figures.quality.value)
      (bytes, encodeCPU, scores) = (figures.bytes, figures.encodeCPU, figures.scores)
      further = MetricTraits.standard.compactMap { metric -> [String]? in
        guard !ViewConfiguration.scored.contains(metric.id), let score = figures.scores[metric.id] else {
          return nil
        }
        return [
          metric.title,
          Numerals.fixed(score, decimals: metric.decimals) + (metric.unit.isEmpty ? "" : " \(metric.unit)"),
        ]
      }
      (self.isFinal, self.isReached) = (isFinal, isReached)
    }
  }

  struct Failed: Encodable {
    var type = "failed"
    var side: Side?
    var number: Int?
    var picture: Int?
    var thumbnail: Int?
    var message: String

    init(_ purpose: Purpose?, _ message: String) {
      self.message = message
      switch purpose {
      case .move(let side, let number): (self.side, self.number) = (side, number)
      case .picture(let index): picture = index
      case .thumbnail(let index): thumbnail = index
      case .blind, nil: break
      }
    }
  }
}

extension TimingSample {
  var wallMilliseconds: Double { Double(wallNanoseconds) / 1e6 }
  var cpuMilliseconds: Double { Double(cpuNanoseconds) / 1e6 }
}

// Messages are written by hand. What the compiler writes has a type of keys for each case, and the Swift runtime looks all
// of them up in both processes at the first messages: 3 ms.

extension WorkerRequest: Codable {
  /// A case's name, then what some cases have besides their first value.
  private enum Key: String, CodingKey {
    case begin, open, openRows, measure, time, read, show, render, compare, pair, judge, view, inspect
    case handOver, take, score, export, cut, shrink, generations
    case commandSeconds, payload

    var isCase: Bool { self != .commandSeconds && self != .payload }
  }

  func encode(to encoder: any Encoder) throws {
    var message = encoder.container(keyedBy: Key.self)
    switch self {
    case .begin(let setup): try message.encode(setup, forKey: .begin)
    case .open(let file): try message.encode(file, forKey: .open)
    case .openRows(let file): try message.encode(file, forKey: .openRows)
    case .measure(let request): try message.encode(request, forKey: .measure)
    case .time(let request): try message.encode(request, forKey: .time)
    case .read(let request): try message.encode(request, forKey: .read)
    case .show(let request): try message.encode(request, forKey: .show)
    case .render(let request): try message.encode(request, forKey: .render)
    case .compare(let file): try message.encode(file, forKey: .compare)
    case .pair(let request): try message.encode(request, forKey: .pair)
    case .judge(let file, let seconds):
      try message.encode(file, forKey: .judge)
      try message.encode(seconds, forKey: .commandSeconds)
    case .view(let request, let payload):
      try message.encode(request, forKey: .view)
      try message.encode(payload, forKey: .payload)
    case .inspect(let request): try message.encode(request, forKey: .inspect)
    case .handOver: try message.encode(true, forKey: .handOver)
    case .take(let request): try message.encode(request, forKey: .take)
    case .score(let request): try message.encode(request, forKey: .score)
    case .export(let request): try message.encode(request, forKey: .export)
    case .cut(let request): try message.encode(request, forKey: .cut)
    case .shrink(let request): try message.encode(request, forKey: .shrink)
    case .generations(let request): try message.encode(request, forKey: .generations)
    }
  }

  init(from decoder: any Decoder) throws {
    let message = try decoder.container(keyedBy: Key.self)
    let key = try message.onlyKey(where: \.isCase)
    func value<Value: Decodable>() throws -> Value { try message.decode(Value.self, forKey: key) }
    self =
      switch key {
      case .begin: .begin(try value())
      case .open: .open(try value())
      case .openRows: .openRows(try value())
      case .measure: .measure(try value())
      case .time: .time(try value())
      case .read: .read(try value())
      case .show: .show(try value())
      case .render: .render(try value())
      case .compare: .compare(try value())
      case .pair: .pair(try value())
      case .judge:
        .judge(try value(), commandSeconds: try message.decode(Double.self, forKey: .commandSeconds))
      case .view: .view(try value(), payload: try message.decode(Int.self, forKey: .payload))
      case .inspect: .inspect(try value())
      case .handOver: .handOver
      case .take: .take(try value())
      case .score: .score(try value())
      case .export: .export(try value())
      case .cut: .cut(try value())
      case .shrink: .shrink(try value())
      case .generations, .commandSeconds, .payload: .generations(try value())
      }
  }
}

extension WorkerReply: Codable {
  /// A case's name, then what some cases have besides their first value.
  private enum Key: String, CodingKey {
    case ready, image, outcome, timing, untimed, read, shown, rendered, scores, judged, view, inspected
    case done, scored, failed, exported, cut, thumbnail, generations, refused
    case sandbox, peakBytes, height, payload

    var isCase: Bool { ![.sandbox, .peakBytes, .height, .payload].contains(self) }
  }

  func encode(to encoder: any Encoder) throws {
    var message = encoder.container(keyedBy: Key.self)
    switch self {
    case .ready(let version, let sandbox):
      try message.encode(version, forKey: .ready)
      try message.encode(sandbox, forKey: .sandbox)
    case .image(let record): try message.encode(record, forKey: .image)
    case .outcome(let outcome, let peakBytes):
      try message.encode(outcome, forKey: .outcome)
      try message.encodeIfPresent(peakBytes, forKey: .peakBytes)
    case .timing(let series): try message.encode(series, forKey: .timing)
    case .untimed(let failure): try message.encode(failure, forKey: .untimed)
    case .read(let outcome): try message.encode(outcome, forKey: .read)
    case .shown(let width, let height, let payload):
      try message.encode(width, forKey: .shown)
      try message.encode(height, forKey: .height)
      try message.encode(payload, forKey: .payload)
    case .rendered(let rendering): try message.encode(rendering, forKey: .rendered)
    case .scores(let scores): try message.encode(scores, forKey: .scores)
    case .judged(let measurement): try message.encode(measurement, forKey: .judged)
    case .view(let reply, let payload):
      try message.encode(reply, forKey: .view)
      try message.encode(payload, forKey: .payload)
    case .inspected(let inspection): try message.encode(inspection, forKey: .inspected)
    case .done: try message.encode(true, forKey: .done)
    case .scored(let file): try message.encode(file, forKey: .scored)
    case .failed(let failure): try message.encode(failure, forKey: .failed)
    case .exported(let outcome): try message.encode(outcome, forKey: .exported)
    case .cut(let outcome): try message.encode(outcome, forKey: .cut)
    case .thumbnail(let outcome): try message.encode(outcome, forKey: .thumbnail)
    case .generations(let outcome): try message.encode(outcome, forKey: .generations)
    case .refused(let reason): try message.encode(reason, forKey: .refused)
    }
  }

  init(from decoder: any Decoder) throws {
    let message = try decoder.container(keyedBy: Key.self)
    let key = try message.onlyKey(where: \.isCase)
    func value<Value: Decodable>(_ key: Key) throws -> Value { try message.decode(Value.self, forKey: key) }
    self =
      switch key {
      case .ready: .ready(version: try value(key), sandbox: try value(.sandbox))
      case .image: .image(try value(key))
      case .outcome:
        .outcome(try value(key), peakBytes: try message.decodeIfPresent(Int.self, forKey: .peakBytes))
      case .timing: .timing(try value(key))
      case .untimed: .untimed(try value(key))
      case .read: .read(try value(key))
      case .shown: .shown(width: try value(key), height: try value(.height), payload: try value(.payload))
      case .rendered: .rendered(try value(key))
      case .scores: .scores(try value(key))
      case .judged: .judged(try value(key))
      case .view: .view(try value(key), payload: try value(.payload))
      case .inspected: .inspected(try value(key))
      case .done: .done
      case .scored: .scored(try value(key))
      case .failed: .failed(try value(key))
      case .exported: .exported(try value(key))
      case .cut: .cut(try value(key))
      case .thumbnail: .thumbnail(try value(key))
      case .generations: .generations(try value(key))
      case .refused, .sandbox, .peakBytes, .height, .payload: .refused(try value(key))
      }
  }
}

extension KeyedDecodingContainer {
  /// The one key that says which case a message is. Throws unless there is exactly one.
  fileprivate func onlyKey(where isCase: (Key) -> Bool) throws -> Key {
    let keys = allKeys.filter(isCase)
    guard let key = keys.first, keys.count == 1 else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: codingPath, debugDescription: "\(keys.count) cases in one message"))
    }
    return key
  }
}

import Model
import Workers

enum ViewPriority: Int {
  case shown, visible, whole, rest, neighbour, thumbnail
}

struct ViewWorker: Sendable {
  let session: WorkerSlot
  let build: String?

  /// True if the job was dropped; failures are then not reported.
  var isCancelled: Bool { session.cancelled }

  func ask<Asked: Question>(
    _ question: Asked, _ attachment: [UInt8] = [], within seconds: Double
  ) throws(Failure) -> Asked.Answer {
    let encodes = question is EncodeSamples ? 1 : 0
    // Only the worker that has encoded a file can decode and score it.
    let isFirst = !(question is DecodeEncoded || question is ScoreDecoded)
    let response: Response<Asked.Answer>
    do {
      response = try session.put(
        question, attachment, to: build, encodes: encodes, renews: isFirst, within: seconds)
    } catch {
      throw Failure(kind: .broken, message: "\(error)")
    }
    guard let answer = response.value else {
      throw response.failure ?? Failure(kind: .broken, message: "cancelled")
    }
    return answer
  }
}

extension ViewEngine {
  /// A job that asks a worker several questions, and ends early if one fails.
  func job(
    _ purpose: Purpose, _ priority: ViewPriority, build: String? = nil,
    work: @escaping @Sendable (ViewWorker) -> Void
  ) -> LiveJob<Purpose> {
    LiveJob(
      purpose, build: build, priority: priority.rawValue,
      isBackground: [.neighbour, .thumbnail].contains(priority)
    ) { [self] session in
      // It may have become stale while waiting.
      if isWanted(purpose) { work(ViewWorker(session: session, build: build)) }
    }
  }
}

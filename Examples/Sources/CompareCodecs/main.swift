import Foundation
import HeicBenchKit

// Workers are processes of this program, so they have its codec, too.
HeicBench.serveIfWorker(codecs: [RunLengthCodec()])
let words = CommandLine.arguments.dropFirst()
guard words.count == 3, let images = words.dropFirst().first, let results = words.last else {
  print("usage: CompareCodecs sweep|decode|gate|codec IMAGES RESULTS")
  exit(64)
}
do {
  switch words.first {
  case "sweep": try await sweep(images, into: results)
  case "decode": try await decode(images, into: results)
  case "codec": try await codec(images, into: results)
  default: exit(try await gate(results) ? 0 : 1)
  }
} catch {
  print(error)
  exit(70)
}

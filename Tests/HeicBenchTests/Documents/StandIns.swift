#if os(Linux)
  import Foundation
  import TestSupport

  /// Small stand-ins for what documents mention: `photos/`, `hdr/`, `map.png`, a phone's `photo.heic`, results,
  /// baselines and builds.
  enum StandIns {
    /// Makes them in a new folder, with stand-ins for other programs in `.bin`.
    static func make(with program: BuiltProgram) throws -> TemporaryFolder {
      let folder = try TemporaryFolder()
      for (name, text) in programs {
        let file = folder.url.appending(path: ".bin/" + name)
        try write(Data(text.utf8), to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
      }
      for (name, width, height) in pictures {
        try write(
          picture(width, height, seed: name.utf8.reduce(7) { $0 * 31 + Int($1) }),
          to: folder.url.appending(path: "raw/\(name).ppm"))
      }
      for name in ["a", "b"] {
        let (width, height) = (124, 116)
        let pixels = picture(width, height, seed: Int(name.utf8.reduce(0, +))).suffix(width * height * 3)
        try write(
          Data(PNGFile.pq(width: width, height: height, rgb: Array(pixels))),
          to: folder.url.appending(path: "hdr/\(name).png"))
      }
      for (index, (name, library)) in libraries.enumerated() {
        let bytes = try MappedJPEG.bytes(of: library, buildID: .init(repeating: UInt8(index + 1), count: 4))
        try write(Data(bytes), to: folder.url.appending(path: name))
      }
      let documents = DocumentText.root.appending(path: "docs")
      for name in ["docs", "sweep-part.sh", "slurm-merge.sh", "slurm-import.sh"] {
        let target = name == "docs" ? documents : documents.appending(path: "scale/" + name)
        try FileManager.default.createSymbolicLink(
          at: folder.url.appending(path: name), withDestinationURL: target)
      }
      let runner = CommandRunner(program: program, template: folder.url, tree: try OptionTree(of: program))
      let results = try runner.run(CommandBlock("stand-ins", [script]), in: folder.url)
      guard results.allSatisfy({ $0.status == 0 }) else {
        throw Problem(text: results.map(\.description).joined(separator: "\n"))
      }
      return folder
    }

    struct Problem: Error { let text: String }

    private static func write(_ data: Data, to file: URL) throws {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: file)
    }

    /// Name, width and height. All scales of SSIMULACRA2 need 113 pixels. Like a photograph of 12 megapixels, “wide”
    /// can be halved twelve times until one pixel is left; “map” fills four tiles of 512 pixels.
    private static let pictures = [
      ("a", 120, 116), ("b", 124, 118), ("c", 116, 114), ("d", 118, 114), ("wide", 2100, 72),
      ("map", 900, 700),
      ("tile", 512, 512),
    ]

    /// Waves of gray with a little noise, with which both codecs reach every headline score.
    private static func picture(_ width: Int, _ height: Int, seed: Int) -> Data {
      var bytes = Data("P6\n\(width) \(height)\n255\n".utf8)
      var state = UInt64(seed)
      for y in 0..<height {
        for x in 0..<width {
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          let phase = (x + 2 * y + seed % 37) % 74
          let level = UInt8(30 + min(phase, 74 - phase) * 5 + Int(state >> 60) / 2)
          bytes.append(contentsOf: [level, level, level])
        }
      }
      return bytes
    }

    /// The system's own libraries under other build ids, where documents use other releases.
    private static let libraries = [
      ("builds/mozjpeg/libjpeg.so.62", "libjpeg.so.62"),
      ("builds/libheif-0.10.1/libheif.so.1", "libheif.so.1"),
      ("builds/libheif-0.21.0/libheif.so.1", "libheif.so.1"),
      ("builds/libheif-1.8.1/libheif.so.1", "libheif.so.1"),
      ("builds/libheif-ffmpeg/libheif.so.1", "libheif.so.1"),
      ("wheel/pillow_heif.libs/libheif-e72ea93c.so.1.23.6", "libheif.so.1"),
    ]

    private static let script = #"""
      set -e
      quiet() { heicbench "$@" --quiet >/dev/null; }
      sweep() { quiet "$@" --codec jpeg --codec heic --qualities 0.5,0.7,0.8,0.9 --metrics ssimulacra2,psnr-y --images none; }
      make() { # format, extension, names of raw pictures
        format=$1 extension=$2; shift 2
        quiet thumbnails "${@/#/raw/}" made --size 4000 --format "$format"
        for name in "$@"; do mv "made/$name.$extension" "made/${name%.ppm}.$extension"; done
      }
      make png png {a,b,c,d,map}.ppm; make jpeg jpg {a,b}.ppm
      make heic:grid=64,preset=ultrafast heic {a,b,wide}.ppm; make heic:preset=ultrafast heic tile.ppm
      mkdir photos images corpus kodak phone data odd
      cp made/{a,b,c,d}.png images/
      for folder in photos corpus kodak; do cp made/a.png made/b.heic $folder/; done
      cp made/{a,b}.heic phone/
      quiet thumbnails raw/a.ppm raw/b.ppm from-phone --size 4000 --format heic --quality 0.5
      for name in a b; do mv from-phone/$name.ppm.heic from-phone/$name.heic; done
      cp -R images from-phone data/; mv data/from-phone data/phone; mkdir -p data/results/checkpoints scratch
      cp made/a.png made/a.jpg made/a.heic made/b.jpg made/map.png .
      cp made/a.heic b.heic; cp made/a.png original.png; cp made/a.jpg portrait.jpg; cp made/wide.heic photo.heic
      ls images/*.png >images.txt
      for tile in 0_0 1_0 0_1 1_1; do cp made/tile.heic $tile.heic; done
      sweep images --output results
      for part in 1 2; do sweep images --output shard-$part --shard $part/2; done
      cp -R shard-1 a; cp -R shard-2 b; cp -R results whole
      cp -R results results-x265-3.5; cp -R results results-x265-4.1
      mkdir shards; cp -R shard-1 shard-2 shards/; cp -R shard-1 shard-2 results/
      quiet merge results/merged shard-1 shard-2
      quiet decode images --output results --region none --size 64
      quiet tiles images --output results --codec jpeg --tile-size 64
      heicbench check --write results/baseline.csv
      for file in images/baseline main baseline; do cp results/baseline.csv $file.csv; done
      heicbench check --reads --write results/decode-baseline.csv
      for file in reads decode-baseline; do cp results/decode-baseline.csv $file.csv; done
      heicbench check --tiles --write results/tiles-baseline.csv
      quiet generations images --output results --codec jpeg --generations 2 --qualities 0.5 --metrics ssimulacra2
      heicbench check --generations --write results/generations-baseline.csv
      for file in generations generations-baseline; do cp results/generations-baseline.csv $file.csv; done
      for file in tiles tiles-baseline; do cp results/tiles-baseline.csv $file.csv; done
      cp -R shard-1 shard-2 data/results/
      git init -q --template= . || true
      echo "not a picture" >odd/broken.png; printf '\211PNG\r\n\032\n' >>odd/cut.png; cp made/a.png odd/
      for place in scripts heicbench/scripts .heicbench/scripts; do
        mkdir -p $place; cp .bin/heicbench $place/
      done
      """#

    private static let programs = [
      // The program under test, with a note of each call. Ctrl-C ends “view” once it has printed the page's address.
      // “bisect” compares copies of one library, and would otherwise run a hundred rounds to find no difference.
      "heicbench": #"""
      #!/bin/bash
      note=$(mktemp "$NOTES/call.XXXXXXXX")
      fewer=()
      [[ ${1-} != bisect || " $* " = *" --rounds "* ]] || fewer=(--rounds 5)
      if [[ ${1-} = view && " $* " != *" --help "* && " $* " != *" -h "* && " $* " != *" --version "* ]]; then
        set -m
        "$PROGRAM_UNDER_TEST" "$@" >"$note.page" &
        is_up() { [[ -s $note.page && ( " $* " != *" --open "* || -s opened ) ]]; }
        for ((i = 0; i < 2400; i++)); do
          ! is_up "$@" && kill -0 $! || break
          sleep 0.05
        done
        kill -INT $!
        wait $!
        status=$?
        is_up "$@" || status=1
        cat "$note.page"
        rm "$note.page"
      else
        "$PROGRAM_UNDER_TEST" "$@" "${fewer[@]}"
        status=$?
      fi
      printf '%s\0' $status "$PWD" "$@" >"$note"
      exit $status
      """#,
      "xdg-open": "#!/bin/sh\necho \"$1\" >opened\n",
      // Slurm's `sbatch`, except that the tasks of an array run at once, one after the other.
      "sbatch": #"""
      #!/bin/bash
      last=
      while [[ $1 = --* ]]; do
        case $1 in
        --array=*) last=${1##*-} ;;
        --cpus-per-task=*) export SLURM_CPUS_PER_TASK=${1#*=} ;;
        esac
        shift
      done
      if [ -n "$last" ]; then
        export SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=$last SLURM_ARRAY_TASK_STEP=1 SLURM_ARRAY_TASK_COUNT=$last
        for SLURM_ARRAY_TASK_ID in $(seq "$last"); do
          export SLURM_ARRAY_TASK_ID
          bash "$1" >&2 || exit
        done
      else
        bash "$1" >&2 || exit
      fi
      echo 1
      """#,
    ]
  }
#endif

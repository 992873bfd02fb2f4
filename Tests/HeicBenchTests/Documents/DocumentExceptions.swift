import Foundation

/// Lines that are not run, and lines whose exit code is not 0.
enum DocumentExceptions {
  /// Lines by the reason why a test cannot run them. A name alone covers every line that begins with it.
  static let notRun: [(reason: String, lines: [String])] = [
    (
      "needs a cluster, or machines that are not there",
      [
        "kubectl", "service munge start", "slurmctld", "seq 16 | parallel --sshlogin", "rclone", "ray start",
        "python3 docs/scale/ray-sweep.py --address", "python3 docs/scale/ray-sweep.py --engine dask",
      ]
    ),
    ("needs root", ["apt-get", "sudo"]),
    (
      "needs a network",
      [
        "python3 -m pip", "pip install", "git clone", "scripts/setup --photos", "scripts/builds",
        "scripts/lab/vvc",
        "heicbench import --reference photos/ vvc=vvc/",
      ]
    ),
    (
      "needs what another line would have brought",
      [
        "python3 -m zipfile", "kubernetes-validate", "check-jsonschema", "sort -rn manifest.tsv",
        "cd photos && heicbench --files ../part.txt",
      ]
    ),
    (
      "needs mozjpeg itself",
      ["heicbench photos/ --build moz=builds/mozjpeg --build new=builds/libheif-1.8.1"]
    ),
    (
      "needs libavif 1.0 or later, which Debian 12 has not",
      ["avifenc", "heicbench photos/ --build av=builds/libavif-1.6.0"]
    ),
    (
      "needs kvazaar itself, or libheif 1.22 or later",
      [
        "heicbench photos/ --build kv=builds/libheif-kvazaar", "heicbench kodak/ --limit first:8 --build kv",
        "heicbench kodak/ --limit first:3 --build bin",
      ]
    ),
    (
      "needs ColorVideoVDP; MetricProgramTests runs it where it is installed",
      ["heicbench photos/ --metric-command 'cvvdp"]
    ),
    ("runs this test", ["scripts/test"]),
    ("is run by CI after the tests", ["scripts/format --check"]),
    (
      "needs a release build, or minutes",
      [
        "scripts/benchmark", "scripts/package --try", "Tests/Drivers/soak",
        "HEICBENCH=.build/release/heicbench",
        "Tests/Drivers/mutate", "Tests/Drivers/damage", "scripts/lab/banding", "scripts/lab/results",
        "scripts/conformance", "scripts/fuzz", "heicbench tune photos/",
      ]
    ),
  ]

  /// Exit codes of lines that may fail, as their documents say. Here, an encode may take too long.
  static let exitCodes: [String: Set<Int32>] = [
    // A library may be missing.
    "heicbench doctor": [0, 3],
    "heicbench recommend results --score 70 --saves 25% --encode-cpu 500ms/MP": [0, 3],
  ]

  /// The environment of a document's lines: what the engine that it describes would set.
  static let environments: [(document: String, environment: [String: String])] = [
    ("docs/ci", ["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "2", "GITHUB_STEP_SUMMARY": "job.md"]),
    (
      "docs/scale.md",
      [
        "SLURM_ARRAY_TASK_ID": "1", "SCRATCH": "/scratch/own", "CORPUS": "/data/images",
        "RESULTS": "/data/results",
      ]
    ),
    ("docs/scale/kubernetes.yaml", ["JOB_COMPLETION_INDEX": "0"]),
    (
      "action.yml",
      [
        "GITHUB_ACTION_PATH": ".", "GITHUB_OUTPUT": "outputs", "GITHUB_STEP_SUMMARY": "job.md",
        "HEICBENCH_CORPUS": "images", "HEICBENCH_QUALITIES": "0.5,0.7,0.8,0.9",
        "HEICBENCH_CODECS": "jpeg\nheic",
        "HEICBENCH_BASELINE": "images/baseline.csv", "HEICBENCH_OUTPUT": "results",
      ]
    ),
  ]

  /// Other projects' programs that lines need. Where one is missing, its lines are not run.
  static let programs = ["parallel", "python3", "git", "cjpeg", "heif-enc", "cwebp", "cjxl", "convert"]

  /// Why a line is not run; nil if it is run.
  static func reason(for line: String) -> String? {
    for (reason, lines) in notRun where lines.contains(where: line.hasPrefix) { return reason }
    let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.map(String.init)
    return programs.first { words.contains($0) && !isInstalled($0) }.map {
      "needs \($0), which is not installed"
    }
  }

  private static func isInstalled(_ program: String) -> Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
    }
  }
}

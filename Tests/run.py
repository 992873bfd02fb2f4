#!/usr/bin/env python3
"""Runs the built tests and prints the cost of each.

    Tests/run.py BUNDLE [--filter REGEX] [--jobs N] [--record FILE]

Test suites run in several processes at a time, each of which runs its tests one after the other. The CPU time of a
process and its children between the start and the end of a test is therefore the test's own, and a crash can be traced
to its test. The log has a line for each finished suite. It ends with the most expensive tests, the notes of the test of
the documents, the skipped tests with their reasons, and the failed ones with their output.
"""
import argparse
import collections
import concurrent.futures
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

TICKS = os.sysconf("SC_CLK_TCK")
DEAREST = 20
# The suite that takes longest by far, which starts first.
LONGEST = "HeicBenchTests.DocumentTests"
# Suites that mostly wait for browsers and hanging programs. They all run beside the others.
WAITING = (
    "HeicBenchTests.ViewProgramTests", "HeicBenchTests.BlindProgramTests", "HeicBenchKitTests.IsolationTests",
    "HeicBenchTests.IsolationTests")
# Suites share a process up to this many tests, which take a few seconds. Starting a process takes 0.1 CPU seconds.
SHARED_TESTS = 60
PROGRAM_MODULE, SHARED_PROGRAM_TESTS = "HeicBenchTests", 12
# Lines with this prefix go from a passed test to the log.
NOTE = "documents: "
# The number of lines shown from a crashed process.
CRASH_LINES = 10
# Where tests make their folders if there is room. On a disk, making and removing so many files takes a sixth of the
# time.
MEMORY_FOLDER = "/dev/shm"
MEMORY_BYTES = 4 << 30
# The number of the runner's process follows.
FOLDER_PREFIX = "hb-tests-"


class Test:
    def __init__(self, name):
        self.name = name
        self.cpu = self.wall = 0.0
        self.starts = 0
        self.state = "running"
        self.messages = []

    @property
    def reason(self):
        """The reason why it was skipped."""
        text = " ".join(self.messages).strip('"')
        return re.sub(r"^(Test .*? skipped:?)? *\"?(SKIPPED: )?", "", text) or "no reason"


class Group:
    """Suites that one process runs."""

    def __init__(self, suites):
        self.suites = suites
        self.listed = []
        # The beginnings of the names of what to run.
        self.wanted = []
        self.tests = {}
        self.cpu = 0.0
        self.crash = None
        self.notes = []


def list_tests(bundle, pattern):
    """The names of the tests, such as Module.Suite/name()."""
    listed = subprocess.run(
        [bundle, "--testing-library", "swift-testing", "--list-tests"], capture_output=True, text=True, check=True)
    names = [without_place(line) for line in listed.stdout.splitlines() if line]
    return [name for name in names if not pattern or re.search(pattern, name)]


def without_place(name):
    """A test's name without its file, line and column."""
    return re.sub(r"/[^/]+:\d+:\d+$", "", name)


def groups(suites):
    """The longest suite and those that wait, each alone; then those that start programs; then the rest."""
    alone = [suite for suite in (LONGEST, *WAITING) if suite in suites]
    shared = []

    def is_program(suite):
        return suite.startswith(PROGRAM_MODULE + ".")

    for suite in sorted(set(suites).difference(alone), key=lambda suite: (not is_program(suite), -suites[suite], suite)):
        limit = SHARED_PROGRAM_TESTS if is_program(suite) else SHARED_TESTS
        last = shared[-1].suites if shared else []
        if last and is_program(last[0]) == is_program(suite) and sum(suites[name] for name in [*last, suite]) <= limit:
            last.append(suite)
        else:
            shared.append(Group([suite]))
    return [Group([suite]) for suite in alone] + shared


def cpu_of(pid):
    """CPU seconds of a process and its ended children."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / TICKS
    except OSError:
        return None


def follow(group, stream, pid, starts):
    """Reads the events of a process while it runs."""
    before = {}
    for line in stream:
        try:
            record = json.loads(line)
        except ValueError:
            continue
        event = record.get("payload", {})
        test = event.get("testID")
        if record.get("kind") != "event" or not test or "/" not in test:
            continue
        name = without_place(test)
        kind = event["kind"]
        found = group.tests.setdefault(name, Test(name))
        if kind == "testStarted":
            before[name] = (cpu_of(pid) or 0, time.monotonic(), os.path.getsize(starts))
        elif kind == "testEnded" and name in before:
            cpu, wall, started = before.pop(name)
            found.cpu = max(0, (cpu_of(pid) or cpu) - cpu)
            found.wall = time.monotonic() - wall
            found.starts = os.path.getsize(starts) - started
            if found.state == "running":
                found.state = "passed"
        elif kind == "testSkipped":
            found.state = "skipped"
            found.messages = [message["text"] for message in event.get("messages", [])]
        elif kind == "issueRecorded" and not event.get("issue", {}).get("isKnown"):
            found.state = "failed"
            found.messages += [message["text"] for message in event.get("messages", [])]


def scratch_folder():
    """The folder for temporary folders; None for the system's own. Removes what killed runs left in memory."""
    try:
        there = os.statvfs(MEMORY_FOLDER)
    except OSError:
        return None
    for left in glob.glob(f"{MEMORY_FOLDER}/{FOLDER_PREFIX}*"):
        if not os.path.exists(f"/proc/{left.removeprefix(f'{MEMORY_FOLDER}/{FOLDER_PREFIX}').partition('-')[0]}"):
            shutil.rmtree(left, ignore_errors=True)
    return MEMORY_FOLDER if there.f_bavail * there.f_frsize >= MEMORY_BYTES else None


def run(bundle, group, scratch):
    with tempfile.TemporaryDirectory(prefix="tests-") as folder:
        fifo, starts = os.path.join(folder, "events"), os.path.join(folder, "starts")
        os.mkfifo(fifo)
        open(starts, "w").close()
        pattern = "^(" + "|".join(map(re.escape, group.wanted)) + ")"
        with open(os.path.join(folder, "output"), "w+b") as output:
            process = subprocess.Popen(
                [bundle, "--testing-library", "swift-testing", "--no-parallel", "--filter", pattern,
                 "--event-stream-output-path", fifo, "--event-stream-version", "0"],
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                env={**os.environ, "TEST_STARTS": starts, "TMPDIR": scratch})
            # Without our own writer, opening would wait forever for a process that dies at once.
            keeper = os.open(fifo, os.O_RDWR)
            stream = open(fifo, encoding="utf-8", errors="replace")
            reader = threading.Thread(target=follow, args=(group, stream, process.pid, starts))
            reader.start()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            os.close(keeper)
            reader.join()
            group.cpu = usage.ru_utime + usage.ru_stime
            output.seek(0)
            text = output.read().decode("utf-8", "replace")
            group.notes = [line for line in text.splitlines() if line.startswith(NOTE)]
            note_crash(group, process.returncode, text)
    return group


def note_crash(group, status, text):
    """If a process ended in any way other than by passing or failing all tests, blames the test that was running."""
    failed = any(test.state == "failed" for test in group.tests.values())
    running = [test for test in group.tests.values() if test.state == "running"]
    missing = [name for name in group.listed if name not in group.tests]
    if not running and not missing and (status == 0 or failed and status == 1):
        return
    tail = [line for line in text.splitlines() if not re.match(r".{0,8}[◇✔➜↳]", line)]
    first = next((i for i, line in enumerate(tail) if re.search(r"Fatal error|Crash|signal|ERROR", line)), 0)
    group.crash = f"ended with status {status}" + (f" before {len(missing)} of its tests" if missing else "")
    for test in running:
        test.state, test.messages = "failed", [f"the test process {group.crash}"] + tail[first:first + CRASH_LINES]
    lost = [] if running else [Test(name) for name in missing or [f"{group.suites[0]}/"]]
    for test in lost:
        test.state, test.messages = "failed", [f"the test process {group.crash}"]
        group.tests[test.name] = test
    if lost:
        lost[0].messages += tail[first:first + CRASH_LINES]


def report(done, started, record):
    tests = [test for group in done for test in group.tests.values()]
    by_state = collections.defaultdict(list)
    for test in tests:
        by_state[test.state].append(test)
    cpu = sum(group.cpu for group in done)
    print(f"\nThe {DEAREST} most expensive tests:\n CPU s  wall s  starts")
    for test in sorted(tests, key=lambda test: -test.cpu)[:DEAREST]:
        print(f"{test.cpu:6.1f}  {test.wall:6.1f}  {test.starts:6}  {test.name}")
    print(f"{cpu:6.1f}  CPU seconds in all, {sum(test.starts for test in tests)} program starts")
    for line in (line for group in done for line in group.notes):
        print(line if len(line) <= 160 else line[:159] + "…")
    reasons = collections.Counter(test.reason for test in by_state["skipped"])
    print(f"\n{len(by_state['skipped'])} tests were skipped:")
    for reason, count in reasons.most_common():
        print(f"{count:6}  {reason}")
    for test in by_state["failed"]:
        print(f"\nFAILED {test.name}")
        print("\n".join("  " + line for text in test.messages for line in text.splitlines()))
    if record:
        with open(record, "w") as file:
            for test in sorted(tests, key=lambda test: test.name):
                file.write(f"{test.name}\t{test.state}\t{test.cpu:.2f}\t{test.wall:.2f}\t{test.starts}\n")
    print(f"\nRan in {time.monotonic() - started:.0f} s, {cpu:.0f} CPU seconds.")
    print(f"{len(by_state['passed'])} passed, {len(by_state['failed'])} failed, {len(by_state['skipped'])} skipped")
    return not by_state["failed"] and by_state["passed"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bundle")
    parser.add_argument("--filter", help="run the tests whose Module.Suite/name() matches")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)) + 1)
    parser.add_argument("--record", help="write name, state, CPU s, wall s and starts of each test to this file")
    options = parser.parse_args()
    started = time.monotonic()
    tests = list_tests(options.bundle, options.filter)
    if not tests:
        sys.exit("no test matches")
    planned = groups(collections.Counter(name.rpartition("/")[0] for name in tests))
    for group in planned:
        group.listed = [name for name in tests if name.rpartition("/")[0] in group.suites]
        group.wanted = group.listed if options.filter else [suite + "/" for suite in group.suites]
    done = []
    with (
        tempfile.TemporaryDirectory(prefix=f"{FOLDER_PREFIX}{os.getpid()}-", dir=scratch_folder()) as scratch,
        concurrent.futures.ThreadPoolExecutor(options.jobs) as pool,
        concurrent.futures.ThreadPoolExecutor(len(WAITING)) as waiting,
    ):
        # Some workers run as another user.
        os.chmod(scratch, 0o755)
        futures = [
            (waiting if group.suites[0] in WAITING else pool).submit(run, options.bundle, group, scratch)
            for group in planned]
        for future in concurrent.futures.as_completed(futures):
            group = future.result()
            done.append(group)
            for suite in group.suites:
                tests = [test for test in group.tests.values() if test.name.rpartition("/")[0] == suite]
                result = "FAIL" if any(test.state == "failed" for test in tests) else "pass"
                print(f"{result} {suite}: {len(tests)} tests, {sum(test.cpu for test in tests):.1f} CPU s", flush=True)
    sys.exit(0 if report(done, started, options.record) else 1)


if __name__ == "__main__":
    main()

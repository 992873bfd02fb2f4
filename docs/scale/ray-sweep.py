#!/usr/bin/env python3
"""Measures images in parts that Ray, Dask or this process hands out, and prints the answer so far. See docs/scale.md.

    python3 docs/scale/ray-sweep.py /data/images /data/results --parts 64 --address auto
    python3 docs/scale/ray-sweep.py /data/images /data/results --parts 64 --engine dask -- sweep --images none

Both folders must be the same on all machines. After “--” comes the heicbench command with its options. Running the
same command again continues from the results folder, which holds a store for each finished part, one for each
unfinished part (in “checkpoints”), and “merged”.
"""
import argparse, os, pathlib, shutil, sqlite3, subprocess, sys, tempfile, time, uuid
from contextlib import closing


def listed(images):
    """The lines of a list of files."""
    with open(images, "rb") as file:
        return [line for line in file.readlines() if line.strip()]


def copy(store, target, results):
    """Copies a store, even one that is being written; the target is either complete or unchanged."""
    # Only main() makes this folder. Without it, the disk is not mounted, and nothing may be written there.
    new = results / "checkpoints" / f"new.{uuid.uuid4()}"
    try:
        with tempfile.TemporaryDirectory(dir=store.parent) as own:  # SQLite needs a local disk
            snapshot = pathlib.Path(own, store.name)
            with closing(sqlite3.connect(store)) as source, closing(sqlite3.connect(snapshot)) as to:
                source.backup(to)
                to.execute("PRAGMA journal_mode = delete")  # no extra files while it is read
            shutil.copyfile(snapshot, new)
        with open(new, "rb") as file:
            os.fsync(file.fileno())
        target.parent.mkdir(exist_ok=True)
        os.replace(new, target)
    finally:
        new.unlink(missing_ok=True)


def measure(part, options):
    """Measures one part on any machine. It may run again, or twice at once: only finished parts replace results."""
    name = f"shard-{part}-of-{options.parts}"
    done, checkpoint = options.results / name / "heicbench.sqlite", options.results / "checkpoints" / name
    with tempfile.TemporaryDirectory(prefix="heicbench-") as scratch:
        store = pathlib.Path(scratch, name, "heicbench.sqlite")
        store.parent.mkdir()
        saved = next(filter(pathlib.Path.exists, [done, checkpoint]), None)
        if saved:
            shutil.copyfile(saved, store)
        images = [options.images, "--shard", f"{part}/{options.parts}"]
        if os.path.isfile(options.images):
            own = pathlib.Path(scratch, "files")
            own.write_bytes(b"".join(listed(options.images)[part - 1 :: options.parts]))
            images = ["--files", own]
        # If the engine's process is killed, heicbench ends with it.
        call = ["setpriv", "--pdeathsig", "KILL", options.heicbench, *options.command, *images,
                "--jobs", str(options.jobs), "--quiet", "--output", store.parent]
        with subprocess.Popen(call, stderr=subprocess.PIPE, text=True, errors="replace") as process:
            try:
                while True:
                    try:
                        message = process.communicate(timeout=options.every)[1].strip()
                        break
                    except subprocess.TimeoutExpired:
                        if store.exists():
                            copy(store, checkpoint, options.results)
            finally:
                process.kill()
        if process.returncode in (64, 66):  # wrong usage, or no images: trying again will not help
            raise ValueError(message)
        if process.returncode not in (0, 3):  # 3: some encodes failed; the results list them
            raise RuntimeError(f"heicbench ended with {process.returncode}: {message}")
        copy(store, done, options.results)
        checkpoint.unlink(missing_ok=True)


def with_ray(options):
    import ray

    ray.init(address=options.address, log_to_driver=False)
    retries = {"max_retries": options.retries, "retry_exceptions": [OSError, RuntimeError]}
    task = ray.remote(num_cpus=options.jobs, **retries)(measure)
    parts = {task.remote(part, options): part for part in range(1, options.parts + 1)}
    waiting = list(parts)
    while waiting:
        [ready], waiting[:1000] = ray.wait(waiting[:1000])
        try:
            yield parts[ready], ray.get(ready)
        except Exception as error:
            yield parts[ready], getattr(error, "cause", None) or error


def with_dask(options):
    import dask, distributed

    dask.config.set({"distributed.scheduler.allowed-failures": options.retries})
    client = distributed.Client(options.address) if options.address else distributed.Client(threads_per_worker=1)
    retries = {"retries": options.retries}
    parts = {client.submit(measure, part, options, **retries): part for part in range(1, options.parts + 1)}
    for future in distributed.as_completed(parts):
        yield parts[future], future.exception()


def alone(options):
    for part in range(1, options.parts + 1):
        try:
            yield part, measure(part, options)
        except Exception as error:
            yield part, error


def merge(options, parts):
    """Adds parts to the merged results; adding a part twice changes nothing."""
    stores = [options.results / f"shard-{part}-of-{options.parts}" for part in parts]
    call = [options.heicbench, "merge", options.merged, *stores]
    done = subprocess.run(call, capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        sys.stderr.write(done.stderr)
        sys.exit(done.returncode)
    # The first line is the answer; summary.md has it only for a sweep.
    return done.stdout.partition("\n")[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("images", help="a folder, or a list of files, at the same path on every machine")
    parser.add_argument("results", type=pathlib.Path, help="the folder of all parts, at the same path on every machine")
    parser.add_argument("--merged", type=pathlib.Path, help="where to merge, on a local disk (RESULTS/merged)")
    parser.add_argument("--parts", type=int, default=16, help="use several for each process, so that all end together")
    parser.add_argument("--engine", choices=["ray", "dask", "none"], default="ray")
    parser.add_argument("--address", help="the cluster (default: one on this machine)")
    parser.add_argument("--jobs", type=int, default=1, help="cores for each part")
    parser.add_argument("--retries", type=int, default=5, help="retries for each part")
    parser.add_argument("--every", type=float, default=60, help="seconds between checkpoints, and between answers")
    parser.add_argument("--heicbench", default="heicbench", help="the program, on every machine")
    end = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    options = parser.parse_args(sys.argv[1:end])
    options.command = sys.argv[end + 1:] or ["sweep", "--images", "none"]
    if os.path.isfile(options.images):  # a part of a list has at least one image
        options.parts = max(1, min(options.parts, len(listed(options.images))))
    (options.results / "checkpoints").mkdir(parents=True, exist_ok=True)
    options.merged = options.merged or options.results / "merged"
    engine = {"ray": with_ray, "dask": with_dask, "none": alone}[options.engine]
    arrived, done, failed, due = [], 0, 0, time.monotonic() + options.every
    for part, error in engine(options):
        if error is None:
            arrived.append(part)
            done += 1
        else:
            failed += 1
            print(f"part {part} failed: {error}", file=sys.stderr, flush=True)
        if arrived and (time.monotonic() > due or done + failed == options.parts):
            began = time.monotonic()
            print(f"{done} of {options.parts} parts, {failed} failed: {merge(options, arrived)}", flush=True)
            # The reports of a large archive take long: spend at most a tenth of the time on them.
            arrived, due = [], time.monotonic() + max(options.every, 9 * (time.monotonic() - began))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

"""The process of scripts/conformance that reads untrusted files. Jobs and answers are JSON lines."""

import json
import resource
import signal
import sys

import numpy
from PIL import Image, ImageChops

import conformance_facts as facts_of
from conformance_pixels import differences
from conformance_readers import BY_NAME, SECONDS, OutOfTime, Picture, by_pillow

MEMORY = 6 << 30


def faults(picture):
    """Copies of heicbench's picture with one fault each, by name, which a comparison must notice."""
    colour, alpha = picture.colour.convert("RGB"), picture.alpha
    levels = numpy.asarray(colour, dtype=numpy.float32)

    def made(changed, a=alpha):
        image = changed if isinstance(changed, Image.Image) else Image.fromarray(numpy.rint(changed.clip(0, 255)).astype("uint8"))
        return Picture(image, a, picture.statement)

    found = {
        "turned by 180": made(colour.transpose(Image.Transpose.ROTATE_180),
                              alpha and alpha.transpose(Image.Transpose.ROTATE_180)),
        "mirrored": made(colour.transpose(Image.Transpose.FLIP_LEFT_RIGHT),
                         alpha and alpha.transpose(Image.Transpose.FLIP_LEFT_RIGHT)),
        "range not expanded": made(16 + levels * 219 / 255),
        "range expanded twice": made((levels - 16) * 255 / 219),
        "gamma 1.1": made(255 * (levels / 255) ** 1.1),
        "red and blue exchanged": made(levels[:, :, ::-1]),
        "less saturated": made(0.85 * levels + 0.15 * levels.mean(axis=2, keepdims=True)),
        "inverted": made(ImageChops.invert(colour)),
    }
    if alpha and alpha.getextrema()[0] < 255:
        found["alpha dropped"] = made(colour, None)
        found["alpha inverted"] = made(colour, ImageChops.invert(alpha))
    if picture.statement[0] == "icc":
        found["profile dropped"] = Picture(picture.colour, alpha, ("srgb",))
    if min(colour.size) > 8:
        found["shifted by a pixel"] = made(ImageChops.offset(colour, 1, 0))
    return found


def deadline(*_):
    raise OutOfTime(f"no picture within {SECONDS} s")


def compared(job):
    """Every reader's result for one file, compared with heicbench's picture of it."""
    with open(job["path"], "rb") as file:
        data = file.read()
    facts = facts_of.of(data, job["kind"]) | {"kind": job["kind"]}
    exif = job["exif"] or {}
    facts["outside_exif"] = exif.get("xmp") or (exif.get("orientation") if not facts.get("exif_chunk") else None)
    answer = {"facts": facts, "readers": {}}
    ours = None
    if job["png"]:
        with open(job["png"], "rb") as file:
            ours = by_pillow(job["png"], facts_of.png(file.read()), None)
        answer["made"] = {"size": ours.size, "statement": ours.statement[0], "alpha": ours.alpha is not None}
    for name in job["readers"] or facts_of.READERS[job["kind"]]:
        signal.alarm(SECONDS)
        try:
            theirs = BY_NAME[name](job["path"], facts, job["exif"])
            found = {"differences": differences(ours, theirs, job["limit"]) if ours else [], "statement": theirs.statement[0],
                     "mode": theirs.colour.mode, "size": theirs.size, "frames": theirs.frames}
            if job["prove"] and ours:
                found["faults"] = {fault: differences(broken, theirs, job["limit"]) for fault, broken in faults(ours).items()}
        except ModuleNotFoundError as error:
            found = {"missing": str(error)}
        except (Exception, OutOfTime) as error:  # noqa: BLE001  Whatever a reader throws, it has not read the file.
            text = str(error) or type(error).__name__
            found = {"missing" if "not installed" in text else "error": text[:300]}
        finally:
            signal.alarm(0)
        answer["readers"][name] = found
    return answer


def main():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGALRM, deadline)
    for line in sys.stdin:
        print(json.dumps(compared(json.loads(line)), default=repr), flush=True)


if __name__ == "__main__":
    main()

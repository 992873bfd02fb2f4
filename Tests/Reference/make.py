#!/usr/bin/env python3
"""Makes the reference pairs, their scores and the BD-rate vectors again: make.py SSIMULACRA2 DSSIM FFMPEG BUTTERAUGLI

SSIMULACRA2 is libjxl's tool of that name, and DSSIM is kornelski's (dssim-core 3). FFMPEG needs the filter libvmaf for
PSNR-HVS, as in PyPI's imageio-ffmpeg. BUTTERAUGLI is libjxl's butteraugli_main, 0.8 or later. PSNR and SSIM come from
scikit-image, MS-SSIM from TensorFlow and curves from SciPy (pip install numpy scipy scikit-image pillow
tensorflow-cpu); sizes are those of cjpeg and heif-enc. Only the pictures are heicbench's own; they are crops of the committed corpus.
"""

import csv
import io
import json
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import numpy
import tensorflow
from PIL import Image, ImageFilter
from scipy.interpolate import Akima1DInterpolator, PchipInterpolator
from skimage.metrics import peak_signal_noise_ratio, structural_similarity

HERE = Path(__file__).resolve().parent
CORPUS = HERE.parent.parent / "corpus"
TARGETS = (50, 70, 80, 90)


def display_p3():
    """An ICC profile of Display P3: its primaries adapted to D50, and sRGB's curve."""
    def fixed(*values):
        return b"".join(struct.pack(">i", round(value * 65536)) for value in values)

    curve = b"para" + bytes(4) + struct.pack(">HH", 3, 0) + fixed(2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)
    text = "Display P3".encode("utf-16-be")
    words = b"mluc" + bytes(4) + struct.pack(">II2s2sII", 1, 12, b"en", b"US", len(text), 28) + text
    tags = {
        b"desc": words, b"cprt": words, b"wtpt": b"XYZ " + bytes(4) + fixed(0.9642, 1, 0.8249),
        b"rXYZ": b"XYZ " + bytes(4) + fixed(0.51512, 0.24120, -0.00105),
        b"gXYZ": b"XYZ " + bytes(4) + fixed(0.29198, 0.69225, 0.04189),
        b"bXYZ": b"XYZ " + bytes(4) + fixed(0.15710, 0.06657, 0.78407),
        b"rTRC": curve, b"gTRC": curve, b"bTRC": curve,
    }
    table, data, start = b"", b"", 128 + 4 + 12 * len(tags)
    for name, body in tags.items():
        table += struct.pack(">4sII", name, start + len(data), len(body))
        data += body + bytes(-len(body) % 4)
    head = struct.pack(">I4sI4s4s4s", start + len(data), bytes(4), 0x04000000, b"mntr", b"RGB ", b"XYZ ")
    head += struct.pack(">6H4s", 2026, 1, 1, 0, 0, 0, b"acsp") + bytes(28) + fixed(0.9642, 1, 0.8249) + bytes(48)
    return head + struct.pack(">I", len(tags)) + table + data


def write_png(path, samples, icc=None):
    """Writes gray, RGB or RGBA samples of 8 or 16 bits; Pillow does not support 16-bit RGB."""
    height, width = samples.shape[:2]
    kind = {1: 0, 3: 2, 4: 6}[samples.shape[2] if samples.ndim == 3 else 1]
    rows = samples.astype(samples.dtype.newbyteorder(">")).reshape(height, -1).view(numpy.uint8)
    up = numpy.diff(rows, axis=0, prepend=numpy.zeros((1, rows.shape[1]), numpy.uint8)).astype(numpy.uint8)
    filtered = numpy.concatenate([numpy.full((height, 1), 2, numpy.uint8), up], axis=1)

    def chunk(name, body):
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    header = struct.pack(">IIBBBBB", width, height, 8 * samples.itemsize, kind, 0, 0, 0)
    profile = chunk(b"iCCP", b"icc\0\0" + zlib.compress(icc, 9)) if icc else b""
    data = chunk(b"IDAT", zlib.compress(filtered.tobytes(), 9))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + profile + data + chunk(b"IEND", b""))


def cut(name, left, top, width, height):
    with Image.open(CORPUS / name) as picture:
        return numpy.array(picture.crop((left, top, left + width, top + height)))


def jpeg(samples, quality, subsampling=2):
    file = io.BytesIO()
    options = {} if samples.ndim == 2 else {"subsampling": subsampling}
    Image.fromarray(samples).save(file, "jpeg", quality=quality, **options)
    return numpy.array(Image.open(file))


def blurred(samples, radius):
    return numpy.array(Image.fromarray(samples).filter(ImageFilter.GaussianBlur(radius)))


def moved(samples, change):
    """The samples plus a change in shares of the full scale, clipped to the scale."""
    full = numpy.iinfo(samples.dtype).max
    return numpy.clip(numpy.rint(samples + change * full), 0, full).astype(samples.dtype)


def noise(samples, share, seed):
    return moved(samples, numpy.random.default_rng(seed).normal(0, share, samples.shape))


def pairs():
    """Every reference with its distorted pictures, as (name, samples, profile, {name: samples})."""
    market = cut("photo/market.png", 120, 90, 208, 181)
    yield "market", market, None, {"jpeg-25": jpeg(market, 25), "jpeg-90-444": jpeg(market, 90, 0)}
    foliage = cut("photo/foliage.png", 200, 150, 123, 77)
    yield "foliage", foliage, None, {
        "blur-1": blurred(foliage, 1), "noise-2": noise(foliage, 0.02, 1), "noise-10": noise(foliage, 0.1, 2)}
    coast = cut("photo/coast.png", 300, 190, 130, 115)
    shift = numpy.array([0.03, 0, -0.05])
    yield "coast", coast, None, {"shift": moved(coast, shift), "contrast": moved(coast, 0.1 - 0.2 * coast / 255.0)}
    ruins = cut("gray/ruins.png", 100, 120, 177, 181)
    yield "gray", ruins, None, {"jpeg-40": jpeg(ruins, 40), "blur-2": blurred(ruins, 2)}
    night = blurred(cut("photo/night.png", 200, 100, 96, 113), 2).astype(numpy.float64)
    ramp = numpy.linspace(-0.2, 0.2, 96)[None, :, None]
    deep = numpy.clip(numpy.rint(night * 257 * (1.5 + ramp) + 8000), 0, 65535).astype(numpy.uint16)
    yield "deep", deep, None, {"6-bit": deep // 1024 * 1024 + 511, "noise-1": noise(deep, 0.01, 3)}
    portrait = cut("photo/portrait.png", 100, 150, 119, 128)
    yield "display-p3", portrait, display_p3(), {"jpeg-60": jpeg(portrait, 60), "shift": moved(portrait, shift)}
    badge = cut("alpha/badge.png", 60, 60, 121, 117)
    yield "alpha", badge, None, {"blur-1": blurred(badge, 1), "noise-3": noise(badge, 0.03, 4)}
    lines = cut("drawn/lines.png", 100, 100, 64, 51)
    yield "lines", lines, None, {"jpeg-50": jpeg(lines, 50), "blur-1": blurred(lines, 0.7)}
    tiny = cut("photo/market.png", 200, 200, 9, 13)
    yield "tiny", tiny, None, {"jpeg-70": jpeg(tiny, 70)}


def opaque(samples):
    """The picture on black and on white, at 16 bits; an opaque picture as it is."""
    if samples.ndim == 2 or samples.shape[2] == 3:
        return [samples]
    colour, alpha = samples[..., :3] / 255.0, samples[..., 3:] / 255.0
    return [numpy.rint((colour * alpha + ground * (1 - alpha)) * 65535).astype(numpy.uint16) for ground in (0, 1)]


def ssimulacra2(tool, reference, distorted):
    run = subprocess.run([tool, reference, distorted], check=True, capture_output=True, text=True)
    return float(run.stdout)


def multi_scale(reference, distorted):
    def image(luma):
        return tensorflow.constant(luma[..., None] / 255, tensorflow.float32)

    return float(tensorflow.image.ssim_multiscale(image(reference), image(distorted), 1.0))


def dssim(tool, reference, distorted):
    run = subprocess.run([tool, reference, distorted], check=True, capture_output=True, text=True)
    return float(run.stdout.split()[0])


def butteraugli(tool, reference, distorted):
    run = subprocess.run([tool, reference, distorted], check=True, capture_output=True, text=True)
    largest, _, norm = run.stdout.split()
    return [float(largest), float(norm)]


def rounded(samples):
    """Planes of Y, Cb and Cr of BT.601 with full range, as integers, from samples on a scale of 255. The tenth makes
    16-bit samples that repeat 8 bits round like those."""
    r, g, b = [samples] * 3 if samples.ndim == 2 else numpy.moveaxis(samples, 2, 0)
    y = (299 * r + 587 * g + 114 * b + 500.1) / 1000
    cb = (886 * b - 299 * r - 587 * g + 886.1 + 128 * 1772) / 1772
    cr = (701 * r - 587 * g - 114 * b + 701.1 + 128 * 1402) / 1402
    return numpy.minimum(numpy.floor(numpy.stack([y, cb, cr])), 255).astype(numpy.uint8)


def psnr_hvs(tool, colour, folder):
    """libvmaf's feature with full chroma, 8 bits; not defined for pictures smaller than a block of 8 × 8."""
    height, width = colour[0].shape[:2]
    command, log = [tool], folder / "log.json"
    for name, samples in zip(("reference", "distorted"), colour):
        (folder / name).write_bytes(rounded(samples).tobytes())
        command += ["-f", "rawvideo", "-pix_fmt", "yuvj444p", "-s", f"{width}x{height}", "-i", folder / name]
    graph = f"[1][0]libvmaf=model=:feature=name=psnr_hvs:log_fmt=json:log_path={log}"
    subprocess.run([*command, "-lavfi", graph, "-f", "null", "-"], check=True, capture_output=True)
    return json.loads(log.read_text())["frames"][0]["metrics"]["psnr_hvs"]


def scores(tools, reference, distorted, icc, folder):
    """The scores of an opaque pair, as the columns of scores.csv."""
    files = [folder / "reference.png", folder / "distorted.png"]
    for file, samples in zip(files, (reference, distorted)):
        write_png(file, samples, icc)
    full = numpy.iinfo(reference.dtype).max
    colour = [samples.astype(numpy.float64) * 255 / full for samples in (reference, distorted)]
    luma = [samples if samples.ndim == 2 else samples @ [0.299, 0.587, 0.114] for samples in colour]
    side = min(reference.shape[:2])
    ssim = {"data_range": 255, "gaussian_weights": True, "sigma": 1.5, "use_sample_covariance": False}
    return [
        ssimulacra2(tools[0], *files),
        peak_signal_noise_ratio(*luma, data_range=255),
        peak_signal_noise_ratio(*colour, data_range=255),
        structural_similarity(*luma, **ssim) if side >= 11 else None,
        multi_scale(*luma) if side >= 176 else None,
        dssim(tools[1], *files),
        psnr_hvs(tools[2], colour, folder),
        *butteraugli(tools[3], *files),
    ]


def write_csv(path, header, rows):
    with open(path, "w", newline="", encoding="ascii") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


COLUMNS = ["ssimulacra2", "psnr_y_db", "psnr_rgb_db", "ssim", "ms_ssim", "dssim", "psnr_hvs_db", "butteraugli",
           "butteraugli_3norm"]
DISTANCES = {"dssim", "butteraugli", "butteraugli_3norm"}


def make_pairs(tools, folder):
    rows = []
    for name, reference, icc, distorted in pairs():
        write_png(HERE / "refs" / f"{name}.png", reference, icc)
        for change, samples in distorted.items():
            file = f"{name}-{change}.png"
            write_png(HERE / "pairs" / file, samples, icc)
            each = [scores(tools, a, b, icc, folder) for a, b in zip(opaque(reference), opaque(samples))]
            # For each metric, the worse score on black and on white counts.
            worst = [
                None if None in column else (max if name in DISTANCES else min)(column)
                for name, column in zip(COLUMNS, zip(*each))
            ]
            digits = ["" if score is None else f"{score:.8f}" for score in worst]
            rows.append([f"{name}.png", file, *digits])
    write_csv(HERE / "pairs" / "scores.csv", ["reference", "distorted", *COLUMNS], rows)


def points(tool, picture, folder):
    """Sizes and scores of a picture at ten qualities of each codec, as (codec, quality, bytes, score)."""
    for codec in ("heic", "jpeg"):
        for quality in range(10, 101, 10):
            file, decoded = folder / f"file.{codec}", folder / "decoded.png"
            if codec == "heic":
                subprocess.run(["heif-enc", "-q", str(quality), "-o", file, picture], check=True, capture_output=True)
                subprocess.run(["heif-convert", file, decoded], check=True, capture_output=True)
            else:
                pixels = folder / "pixels.ppm"
                with Image.open(picture) as source:
                    source.save(pixels)
                options = ["-quality", str(quality), "-sample", "2x2", "-outfile", file, pixels]
                subprocess.run(["cjpeg", *options], check=True)
                subprocess.run(["djpeg", "-outfile", pixels, file], check=True)
                with Image.open(pixels) as result:
                    result.save(decoded)
            yield codec, quality, file.stat().st_size, ssimulacra2(tool, picture, decoded)


def expected(image, rows):
    """SciPy's results for an image's points."""
    curves, ends = {}, []
    for codec in ("heic", "jpeg"):
        of = sorted((score, numpy.log(size)) for name, _, size, score in rows if name == codec)
        xs, ys = zip(*of)
        assert all(a < b for a, b in zip(ys, ys[1:])), f"{image}: a point is beaten by another"
        ends.append((xs[0], xs[-1]))
        curves[codec] = [PchipInterpolator(xs, ys), Akima1DInterpolator(xs, ys)]
    low, high = max(end[0] for end in ends), min(end[1] for end in ends)

    def rate(kind):
        means = [curves[codec][kind].integrate(low, high) / (high - low) for codec in ("heic", "jpeg")]
        return (numpy.exp(means[0] - means[1]) - 1) * 100

    def saving(score):
        if not low <= score <= high:
            return ""
        return f"{(numpy.exp(curves['heic'][0](score) - curves['jpeg'][0](score)) - 1) * 100:.4f}"

    rates = [f"{rate(kind):.4f}" for kind in (0, 1)]
    return [image, f"{low:.6f}", f"{high:.6f}", *rates, *(saving(target) for target in TARGETS)]


def make_curves(tool, folder):
    rows, figures = [], []
    for image in ("coast", "market", "portrait"):
        found = list(points(tool, CORPUS / "photo" / f"{image}.png", folder))
        rows += [[f"{image}.png", *point] for point in found]
        figures.append(expected(f"{image}.png", found))
    write_csv(HERE / "bd-rate" / "points.csv",
              ["image", "codec", "native_quality", "encoded_bytes", "ssimulacra2"], rows)
    write_csv(HERE / "bd-rate" / "expected.csv",
              ["image", "overlap_low", "overlap_high", "bd_rate_pchip_percent", "bd_rate_akima_percent",
               *(f"saving_at_{target}_percent" for target in TARGETS)], figures)


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    for name in ("refs", "pairs", "bd-rate"):
        (HERE / name).mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        make_pairs(sys.argv[1:], Path(folder))
        make_curves(sys.argv[1], Path(folder))


if __name__ == "__main__":
    main()

"""Compares heicbench's picture of a file with a reader's: size, orientation, alpha, colours in sRGB."""

import numpy
from PIL import Image

from conformance_colour import in_srgb, to_light
from conformance_readers import TURNS

# Pictures with more pixels are reduced (means of areas, in linear light) before they are compared.
WHOLE = 4_000_000
REDUCED = 1024
# Up to this mean difference of levels, and this worst mean of 8 x 8 pixels, pictures count as equal.
EQUAL = {"mean": 0.8, "block": 4}
LIGHT = to_light(13, numpy.arange(256) / 255).astype(numpy.float32)


def reduced(image, size):
    """An 8-bit image reduced by means of areas, in linear light for colours, as an array of levels."""
    bands = []
    for band in image.split():
        values = LIGHT[numpy.asarray(band)] if image.mode == "RGB" else numpy.asarray(band, dtype=numpy.float32) / 255
        small = numpy.clip(numpy.asarray(Image.fromarray(values).resize(size, Image.Resampling.BOX)), 0, 1)
        if image.mode == "RGB":
            small = numpy.where(small <= 0.0031308, 12.92 * small, 1.055 * small ** (1 / 2.4) - 0.055)
        bands.append(small * 255)
    return numpy.stack(bands, -1)


def levels(ours, theirs):
    """Both images as arrays of levels with the same size."""
    if ours.size == theirs.size and ours.width * ours.height <= WHOLE:
        return [numpy.asarray(image, dtype=numpy.float32).reshape(image.height, image.width, -1) for image in (ours, theirs)]
    # Filters differ, which shows less in smaller pictures.
    scale = min(1, (REDUCED if ours.size == theirs.size else REDUCED / 4) / max(ours.size))
    size = tuple(max(1, round(side * scale)) for side in ours.size)
    return [reduced(image, size) for image in (ours, theirs)]


def blocks(values):
    """The largest absolute mean of 8 x 8 pixels; smaller pictures are one block."""
    height, width = (max(1, side // 8) for side in values.shape[:2])
    tall, wide = (min(8, side) for side in values.shape[:2])
    cut = values[:height * tall, :width * wide]
    return float(numpy.abs(cut.reshape(height, tall, width, wide, -1).mean(axis=(1, 3))).max())


def measures(ours, theirs, weight):
    """Figures about the difference of two arrays of levels, with pixels weighted by alpha."""
    difference = (ours - theirs) * weight
    size = numpy.abs(difference)
    luma = numpy.abs(difference.mean(axis=2) if difference.shape[2] < 3 else difference @ [0.2126, 0.7152, 0.0722])
    return {"mean": float(size.mean()), "block": blocks(difference), "max": float(size.max()), "luma": float(luma.mean()),
            "signed": float(difference.mean()), "share": float((size.max(axis=2) > 8).mean())}


def is_equal(found):
    return found["mean"] <= EQUAL["mean"] and found["block"] <= EQUAL["block"]


def colours(ours, theirs):
    """The colours of both pictures, as stored if they state the same, otherwise in sRGB."""
    if ours.statement == theirs.statement and ours.colour.mode == theirs.colour.mode != "CMYK":
        return ours.colour.convert("RGB"), theirs.colour.convert("RGB")
    return in_srgb(ours.colour, ours.statement), in_srgb(theirs.colour, theirs.statement)


def alphas(ours, theirs):
    """The alpha of both as images, opaque for a picture without alpha; None if neither is transparent anywhere."""
    found = [p.alpha or Image.new("L", p.colour.size, 255) for p in (ours, theirs)]
    return None if all(image.getextrema()[0] == 255 for image in found) else found


def differences(ours, theirs, limit=4096):
    """The differences of heicbench's picture from a reader's, as a list of figures; `limit` is heicbench's longest side."""
    width, height = theirs.size
    scale = min(1, limit / max(width, height))
    wanted = tuple(max(1, round(side * scale)) for side in (width, height))
    if any(abs(a - b) > (0 if scale == 1 else 1) for a, b in zip(ours.size, wanted)):
        kind = "orientation" if ours.size == wanted[::-1] else "size"
        return [{"kind": kind, "ours": ours.size, "theirs": theirs.size}]
    transparency, (a, b) = alphas(ours, theirs), [None, None]
    found, weight = [], 1.0
    if transparency:
        a, b = levels(*transparency)
        found, weight = found + judged("alpha", a, b, 1.0), numpy.minimum(a, b) / 255
    ours_rgb, theirs_rgb = colours(ours, theirs)
    found += judged("pixels", *levels(ours_rgb, theirs_rgb), weight)
    found = [one | {"reduced": True} if scale < 1 else one for one in found]
    if found:
        turn = turned(*(transparency if found[-1]["kind"] == "alpha" else (ours_rgb, theirs_rgb)), found[-1])
        if turn:
            return [found[-1] | {"kind": "orientation", "turn": turn}]
    return found


def judged(kind, ours, theirs, weight):
    """The difference of two arrays of levels, if any; `expanded` is theirs, expanded from limited range."""
    figures = measures(ours, theirs, weight)
    if is_equal(figures):
        return []
    expanded = numpy.clip((theirs - 16) * 255 / 219, 0, 255)
    return [{"kind": kind} | figures | {"expanded": measures(ours, expanded, weight)["mean"]}]


def turned(ours, theirs, figures):
    """The Exif orientation with which our picture fits theirs far better, if any."""
    best = (min(8, 0.25 * figures["mean"]), None)
    for number, name in TURNS.items():
        image = ours.transpose(getattr(Image.Transpose, name))
        if image.size == theirs.size:
            best = min(best, (measures(*levels(image, theirs), 1.0)["mean"], number), key=lambda pair: pair[0])
    return best[1]

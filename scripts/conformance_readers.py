"""Independent readers for scripts/conformance. Each returns the picture of a file as an upright 8-bit image, its alpha
and its stated colours, or raises an error. The readers do not need each other's modules."""

import io
import itertools
import os
import subprocess
import tempfile
import warnings

import numpy
from PIL import Image, ImageOps

from conformance_colour import in_srgb
from conformance_facts import SRGB

Image.MAX_IMAGE_PIXELS = None
warnings.simplefilter("ignore")
SECONDS = 20
# The transforms that Exif orientations apply to the stored picture.
TURNS = {2: "FLIP_LEFT_RIGHT", 3: "ROTATE_180", 4: "FLIP_TOP_BOTTOM", 5: "TRANSPOSE", 6: "ROTATE_270", 7: "TRANSVERSE",
         8: "ROTATE_90"}


class Unreadable(Exception):
    """A reader is missing, or cannot read this file."""


class OutOfTime(BaseException):
    """A reader takes too long. No reader catches this kind."""


class Picture:
    """An upright picture: `colour` is an image of mode RGB, L or CMYK, `alpha` one of mode L or None."""

    def __init__(self, colour, alpha, statement, frames=1):
        self.colour, self.alpha, self.statement, self.frames = colour, alpha, statement, frames
        self.size = colour.size


def in_bytes(samples):
    """8-bit samples of an array of 8 or 16 bits, or of floats from 0 to 1."""
    if samples.dtype == numpy.uint8:
        return samples
    if samples.dtype == bool:
        return samples.astype(numpy.uint8) * 255
    if samples.dtype.kind == "f":
        return numpy.rint(numpy.clip(samples, 0, 1) * 255).astype(numpy.uint8)
    if samples.dtype == numpy.uint16:
        return ((samples.astype(numpy.uint32) * 255 + 32767) // 65535).astype(numpy.uint8)
    raise Unreadable(f"samples of {samples.dtype}")


def parts(image):
    """The colour and alpha of an image in any of Pillow's modes."""
    if image.mode in ("I;16", "I;16B", "I;16L", "I"):
        deep = numpy.asarray(image).astype(numpy.int64)
        image = Image.fromarray(in_bytes(numpy.clip(deep, 0, 65535).astype(numpy.uint16)))
    if image.mode == "F":
        raise Unreadable("floats without a range")
    if image.mode in ("RGBa", "La"):
        image = image.convert("RGBA" if image.mode == "RGBa" else "LA")
    if "transparency" in image.info or image.mode in ("PA", "RGBA", "LA"):
        if image.mode != "LA":
            image = image.convert("RGBA")
        return (image.getchannel(0) if image.mode == "LA" else image.convert("RGB")), image.getchannel("A")
    if image.mode in ("L", "1"):
        return image.convert("L"), None
    return (image if image.mode in ("RGB", "CMYK") else image.convert("RGB")), None


def by_pillow(path, facts, exif):
    """Pillow's own readers. What they leave to the caller (crop and gamma) is applied from the file's facts."""
    with Image.open(path) as image:
        stored = image.getexif().get(0x0112) if image.format == "TIFF" else None
        image.load()
        profile = image.info.get("icc_profile")
        statement = facts.get("statement") or (("icc", profile) if profile else SRGB)
        orientation = image.getexif().get(0x0112)
        for name, value in facts.get("turns", []):
            if name == "clap" and tuple(facts.get("stated", ())) == image.size:
                image = cropped(image, value)
        # Pillow has already rotated TIFF, unless the tag has an unusual type.
        left = image.format in ("JPEG", "MPO") or image.format == "TIFF" and stored not in TURNS
        if exif and exif.get("orientation") in TURNS and left:
            orientation = exif["orientation"]
        if image.format == "TIFF" and image.mode == "I;16":
            # Pillow does not scale samples of 9 to 15 bits.
            most = 2 ** min(16, image.tag_v2.get(258, (16,))[0]) - 1
            levels = numpy.asarray(image).astype(numpy.uint32)
            image = Image.fromarray(in_bytes(numpy.minimum(levels * 65535 // most, 65535).astype(numpy.uint16)))
        frames = getattr(image, "n_frames", 1)
        colour, alpha = gray_png(image, facts, statement) if facts.get("depth") and image.mode in ("L", "I;16", "I") else parts(image)
        if statement[0] == "gamma" and image.mode == "I;16":
            statement = SRGB
    picture = upright(colour, alpha, statement, orientation)
    picture.frames = frames
    return picture


def gray_png(image, facts, statement):
    """Gray of any depth with one transparent level, which Pillow compares in 8 bits."""
    if "transparent_gray" not in facts and statement[0] != "gamma":
        return parts(image)
    levels, most = numpy.asarray(image).astype(numpy.uint16), 2 ** facts["depth"] - 1
    alpha = None
    if "transparent_gray" in facts:
        at = facts["transparent_gray"]
        alpha = Image.fromarray(numpy.where(levels == (at if most > 255 else at * 255 // most), 0, 255).astype(numpy.uint8))
    if statement[0] == "gamma" and image.mode == "I;16":
        return in_srgb(levels, statement), alpha
    return Image.fromarray(in_bytes(levels if most > 255 else levels.astype(numpy.uint8))), alpha


def upright(colour, alpha, statement, orientation):
    turn = TURNS.get(orientation)
    if turn:
        turn = getattr(Image.Transpose, turn)
        colour, alpha = colour.transpose(turn), alpha and alpha.transpose(turn)
    return Picture(colour, alpha, statement)


def transformed(picture, name, value):
    """What a property of a HEIF item does to a picture."""
    def change(image):
        if name == "clap":
            return cropped(image, value)
        if name == "imir":
            return image.transpose(Image.Transpose.FLIP_LEFT_RIGHT if value & 1 else Image.Transpose.FLIP_TOP_BOTTOM)
        return image.rotate(90 * (value & 3), expand=True)
    return Picture(change(picture.colour), picture.alpha and change(picture.alpha), picture.statement)


def cropped(image, clap):
    """The part of an image that a clean aperture selects."""
    (wn, wd, hn, hd, xn, xd, yn, yd), (width, height) = clap, image.size
    w, h = wn // wd, hn // hd
    left, top = round((width - w) / 2 + xn / xd - 1e-9), round((height - h) / 2 + yn / yd - 1e-9)
    return image.crop((left, top, left + w, top + h))


def by_heif(path, facts, exif):
    import pillow_heif
    file = pillow_heif.open_heif(path, convert_hdr_to_8bit=True)
    image = file.to_pillow()
    profile = file.info.get("icc_profile")
    statement = ("icc", profile) if profile else facts.get("statement") or SRGB
    return Picture(*parts(image), statement)


def is_gamma_of_srgb(profile):
    """Whether libjxl made the profile for a file that states gamma 45455, which means sRGB's curve (docs/metrics.md)."""
    return all(name.encode("utf-16-be") in profile for name in ("_D65_SRG_", "_g0.4545"))


def by_jxl(path, facts, exif):
    import pillow_jxl  # noqa: F401  Registers itself with Pillow.
    with Image.open(path) as image:
        image.load()
        profile = image.info.get("icc_profile")
        profile = None if is_gamma_of_srgb(profile or b"") else profile
        return Picture(*parts(image), ("icc", profile) if profile else SRGB, getattr(image, "n_frames", 1))


def by_program(command, path):
    """The picture that a program writes as PNG."""
    from conformance_facts import png
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "out.png")
        try:
            done = subprocess.run([word.format(path, output) for word in command], capture_output=True, timeout=SECONDS)
        except FileNotFoundError:
            raise Unreadable(f"{command[0]} is not installed") from None
        # The output names of files with several frames have a number.
        made = sorted(os.path.join(folder, name) for name in os.listdir(folder))
        if done.returncode or not made:
            raise Unreadable(done.stderr.decode(errors="replace").strip()[-200:])
        with open(made[0], "rb") as file:
            data = file.read()
    return by_pillow(io.BytesIO(data), png(data), None)


def by_djxl(path, facts, exif):
    picture = by_program(["djxl", "{0}", "{1}"], path)
    if picture.statement[0] == "icc" and is_gamma_of_srgb(picture.statement[1]):
        picture.statement = SRGB
    return picture


def by_avifdec(path, facts, exif):
    """Older versions leave crop and rotation to the caller."""
    picture = by_program(["avifdec", "-d", "8", "-u", "nearest", "{0}", "{1}"], path)
    if tuple(facts.get("stated", ())) == picture.size:
        for name, value in facts["turns"]:
            picture = transformed(picture, name, value)
    if picture.statement == SRGB:
        picture.statement = facts.get("statement") or SRGB
    return picture


def by_tifffile(path, facts, exif):
    """The first page that is not a reduced copy of another."""
    import tifffile
    with tifffile.TiffFile(path) as file:
        # Broken files may chain their pages in a circle.
        pages = list(itertools.islice(file.pages, 16))
        page = next((page for page in pages if not getattr(page, "subfiletype", 0) & 1), pages[0])
        names = page.photometric.name if hasattr(page.photometric, "name") else str(page.photometric)
        samples = numpy.asarray(page.asarray())
        axes, tags = page.axes, page.tags
        profile = tags.get(34675)
        depth, extra = page.bitspersample, [int(e) for e in page.extrasamples]
        orientation = tags["Orientation"].value if "Orientation" in tags else 1
        orientation = orientation[0] if isinstance(orientation, bytes) and orientation else orientation
        colormap = page.colormap if names == "PALETTE" else None
        # Some programs wrote palettes of 8 bits, which libtiff's own programs stretch.
        if colormap is not None and colormap.max() < 256:
            colormap = colormap * 257
        # tifffile converts YCbCr only for JPEG.
        ycbcr = names == "YCBCR" and page.compression not in (6, 7, 34892)
        weights = tags[529].value if 529 in tags else (299, 1000, 587, 1000, 114, 1000)
        levels = tags[532].value if 532 in tags else (0, 1, 255, 1, 128, 1, 255, 1, 128, 1, 255, 1)
    if axes.startswith("S"):
        samples = numpy.moveaxis(samples, 0, -1)
    if samples.ndim not in (2, 3):
        raise Unreadable(f"axes {axes}")
    if samples.dtype.kind != "b" and depth not in (1, 8, 16) and names != "PALETTE":
        if samples.dtype.kind in "f" or depth > 16:
            raise Unreadable(f"samples of {samples.dtype}")
        samples = numpy.rint(samples.astype(float) * 255 / (2 ** depth - 1)).astype(numpy.uint8)
    if ycbcr and samples.ndim == 3 and samples.shape[2] == 3 and samples.dtype == numpy.uint8:
        samples = from_ycbcr(samples, weights, levels)
    colour, alpha = tiff_parts(samples, names, colormap, extra)
    return upright(colour, alpha, ("icc", bytes(profile.value)) if profile else SRGB, orientation)


def from_ycbcr(samples, weights, levels):
    """RGB from luma and chroma, with the tags YCbCrCoefficients and ReferenceBlackWhite (TIFF 6.0, section 21)."""
    red, green, blue = (weights[i] / weights[i + 1] for i in (0, 2, 4))
    black, white, zero_b, most_b, zero_r, most_r = (levels[i] / levels[i + 1] for i in range(0, 12, 2))
    y, cb, cr = numpy.moveaxis(samples.astype(float), -1, 0)
    y, cb, cr = (y - black) * 255 / (white - black), (cb - zero_b) * 127 / (most_b - zero_b), (cr - zero_r) * 127 / (most_r - zero_r)
    r, b = y + cr * (2 - 2 * red), y + cb * (2 - 2 * blue)
    g = (y - red * r - blue * b) / green
    return numpy.rint(numpy.clip(numpy.stack([r, g, b], -1), 0, 255)).astype(numpy.uint8)


def tiff_parts(samples, photometric, colormap, extra):
    if photometric == "PALETTE":
        return Image.fromarray(in_bytes(numpy.moveaxis(colormap[:, samples], 0, -1))), None
    samples = in_bytes(samples)
    if samples.ndim == 2:
        samples = samples[:, :, None]
    channels = {"MINISBLACK": 1, "MINISWHITE": 1, "RGB": 3, "YCBCR": 3, "SEPARATED": 4}.get(photometric)
    if channels is None or samples.shape[2] < channels:
        raise Unreadable(f"tifffile: {photometric}")
    colour, alpha = samples[:, :, :channels], None
    if extra and extra[0] in (1, 2) and samples.shape[2] > channels:
        alpha = samples[:, :, channels]
        if extra[0] == 1:
            whole = numpy.maximum(alpha, 1)[:, :, None].astype(float)
            colour = numpy.where(alpha[:, :, None] > 0, numpy.minimum(numpy.rint(colour * 255.0 / whole), 255), 0)
            colour = colour.astype(numpy.uint8)
    if photometric == "MINISWHITE":
        colour = 255 - colour
    colour = colour[:, :, 0] if channels == 1 else colour
    image = Image.fromarray(numpy.ascontiguousarray(colour), "CMYK" if channels == 4 else None)
    return image, alpha is not None and Image.fromarray(numpy.ascontiguousarray(alpha)) or None


BY_NAME = {"Pillow": by_pillow, "libavif": by_pillow, "pillow-heif": by_heif, "avifdec": by_avifdec, "pillow-jxl": by_jxl,
           "djxl": by_djxl, "tifffile": by_tifffile}

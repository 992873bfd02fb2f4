"""Converts pictures to sRGB from the colours that files state: ICC profile (Little CMS), code points or gamma."""

import io

import numpy
from PIL import Image, ImageCms

# x and y of red, green, blue and white (H.273).
WHITE = (0.3127, 0.3290)
PRIMARIES = {
    1: (0.64, 0.33, 0.30, 0.60, 0.15, 0.06, *WHITE), 4: (0.67, 0.33, 0.21, 0.71, 0.14, 0.08, 0.310, 0.316),
    5: (0.64, 0.33, 0.29, 0.60, 0.15, 0.06, *WHITE), 6: (0.63, 0.34, 0.31, 0.595, 0.155, 0.07, *WHITE),
    7: (0.63, 0.34, 0.31, 0.595, 0.155, 0.07, *WHITE), 8: (0.681, 0.319, 0.243, 0.692, 0.145, 0.049, 0.310, 0.316),
    9: (0.708, 0.292, 0.170, 0.797, 0.131, 0.046, *WHITE), 11: (0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.314, 0.351),
    12: (0.68, 0.32, 0.265, 0.69, 0.15, 0.06, *WHITE), 22: (0.63, 0.34, 0.295, 0.605, 0.155, 0.077, *WHITE)}
BRADFORD = numpy.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])
HDR_WHITE = 203  # Diffuse white in nits (BT.2408).


def to_light(transfer, values):
    """Light of encoded values, 1 for white; a transfer is a number of H.273 or ("gamma", exponent)."""
    values = numpy.asarray(values, dtype=numpy.float64)
    if isinstance(transfer, tuple):
        return values ** (1 / transfer[1])
    if transfer == 8:
        return values
    if transfer == 5:
        return values ** 2.8
    if transfer == 16:
        power = values ** (1 / 78.84375)
        return (numpy.maximum(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power)) ** (1 / 0.1593017578125) * 10000 / HDR_WHITE
    if transfer == 18:
        a, b, c = 0.17883277, 0.28466892, 0.55991073
        scene = numpy.where(values <= 0.5, values * values / 3, (numpy.exp((values - c) / a) + b) / 12)
        return scene ** 1.2 * 1000 / HDR_WHITE
    # As in docs/metrics.md: the camera curves of BT.709, 601 and 2020 are shown as sRGB's. Encoders write 4 for a PNG's
    # gAMA 45455, which stands for sRGB's curve.
    return numpy.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def to_srgb(light):
    light = numpy.clip(light, 0, 1)
    return numpy.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)


def matrix(places):
    """From linear RGB of the primaries to XYZ, adapted to the white of sRGB."""
    xy = numpy.array(places).reshape(4, 2)
    xyz = numpy.stack([xy[:, 0] / xy[:, 1], numpy.ones(4), (1 - xy[:, 0] - xy[:, 1]) / xy[:, 1]])
    scale = numpy.linalg.solve(xyz[:, :3], xyz[:, 3])
    target = numpy.array([WHITE[0] / WHITE[1], 1, (1 - sum(WHITE)) / WHITE[1]])
    cones = numpy.diag((BRADFORD @ target) / (BRADFORD @ xyz[:, 3]))
    return numpy.linalg.inv(BRADFORD) @ cones @ BRADFORD @ (xyz[:, :3] * scale)


def by_numbers(image, transfer, places):
    """An RGB image, or an array of gray levels of 16 bits, in sRGB."""
    levels = numpy.asarray(image)
    most = 255 if levels.dtype == numpy.uint8 else 65535
    light = to_light(transfer, numpy.arange(most + 1) / most).astype(numpy.float32)[levels]
    if levels.ndim == 2:
        return Image.fromarray(numpy.rint(to_srgb(light) * 255).astype(numpy.uint8))
    if places and not numpy.allclose(places, PRIMARIES[1], atol=1e-4):
        light = light @ (numpy.linalg.inv(matrix(PRIMARIES[1])) @ matrix(places)).T.astype(numpy.float32)
    return Image.fromarray(numpy.rint(to_srgb(light) * 255).astype(numpy.uint8), "RGB")


def is_gray(image):
    red, green, blue = (numpy.asarray(band) for band in image.split())
    return numpy.array_equal(red, green) and numpy.array_equal(green, blue)


def by_profile(image, profile):
    """An image in sRGB, converted with its ICC profile; None if the profile does not fit the image."""
    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        needed = {"RGB ": "RGB", "GRAY": "L", "CMYK": "CMYK", "Lab ": "LAB"}.get(source.profile.xcolor_space)
        if needed == "L" and image.mode == "RGB" and is_gray(image):
            image = image.convert("L")
        if image.mode != needed:
            return None
        # Little CMS limits the slope of gray curves near black when it optimises.
        flags = ImageCms.Flags.NOOPTIMIZE if image.mode == "L" else ImageCms.Flags.NONE
        return ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"), 0, outputMode="RGB", flags=flags)
    except (ImageCms.PyCMSError, OSError, ValueError, TypeError):
        return None


def in_srgb(image, statement):
    """The image (RGB, L or CMYK) as 8-bit sRGB, from its stated colours."""
    kind = statement[0]
    if kind == "icc":
        converted = by_profile(image, statement[1])
        if converted is not None:
            return converted
    image = image if isinstance(image, numpy.ndarray) else image.convert("RGB")
    if kind == "points" and not (statement[1] in (1, 2) and statement[2] in (1, 2, 4, 6, 13, 14, 15)):
        return by_numbers(image, statement[2], PRIMARIES.get(statement[1]))
    # PNG writes sRGB's curve as 45455. heicbench accepts 45000 to 46000 for it, since programs write rounded values.
    if kind == "gamma":
        named = statement[2] if statement[2] and all(v > 0 for v in statement[2][1::2]) else None
        places = [named[i] for i in (2, 3, 4, 5, 6, 7, 0, 1)] if named else None
        curve = 13 if 0.45 <= statement[1] <= 0.46 else ("gamma", statement[1])
        if statement[1] > 0:
            return by_numbers(image, curve, places)
    return image

"""Reasons why heicbench's picture of a file may differ from a reader's although heicbench is not at fault.

Each rule has a name, a reason, and a condition over the file's facts (conformance_facts.py), one difference
(conformance_pixels.py), and the results of all readers. A rule is as narrow as possible: scripts/conformance --prove breaks
heicbench's pictures on purpose and counts the faults that a rule would explain away."""

RULES, REFUSALS = [], []


class Case:
    """One difference of one reader from heicbench's picture of one file."""

    def __init__(self, facts, difference, said, reader, opened):
        self.facts, self.difference, self.said, self.reader, self.opened = facts, difference, said, reader, opened
        self.kind = difference["kind"]

    def figure(self, name):
        return self.difference.get(name, 1e9)

    def agrees(self, reader):
        """Whether another reader has the same picture as heicbench."""
        return reader != self.reader and reader in self.opened and not self.opened[reader]["differences"]


def rule(name, reason):
    """Adds a condition for differences."""
    return lambda condition: RULES.append((name, reason, condition))


def refuses(name, reason):
    """Adds a condition for files that heicbench refuses although another reader opens them."""
    return lambda condition: REFUSALS.append((name, reason, condition))


@rule("chroma-upsampling", "libheif repeats halved chroma and libavif interpolates it; lightness and means agree")
def _(case):
    return (case.kind == "pixels" and case.facts.get("subsampled") and case.facts["kind"] == "AVIF" and
            case.figure("luma") <= 0.5 and abs(case.figure("signed")) <= 0.3 and case.figure("mean") <= 2.5 and
            case.figure("block") <= 8)


@rule("chroma-upsampling-tiny",
      "like chroma-upsampling, in a picture of at most 8 x 8 pixels, where clipping also changes lightness")
def _(case):
    width, height = case.facts.get("stated", (9, 9))
    return (case.kind == "pixels" and case.facts.get("subsampled") and case.facts["kind"] in ("AVIF", "HEIF") and
            max(width, height) <= 8 and case.figure("block") <= 0.5)


@rule("chroma-repeated", "like chroma-upsampling; avifdec, when told to repeat chroma, has heicbench's picture")
def _(case):
    return (case.kind == "pixels" and case.facts.get("subsampled") and case.reader == "libavif" and case.agrees("avifdec") and
            case.figure("mean") <= 2.5 and case.figure("block") <= 8)


@rule("deep-samples-cut",
      "libavif in Pillow truncates samples of 10 and 12 bits to 8 bits without rounding, which loses half a "
      "level to one")
def _(case):
    return (case.kind == "pixels" and case.facts["kind"] == "AVIF" and case.facts.get("depth", 8) > 8 and
            0 < case.figure("signed") <= 1.2 and case.figure("mean") <= 1.3 and case.figure("block") <= 4)


@rule("older-libavif", "Debian 12's avifdec is libavif 0.11; libavif 1.x in Pillow has the same picture as heicbench")
def _(case):
    return case.reader == "avifdec" and case.agrees("libavif")


@rule("tifffile-alone",
      "tifffile returns samples as they are, without fill order and undeclared channels, and undoes a "
      "predictor without compression; libtiff 4.7 in Pillow has heicbench's picture")
def _(case):
    return case.reader == "tifffile" and case.agrees("Pillow")


@rule("pillow-alone",
      "Pillow ignores planes, crops or profiles of some TIFF files; tifffile, which does not use libtiff, has "
      "heicbench's picture")
def _(case):
    return case.facts["kind"] == "TIFF" and case.reader == "Pillow" and case.agrees("tifffile")


@rule("limited-gray",
      "libheif does not expand gray of limited range (libheif#580); expanded, its picture equals heicbench's")
def _(case):
    return (case.kind == "pixels" and case.facts.get("chroma") == 0 and case.facts["kind"] == "HEIC" and
            case.difference.get("expanded", 1e9) <= 0.8)


@rule("limited-alpha", "libheif does not expand alpha of limited range; expanded, its alpha equals heicbench's")
def _(case):
    return (case.kind == "alpha" and case.facts["kind"] == "HEIC" and case.difference.get("expanded", 1e9) <= 0.8)


@rule("sequence-track",
      "libavif shows the track's first frame with the track's colours, and heicbench the still picture")
def _(case):
    return (case.facts["kind"] == "AVIF" and case.facts.get("sequence") and not case.facts.get("points") and
            case.kind == "pixels" and case.figure("mean") <= 2 and case.figure("luma") <= 1)


@rule("another-item",
      "the file names a primary picture of heicbench's size, and the reader shows another picture of the file")
def _(case):
    sizes = [tuple(size) for size in case.facts.get("sizes", [])]
    return (case.kind == "size" and not case.facts.get("turns") and tuple(case.difference["ours"]) == tuple(case.facts.get("stated", ())) and
            tuple(case.difference["theirs"]) in sizes)


@rule("orientation-in-xmp",
      "Pillow uses an orientation from XMP or a text chunk if Exif has none; browsers and heicbench do not")
def _(case):
    return (case.kind == "orientation" and case.facts["kind"] in ("PNG", "AVIF", "WebP") and not case.facts.get("exif_chunk") and
            case.difference.get("turn") is not None and case.difference["turn"] == case.facts.get("outside_exif"))


@rule("cmyk-black",
      "Little CMS before 2.16 has another black point for older CMYK profiles: dark inks differ, lightness does not")
def _(case):
    return (case.kind == "pixels" and case.facts.get("channels") == 4 and case.opened[case.reader]["mode"] == "CMYK" and
            case.opened[case.reader]["statement"] == "icc" and case.figure("luma") <= 0.8 and case.figure("mean") <= 4)


@rule("reduced",
      "heicbench reduced the picture, since a PNG of the whole would be too large for a thumbnail, with another filter")
def _(case):
    return case.kind == "pixels" and case.difference.get("reduced") and case.figure("mean") <= 1 and case.figure("block") <= 8


@rule("transparency-before-palette",
      "libpng ignores transparency before the palette of a PNG; heicbench's remark says so")
def _(case):
    return case.facts["kind"] == "PNG" and case.kind == "alpha" and "tRNS" in case.said


@rule("damaged-fax",
      "after a wrong CCITT code, each version of libtiff draws something else; heicbench's remark says so")
def _(case):
    return (case.facts["kind"] == "TIFF" and case.kind == "pixels" and "Bad code word" in case.said and
            case.figure("share") <= 0.1)


@refuses("animation", "heicbench only reads still pictures, and says so; others show the first frame")
def _(facts, said, opened):
    return ("animated" in said or "image sequence" in said or "does not name a primary image" in said) and (
        any(found.get("frames", 1) > 1 for found in opened.values()) or facts.get("sequence"))


@refuses("hdr", "heicbench measures PQ and HLG only with --light, and says so")
def _(facts, said, opened):
    points = facts.get("points") or facts.get("statement") or [0, 0]
    transfer = points[2] if points[0] == "points" else points[1]
    return said.startswith("HDR (") and (transfer in (16, 18) or facts["kind"] == "JPEG XL")


@refuses("unsupported", "heicbench names the feature that it cannot read")
def _(facts, said, opened):
    return said.startswith("unsupported: ")


@refuses("low-overhead", "the new box of small HEIF files (mini), which libheif 1.15 cannot read")
def _(facts, said, opened):
    return facts["kind"] in ("HEIF", "HEIC") and facts.get("brand") in ("mif3", "mini")


@refuses("newer-library", "the file is valid, but the installed library is too old, and heicbench says so")
def _(facts, said, opened):
    return "newer lib" in said


@refuses("older-libtiff",
         "libtiff before 4.7 fails on some intact CCITT files and calls them damaged; heicbench says so")
def _(facts, said, opened):
    return facts["kind"] == "TIFF" and "also fails on some valid CCITT files" in said


@refuses("damaged", "the file is truncated or damaged, and heicbench says so; the reader fills in what is missing")
def _(facts, said, opened):
    return "truncated" in said or "outside of file bounds" in said or "cut off" in said or "damaged" in said


def reason(name):
    return next((reason for rule, reason, _ in RULES + REFUSALS if rule == name), "")


def verdict(facts, said, opened):
    """The names of the rules that explain differences, and the differences that none explains."""
    used, left = set(), []
    for reader, found in opened.items():
        for difference in found["differences"]:
            case = Case(facts, difference, said, reader, opened)
            name = next((name for name, _, condition in RULES if condition(case)), None)
            if name:
                used.add(name)
            else:
                left.append(f"{reader}: {text(difference)}")
    return sorted(used), left


def text(difference):
    """A difference on one line."""
    values = [f"{key} {value:.2f}" if isinstance(value, float) else f"{key} {value}"
              for key, value in difference.items() if key != "kind" and value is not None]
    return f"{difference['kind']} ({', '.join(values)})"


def refusal(facts, said, opened):
    return next((name for name, _, condition in REFUSALS if condition(facts, said, opened)), None)

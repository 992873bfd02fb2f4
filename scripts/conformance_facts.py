"""What a file states about itself, read by a few lines for each format and by exiftool: kind, code points, crop,
orientation, chroma sampling. Independent of heicbench and of the readers that scripts/conformance compares it with."""

import json
import struct
import subprocess

import conformance_hevc

BRANDS = {b"heic": "HEIC", b"heix": "HEIC", b"hevc": "HEIC", b"hevx": "HEIC", b"heim": "HEIC", b"heis": "HEIC",
          b"avif": "AVIF", b"avis": "AVIF", b"mif1": "HEIF", b"msf1": "HEIF", b"mif2": "HEIF", b"mif3": "HEIF",
          b"mini": "HEIF"}
MAGIC = [(b"\xff\xd8\xff", "JPEG"), (b"\x89PNG\r\n\x1a\n", "PNG"), (b"\xff\x0a", "JPEG XL"),
         (b"\0\0\0\x0cJXL \r\n\x87\n", "JPEG XL"), (b"II*\0", "TIFF"), (b"MM\0*", "TIFF"), (b"II+\0", "TIFF"),
         (b"MM\0+", "TIFF")]
ENDINGS = {".jpg": "JPEG", ".jpeg": "JPEG", ".jpe": "JPEG", ".jfif": "JPEG", ".mpo": "JPEG", ".png": "PNG", ".heic": "HEIC",
           ".heif": "HEIC", ".hif": "HEIC", ".avif": "AVIF", ".webp": "WebP", ".jxl": "JPEG XL", ".tif": "TIFF",
           ".tiff": "TIFF", ".ppm": "PNM", ".pgm": "PNM", ".pbm": "PNM", ".pnm": "PNM"}
SRGB = ("srgb",)
# The readers of each format.
READERS = {"JPEG": ["Pillow"], "PNG": ["Pillow"], "WebP": ["Pillow"], "PNM": ["Pillow"], "HEIC": ["pillow-heif"],
           "HEIF": ["pillow-heif", "libavif"], "AVIF": ["libavif", "avifdec"], "JPEG XL": ["pillow-jxl", "djxl"],
           "TIFF": ["tifffile", "Pillow"]}


def kind(data, suffix):
    """The format by content, or by extension if the content has no known signature; nothing for other files."""
    for magic, name in MAGIC:
        if data.startswith(magic):
            return name
    if data[4:8] == b"ftyp":
        end = min(struct.unpack(">I", data[:4])[0], 256)
        brands = [data[8:12]] + [data[at:at + 4] for at in range(16, end, 4)]
        known = [BRANDS[brand] for brand in brands if brand in BRANDS]
        return next((name for name in known if name != "HEIF"), known[0] if known else None)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WebP"
    if data[:1] == b"P" and data[1:2] in b"123456" and data[2:3] in b" \t\r\n#":
        return "PNM"
    return ENDINGS.get(suffix.lower())


def png(data):
    """The colour that the chunks of a PNG file state, in the standard's order, and its depth."""
    at, chunks = 8, {}
    while at + 12 <= len(data):
        size = struct.unpack(">I", data[at:at + 4])[0]
        name = data[at + 4:at + 8]
        if name == b"IDAT":
            break
        chunks.setdefault(name, data[at + 8:at + 8 + size])
        at += 12 + size
    facts = {"depth": data[24] if len(data) > 24 else 0, "statement": None, "exif_chunk": b"eXIf" in chunks}
    if b"tRNS" in chunks and len(data) > 25 and data[25] == 0:
        facts["transparent_gray"] = int.from_bytes(chunks[b"tRNS"][:2], "big")
    points, gamma, places = (chunks.get(name, b"") for name in (b"cICP", b"gAMA", b"cHRM"))
    if len(points) == 4 and points[2] == 0:
        facts["statement"] = ("points", points[0], points[1])
    elif b"iCCP" in chunks:
        pass
    elif b"sRGB" in chunks:
        facts["statement"] = SRGB
    elif len(gamma) == 4:
        value = struct.unpack(">I", gamma)[0]
        named = [v / 100000 for v in struct.unpack(">8I", places)] if len(places) == 32 else None
        facts["statement"] = ("gamma", value / 100000, named)
    return facts


def jpeg(data):
    """Sampling, depth and process of a JPEG file, from its first frame header."""
    at, facts = 2, {}
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            at += 1
            continue
        marker = data[at + 1]
        if marker == 0xFF or marker in (0, 1) or 0xD0 <= marker <= 0xD8:
            at += 1 if marker == 0xFF else 2
            continue
        size = struct.unpack(">H", data[at + 2:at + 4])[0]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            body = data[at + 4:at + 2 + size]
            if len(body) >= 9:
                factors = [body[7 + 3 * i] for i in range(body[5]) if 7 + 3 * i < len(body)]
                facts |= {"process": marker - 0xC0, "depth": body[0], "channels": body[5],
                          "subsampled": len(set(factors)) > 1}
            break
        if marker in (0xD9, 0xDA):
            break
        at += 2 + size
    return facts


def boxes(data, at, end):
    """(type, first byte of the body, end) of each box."""
    while at + 8 <= end:
        size, name = struct.unpack(">I4s", data[at:at + 8])
        first = at + 8
        if size == 1:
            size, first = struct.unpack(">Q", data[first:first + 8])[0], first + 8
        last = end if size == 0 else min(at + size, end)
        if last < first:
            return
        yield name, first, last
        at = last


class HEIF:
    """The properties of a HEIF file's primary item."""

    def __init__(self, data):
        self.data, self.properties, self.owned, self.types, self.references = data, [], {}, {}, []
        self.primary = 0
        for name, first, last in boxes(data, 0, len(data)):
            if name == b"meta":
                self.read_meta(first + 4, last)

    def read_meta(self, first, last):
        for name, at, end in boxes(self.data, first, last):
            if name == b"pitm":
                wide = self.data[at] > 0
                self.primary = int.from_bytes(self.data[at + 4:at + (8 if wide else 6)], "big")
            elif name == b"iinf":
                for _, item, _ in boxes(self.data, at + (6 if self.data[at] == 0 else 8), end):
                    width = 4 if self.data[item] == 3 else 2
                    number = int.from_bytes(self.data[item + 4:item + 4 + width], "big")
                    self.types[number] = self.data[item + 6 + width:item + 10 + width].decode("latin-1")
            elif name == b"iref":
                self.read_references(at, end)
            elif name == b"iprp":
                for inner, a, z in boxes(self.data, at, end):
                    if inner == b"ipco":
                        self.properties = [(p, self.data[x:y]) for p, x, y in boxes(self.data, a, z)]
                    elif inner == b"ipma":
                        self.read_owners(a)

    def read_references(self, at, end):
        width = 4 if self.data[at] else 2
        for name, first, _ in boxes(self.data, at + 4, end):
            numbers = [int.from_bytes(self.data[i:i + width], "big") for i in (first, first + width + 2)]
            self.references.append((name.decode("latin-1"), *numbers))

    def read_owners(self, at):
        version, flags = self.data[at], self.data[at + 3]
        width, wide = (4 if version else 2), flags & 1
        count, at = struct.unpack(">I", self.data[at + 4:at + 8])[0], at + 8
        for _ in range(count):
            if at + width >= len(self.data):
                return
            item, owned = int.from_bytes(self.data[at:at + width], "big"), self.data[at + width]
            at += width + 1
            size = 2 if wide else 1
            places = [int.from_bytes(self.data[at + i * size:at + (i + 1) * size], "big") for i in range(owned)]
            self.owned[item] = [place & (0x7FFF if wide else 0x7F) for place in places]
            at += owned * size

    def of(self, item):
        """The properties of an item, in their order."""
        return [self.properties[place - 1] for place in self.owned.get(item, []) if 0 < place <= len(self.properties)]

    def facts(self):
        own = self.of(self.primary)
        tile = next((to for name, of, to in self.references if name == "dimg" and of == self.primary), self.primary)
        parts = own + (self.of(tile) if tile != self.primary else [])
        brands = self.data[8:struct.unpack(">I", self.data[:4])[0]]
        facts = {"item": self.types.get(self.primary), "statement": None, "turns": [], "brand": brands[:4].decode("latin-1"),
                 "sequence": b"avis" in brands or b"msf1" in brands or b"hevc" in brands,
                 "sizes": [struct.unpack(">II", body[4:12]) for name, body in self.properties if name == b"ispe"]}
        alpha = [self.of(of) for name, of, to in self.references if name == "auxl" and to in (self.primary, tile)]
        facts["has_alpha"] = any(b"alpha" in body or b":auxid:1" in body for item in alpha for _, body in item)
        for name, body in own:
            if name == b"ispe" and len(body) >= 12:
                facts["stated"] = struct.unpack(">II", body[4:12])
            if name in (b"irot", b"imir", b"clap"):
                facts["turns"].append((name.decode(), body[0] if len(body) == 1 else list(struct.unpack(">IIIIiIiI", body[:32]))))
        for name, body in parts:
            if name == b"colr" and body[:4] in (b"prof", b"rICC"):
                facts["has_profile"] = True
            if name == b"colr" and body[:4] == b"nclx" and "points" not in facts:
                facts["points"] = list(struct.unpack(">HHH", body[4:10])) + [body[10] >> 7]
            if name == b"hvcC" and len(body) > 18:
                facts |= {"chroma": body[16] & 3, "depth": 8 + (body[17] & 7)}
            if name == b"av1C" and len(body) > 2:
                flags = body[2]
                chroma = 0 if flags & 16 else {3: 1, 2: 2, 0: 3}.get((flags >> 2) & 3)
                facts |= {"chroma": chroma, "depth": 12 if flags & 32 else 10 if flags & 64 else 8}
        stream = next((body for name, body in parts if name == b"hvcC"), None)
        if stream and "points" not in facts:
            found = conformance_hevc.points(stream)
            facts |= {"points": found} if found and 2 not in found[:2] else {}
        facts["subsampled"] = facts.get("chroma") in (1, 2)
        if "points" in facts and not facts.get("has_profile"):
            facts["statement"] = ("points", *facts["points"][:2])
        return facts


def of(data, name):
    """The facts of a file's bytes, by its kind; unreadable facts are left out."""
    try:
        if name == "PNG":
            return png(data)
        if name == "JPEG":
            return jpeg(data)
        if name in ("HEIC", "AVIF", "HEIF"):
            return HEIF(data).facts()
        if name == "WebP":
            return {"subsampled": b"VP8 " in data[:4096], "statement": None}
    except (IndexError, struct.error, ValueError):
        pass
    return {}


def exif(files):
    """exiftool's results by path: the orientation in IFD0 (the first one) and in XMP; None without exiftool."""
    command = ["exiftool", "-json", "-n", "-q", "-q", "-a", "-G0:1", "-IFD0:Orientation", "-XMP-tiff:Orientation",
               "-@", "-"]
    try:
        answer = subprocess.run(command, input="\n".join(map(str, files)), capture_output=True, text=True, check=False)
        rows = json.loads(answer.stdout or "[]")
    except (OSError, ValueError):
        return None
    found = {}
    for row in rows:
        turns = [value for key, value in row.items() if key.endswith("IFD0:Orientation")]
        beside = [value for key, value in row.items() if key.endswith("XMP-tiff:Orientation")]
        found[row["SourceFile"]] = {"orientation": turns[0] if turns else None, "xmp": beside[0] if beside else None}
    return found

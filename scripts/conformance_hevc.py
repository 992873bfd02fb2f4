"""The code points that an HEVC stream states (H.265, 7.3.2.2 and E.2.1), from a HEIF file's property hvcC."""


class Bits:
    """Bits of a NAL unit, without the emulation prevention bytes."""

    def __init__(self, data):
        data = data.replace(b"\0\0\3", b"\0\0")
        self.number, self.left = int.from_bytes(data, "big"), 8 * len(data)

    def take(self, count):
        self.left -= count
        if self.left < 0:
            raise ValueError("the parameters are cut off")
        return self.number >> self.left & ((1 << count) - 1)

    def code(self):
        """An Exp-Golomb code."""
        zeros = 0
        while not self.take(1):
            zeros += 1
        return (1 << zeros) - 1 + self.take(zeros)

    def codes(self, count):
        return [self.code() for _ in range(count)]


def points(configuration):
    """[primaries, transfer, matrix, full range] of the first sequence parameter set that states them, or None."""
    at = 23
    for _ in range(configuration[22]):
        kind, count = configuration[at] & 63, int.from_bytes(configuration[at + 1:at + 3], "big")
        at += 3
        for _ in range(count):
            size = int.from_bytes(configuration[at:at + 2], "big")
            if kind == 33:
                return of_sequence(Bits(configuration[at + 4:at + 2 + size]))
            at += 2 + size
    return None


def of_sequence(bits):
    bits.take(4)
    layers = bits.take(3)
    bits.take(1 + 96)
    present = [(bits.take(1), bits.take(1)) for _ in range(layers)]
    bits.take(2 * (8 - layers) if layers else 0)
    for profile, level in present:
        bits.take(88 * profile + 8 * level)
    bits.code()
    if bits.code() == 3:
        bits.take(1)
    bits.codes(2)
    if bits.take(1):
        bits.codes(4)
    bits.codes(2)
    order = bits.code() + 4
    bits.codes(3 * (layers + 1 if bits.take(1) else 1) + 6)
    if bits.take(1) and bits.take(1):
        skip_scaling(bits)
    bits.take(2)
    if bits.take(1):
        bits.take(8)
        bits.codes(2)
        bits.take(1)
    for number in range(bits.code()):
        if number and bits.take(1):
            return None
        for _ in range(sum(bits.codes(2))):
            bits.code()
            bits.take(1)
    if bits.take(1):
        bits.take(bits.code() * (order + 1))
    bits.take(2)
    return of_usability(bits) if bits.take(1) else None


def skip_scaling(bits):
    for size in range(4):
        for _ in range(2 if size == 3 else 6):
            if bits.take(1):
                bits.codes(min(64, 16 << 2 * size) + (size > 1))
            else:
                bits.code()


def of_usability(bits):
    if bits.take(1) and bits.take(8) == 255:
        bits.take(32)
    if bits.take(1):
        bits.take(1)
    if not bits.take(1):
        return None
    bits.take(3)
    full = bits.take(1)
    if not bits.take(1):
        return None
    return [bits.take(8), bits.take(8), bits.take(8), full]

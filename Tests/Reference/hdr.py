#!/usr/bin/env python3
"""Prints the scores with which HDRMetricTests compares the HDR metrics, using only NumPy and SciPy (pip install numpy
scipy): PU21 (Mantiuk and Azimi, 2021), MS-SSIM (Wang et al., 2003) and BT.2124 as published, in double precision, for
the pair of PQ pictures that the test makes from the same integers."""

import numpy as np
from scipy.ndimage import correlate1d

HEIGHT, WIDTH = 190, 200
M1, M2, C1, C2, C3 = 2610 / 16384, 2523 / 32, 3424 / 4096, 2413 / 128, 2392 / 128
P = [0.353487901, 0.3734658629, 8.277049286e-05, 0.9062562627, 0.09150303166, 0.9099517204, 596.3148142]
BT709 = [(0.64, 0.33), (0.30, 0.60), (0.15, 0.06)]
BT2020 = [(0.708, 0.292), (0.170, 0.797), (0.131, 0.046)]


def pictures():
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.int64)
    reference = [9000 + 180 * x + 40 * y + 3000 * c + (x * 37 + y * 57) % 97 * 30 for c in range(3)]
    candidate = [reference[c] + ((x * 31 + y * 17 + c * 7) % 41 - 20) * 40 for c in range(3)]
    return np.stack(reference, -1) / 65535, np.stack(candidate, -1) / 65535


def light(code):
    root = code ** (1 / M2)
    return 10_000 * (np.maximum(root - C1, 0) / (C2 - C3 * root)) ** (1 / M1)


def code(light):
    power = (np.maximum(light, 0) / 10_000) ** M1
    return ((C1 + C2 * power) / (1 + C3 * power)) ** M2


def to_xyz(primaries, white=(0.3127, 0.3290)):
    columns = np.array([[x / y, 1, (1 - x - y) / y] for x, y in primaries]).T
    return columns * np.linalg.solve(columns, [white[0] / white[1], 1, (1 - white[0] - white[1]) / white[1]])


def pu21(picture):
    rgb = light(picture) @ (np.linalg.inv(to_xyz(BT709)) @ to_xyz(BT2020)).T
    power = np.clip(rgb @ [0.212656, 0.715158, 0.072186], 0.005, 10_000) ** P[3]
    return np.maximum(P[6] * (((P[0] + P[1] * power) / (1 + P[2] * power)) ** P[4] - P[5]), 0)


def window(plane):
    weights = np.exp(-np.arange(-5, 6) ** 2 / (2 * 1.5**2))
    weights /= weights.sum()
    return correlate1d(correlate1d(plane, weights, axis=0), weights, axis=1)[5:-5, 5:-5]


def structure(a, b, peak):
    c1, c2 = (0.01 * peak) ** 2, (0.03 * peak) ** 2
    mean_a, mean_b = window(a), window(b)
    variances = window(a * a) - mean_a**2 + window(b * b) - mean_b**2
    contrast = (2 * (window(a * b) - mean_a * mean_b) + c2) / (variances + c2)
    return ((2 * mean_a * mean_b + c1) / (mean_a**2 + mean_b**2 + c1) * contrast).mean(), contrast.mean()


def halved(plane):
    plane = np.pad(plane, [(0, side % 2) for side in plane.shape], mode="edge")
    return (plane[0::2, 0::2] + plane[1::2, 0::2] + plane[0::2, 1::2] + plane[1::2, 1::2]) / 4


def ms_ssim(a, b, peak):
    product = 1
    for exponent in [0.0448, 0.2856, 0.3001, 0.2363, 0.1333]:
        whole, contrast = structure(a, b, peak)
        product *= (whole if exponent == 0.1333 else contrast) ** exponent
        a, b = halved(a), halved(b)
    return product


def itp(picture):
    lms = light(picture) @ np.array([[1688, 2146, 262], [683, 2951, 462], [99, 309, 3688]]).T / 4096
    coded = code(lms)
    i, t, p = coded @ [0.5, 0.5, 0], coded @ [6610, -13613, 7003] / 8192, coded @ [17933, -17390, -543] / 4096
    return np.stack([i, t, p], -1)


reference, candidate = pictures()
a, b = pu21(reference), pu21(candidate)
print("pu21-psnr", 10 * np.log10(256**2 / np.mean((a - b) ** 2)))
print("pu21-ms-ssim", ms_ssim(a, b, 256))
differences = 720 * np.sqrt(((itp(reference) - itp(candidate)) ** 2).sum(-1))
print("itp-mean", differences.mean())
print("itp-p95", np.percentile(differences, 95))

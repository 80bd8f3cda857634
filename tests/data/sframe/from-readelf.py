#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
"""from-readelf.py ABI: turns what readelf --sframe prints into what test-sframe-data prints."""
import re
import sys

abi = sys.argv[1]
sp, fp = {"1": ("r31", "r29"), "2": ("r31", "r29"), "3": ("r7", "r6"), "4": ("r15", "r11")}[abi]


def place(word, is_ra):
    """A column of readelf: u, f (RA where it always is), base and offset, or those in memory."""
    if word == "f" or (is_ra and abi == "3" and word in ("u", "U")):
        return "(c-8)"
    if word in ("u", "U"):
        return "u"
    base, offset = re.fullmatch(r"\(?(sp|fp|r\d+|c)([+-]\d+)\)?", word).groups()
    text = {"sp": sp, "fp": fp}.get(base, base) + offset
    return f"({text})" if word[0] == "(" or base == "c" else text


lines = []
start = 0
for line in sys.stdin:
    if version := re.search(r"SFRAME_VERSION_(\d)", line):
        lines.append(f"version {version[1]}, abi {abi}")
    elif function := re.search(r"func idx .*pc = 0x([0-9a-f]+), size = (\d+) bytes(.*)", line):
        start = int(function[1], 16)
        lines.append(f"function of {function[2]} bytes")
        for mark, text in (('"F', "flexible"), ('S"', "signal"), ("B key", "key B")):
            if mark in function[3]:
                lines[-1] += f", {text}"
    elif "STARTPC[m]" in line:
        # Blocks: the only ones here are those of the PLT.
        lines[-1] += ", blocks of 16"
        start = 0
    elif row := re.match(r"\s+([0-9a-f]{16})\s+(.*)", line):
        offset = int(row[1], 16) - start
        if "RA undefined" in row[2]:
            lines.append(f"\t+{offset:x} outermost")
            continue
        cfa, saved_fp, ra = row[2].split()[:3]
        signed = " signed" if ra.endswith("[s]") else ""
        words = place(cfa, False), place(saved_fp, False), place(ra.replace("[s]", ""), True)
        lines.append(f"\t+{offset:x} {' '.join(words)}{signed}")
print("\n".join(lines))

#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
"""secrets.py DIR: prints how many of edge-secrets' secrets are anywhere in the
files below DIR, and of how many."""
import os
import sys

COPIES = 40
TEXT = 32
ALL = (1 << 64) - 1


def numbers():
    state = 0x243F6A8885A308D3
    while True:
        state = state + 0x9E3779B97F4A7C15 & ALL
        number = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & ALL
        number = (number ^ number >> 27) * 0x94D049BB133111EB & ALL
        yield number ^ number >> 31


def secrets():
    source = numbers()
    text = bytes(ord("a") + next(source) % 26 for _ in range(TEXT))
    for start in range(TEXT - 7):
        yield text[start : start + 8]
    for copy in range(COPIES):
        yield next(source).to_bytes(8, "little")
        prefix = 0x7F if copy % 2 else 0x55
        yield (prefix << 40 | next(source) & 0xFFFFFFFF).to_bytes(8, "little")


def main():
    trace = b""
    for path, _, files in os.walk(sys.argv[1]):
        for name in files:
            with open(os.path.join(path, name), "rb") as file:
                trace += file.read()
    wanted = list(secrets())
    print(sum(secret in trace for secret in wanted), "of", len(wanted))


main()

#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
"""runtime-check.py TRACE FILE PATTERN: whether samples are named as the program knows.

FILE has lines of a name and the times (CLOCK_MONOTONIC, ns) between which what
has that name ran. A frame of a sample whose function contains such a name, found
by the regular expression PATTERN, must have been sampled at that time. Prints
what is not so, then "N right, N wrong", and fails if anything is wrong."""
import os
import re
import sys

import bt2

# Between the clock's reading and the call, or the return and the reading: a sample
# may hit that, and the program may be held up there.
MARGIN_NS = 300000


def traces_below(directory):
    for path, _, files in os.walk(directory):
        if "metadata" in files:
            yield path


def read_times(path):
    times = {}
    with open(path) as lines:
        for line in lines:
            name, begin, end = line.split()
            times[name] = int(begin), int(end)
    return times


def main():
    times = read_times(sys.argv[2])
    pattern = re.compile(sys.argv[3])
    sources = [
        bt2.ComponentSpec.from_named_plugin_and_component_class("ctf", "fs", {"inputs": [path]})
        for path in traces_below(sys.argv[1])
    ]
    named = bt2.ComponentSpec.from_named_plugin_and_component_class("codectl", "debug-info")
    right = wrong = 0
    for message in bt2.TraceCollectionMessageIterator(sources, named):
        if type(message) is not bt2._EventMessageConst or message.event.name != "codectl:sample":
            continue
        payload = message.event.payload_field
        time = int(payload["timestamp"])
        for frame in payload["frames"]:
            found = pattern.search(str(frame["func"]))
            if not found or found[0] not in times:
                continue
            begin, end = times[found[0]]
            if begin - MARGIN_NS <= time <= end + MARGIN_NS:
                right += 1
            else:
                wrong += 1
                print(f"{found[0]} at {time} ran from {begin} to {end}")
    print(f"{right} right, {wrong} wrong")
    return wrong > 0


sys.exit(main())

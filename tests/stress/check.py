#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
"""check.py TRACES TRUTH LEAST: compares each sample of the traces below a
directory, after filter.codectl.debug-info, with where the program was in its
own words (truth.h). Prints what it counted; fails if a stack is wrong, if more
than one in a thousand (and two) cannot be told, or if fewer than LEAST were in
plugins.

wrong: a stack names a plugin in which the thread was not, or claims to be
complete without the one in which it was. unknown: it ends early, or begins in
what dlclose() runs of a plugin whose place another one takes before that is
seen: which of the two was there cannot be told (doc/design.md)."""
import bisect
import collections
import os
import re
import struct
import sys

import bt2

RECORD = struct.Struct("=4Q2i2I")
PLUGIN = re.compile(r"plugin_(\d\d)_(?:work|middle|leaf)")
DESTRUCTORS = re.compile(r"(_fini|__do_global_dtors_aux|deregister_tm_clones)\b")
FILE = re.compile(r"lib-plugin-(\d\d)\.so")


def read_truth(path):
    """(pid, tid) -> (outer begins, records), sorted."""
    calls = collections.defaultdict(list)
    with open(path, "rb") as file:
        for record in RECORD.iter_unpack(file.read()):
            calls[record[4], record[5]].append(record)
    for key, records in calls.items():
        records.sort()
        calls[key] = ([record[0] for record in records], records)
    return calls


def describes_streams(path):
    """LTTng's metadata lacks them, and then readers refuse the trace, if the only program of a
    session ended before it had answered the session daemon."""
    with open(os.path.join(path, "metadata"), "rb") as file:
        return b"stream {" in file.read()


def samples_below(directory):
    paths = [path for path, _, files in os.walk(directory) if "metadata" in files]
    paths = [path for path in paths if describes_streams(path)]
    sources = [
        bt2.ComponentSpec.from_named_plugin_and_component_class("ctf", "fs", {"inputs": [path]})
        for path in paths
    ]
    if not sources:
        return
    named = bt2.ComponentSpec.from_named_plugin_and_component_class("codectl", "debug-info")
    for message in bt2.TraceCollectionMessageIterator(sources, named):
        if type(message) is bt2._EventMessageConst and message.event.name == "codectl:sample":
            yield message.event.payload_field


def judge(sample, calls):
    """What a sample is: a word, and if it is in a call, the record."""
    key = int(sample["vpid"]), int(sample["vtid"])
    if key not in calls:
        return "elsewhere", None
    time = int(sample["timestamp"])
    begins, records = calls[key]
    at = bisect.bisect_right(begins, time) - 1
    record = records[at] if at >= 0 and time <= records[at][3] else None
    names = set()
    has_work = has_own = False
    for frame in sample["frames"]:
        match = PLUGIN.match(str(frame["func"]))
        if match:
            names.add(int(match[1]))
            has_work |= "_work" in match[0]
            has_own = True
        match = FILE.match(str(frame["bin"]))
        if match:
            names.add(int(match[1]))
    is_complete = str(sample["stack_end"]) == "outermost"
    if record is None:
        # The loader runs what the compiler put into a plugin; its own functions it does not.
        if not has_own:
            return "outside", None
        return ("unknown" if DESTRUCTORS.match(str(sample["frames"][0]["func"])) else "wrong"), None
    if names - {record[6]}:
        return "wrong", record
    if not record[1] <= time <= record[2]:
        return "at the edge", record
    if has_work:
        return ("right" if is_complete else "unknown"), record
    return ("wrong" if is_complete else "unknown"), record


def describe(sample, record):
    chain = ";".join(
        str(frame["func"]) or str(frame["bin"]) or hex(int(frame["pc"])) for frame in sample["frames"]
    )
    where = "plugin %02d since %.3f ms" % (
        record[6],
        (int(sample["timestamp"]) - record[0]) / 1e6,
    ) if record else "no plugin"
    return "%s, thread %d of %d at %d: %s (%s)" % (
        where, int(sample["vtid"]), int(sample["vpid"]), int(sample["timestamp"]), chain,
        sample["stack_end"],
    )


def main():
    directory, truth, least = sys.argv[1], sys.argv[2], int(sys.argv[3])
    calls = read_truth(truth)
    counts = collections.Counter()
    ends = collections.Counter()
    for sample in samples_below(directory):
        verdict, record = judge(sample, calls)
        counts[verdict] += 1
        if verdict == "unknown":
            ends[str(sample["stack_end"])] += 1
        if verdict in ("wrong", "unknown") and counts[verdict] <= 5:
            print("%s: %s" % (verdict, describe(sample, record)), file=sys.stderr)
    inside = counts["right"] + counts["wrong"] + counts["unknown"]
    print(", ".join("%d %s" % (count, verdict) for verdict, count in sorted(counts.items())), dict(ends) or "")
    if counts["wrong"]:
        sys.exit("check: %d stacks are wrong" % counts["wrong"])
    if counts["unknown"] > 2 + inside // 1000:
        sys.exit("check: %d of %d stacks are unknown" % (counts["unknown"], inside))
    if inside < least:
        sys.exit("check: %d samples in plugins are too few to tell" % inside)


main()

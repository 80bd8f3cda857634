#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
"""jit-check.py DIR LOG: whether each sample of prog-jit in the trace below DIR has
the stack that its LOG tells of. Prints what is wrong, then

    SAMPLES of which IN-JIT in generated code, WRONG wrong, of PROCESSES processes

The plugin is found through BABELTRACE_PLUGIN_PATH."""
import bisect
import os
import re
import sys

import bt2

NAME = re.compile(r"c(\d+)_d(\d+)_[spfr]\+(0|0x[0-9a-f]+)$")
DEPTH = 8
# How glibc's symbols have them: 2.41 has no other than __clone3.
BASES = ["clone3", "start_thread"], ["__clone3", "start_thread"]


def read_log(path):
    """The runs of each thread: (first ns, last ns, chain), in the order of time."""
    runs = {}
    with open(path) as log:
        for line in log:
            tid, chain, first, last = map(int, line.split())
            runs.setdefault(tid, []).append((first, last, chain))
    for thread_runs in runs.values():
        thread_runs.sort()
    return runs


def chain_at(runs, tid, time):
    thread_runs = runs.get(tid, [])
    at = bisect.bisect_right(thread_runs, (time, float("inf"), 0)) - 1
    if at >= 0 and time <= thread_runs[at][1]:
        return thread_runs[at][2]
    return None


def fault(payload, runs):
    """What is wrong with a sample, or None; and whether it was in generated code."""
    functions = [str(frame["func"]) for frame in payload["frames"]][::-1]
    binaries = [str(frame["bin"]) for frame in payload["frames"]][::-1]
    first = next((i for i, name in enumerate(binaries) if name == "[jit]"), None)
    if payload["stack_end"] != "outermost":
        return "ends as %s" % payload["stack_end"], first is not None
    if first is None:
        return None, False
    expected = chain_at(runs, int(payload["vtid"]), int(payload["timestamp"]))
    above = [name.split("+")[0] for name in functions[:first]]
    if above[-1:] != ["run_chain"] or "main" not in above and above[:2] not in BASES:
        return "is called by %s" % ";".join(above), True
    depth = 0
    for i in range(first, len(functions)):
        if binaries[i] != "[jit]":
            below = [name.split("+")[0] for name in functions[i:]]
            if below != ["burn"] or depth != DEPTH:
                return "goes on at depth %d in %s" % (depth, ";".join(below)), True
            break
        name = NAME.match(functions[i])
        if not name or int(name[1]) != expected or int(name[2]) != depth:
            return "has %s at depth %d of chain %s" % (functions[i], depth, expected), True
        depth += 1
    return None, True


def main():
    runs = read_log(sys.argv[2])
    traces = [path for path, _, files in os.walk(sys.argv[1]) if "metadata" in files]
    sources = [
        bt2.ComponentSpec.from_named_plugin_and_component_class("ctf", "fs", {"inputs": [path]})
        for path in traces
    ]
    named = bt2.ComponentSpec.from_named_plugin_and_component_class("codectl", "debug-info")
    samples = in_jit = wrong = 0
    processes = set()
    for message in bt2.TraceCollectionMessageIterator(sources, named):
        if type(message) is not bt2._EventMessageConst:
            continue
        if message.event.name != "codectl:sample":
            continue
        payload = message.event.payload_field
        what, is_in_jit = fault(payload, runs)
        samples += 1
        in_jit += is_in_jit
        if is_in_jit:
            processes.add(int(payload["vpid"]))
        if what:
            wrong += 1
            print("a sample of thread %d %s" % (payload["vtid"], what))
            if wrong <= 3:
                for frame in payload["frames"]:
                    print("   ", hex(frame["pc"]), frame["bin"], frame["func"], frame["via"])
    print(
        "%d samples of which %d in generated code, %d wrong, of %d processes"
        % (samples, in_jit, wrong, len(processes))
    )
    sys.exit(wrong > 0)


main()

#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
"""samples.py DIR: prints each sample of the traces below DIR after
filter.codectl.debug-info, one a line, with tabs between

    vpid  vtid  weight  stack_end  functions  binaries

functions and binaries are in the order of the calls, outermost first, joined
by ';', without offsets, '-' for what is unknown. The plugin is found through
BABELTRACE_PLUGIN_PATH."""
import os
import sys

import bt2


def traces_below(directory):
    for path, _, files in os.walk(directory):
        if "metadata" in files:
            yield path


def name_of(text):
    return str(text).rsplit("+", 1)[0].rsplit("@", 1)[0] or "-"


def main():
    sources = [
        bt2.ComponentSpec.from_named_plugin_and_component_class(
            "ctf", "fs", {"inputs": [path]}
        )
        for path in traces_below(sys.argv[1])
    ]
    if not sources:
        sys.exit("no trace below " + sys.argv[1])
    named = bt2.ComponentSpec.from_named_plugin_and_component_class("codectl", "debug-info")
    for message in bt2.TraceCollectionMessageIterator(sources, named):
        if type(message) is not bt2._EventMessageConst:
            continue
        event = message.event
        if event.name != "codectl:sample":
            continue
        payload = event.payload_field
        frames = list(payload["frames"])[::-1]
        print(
            int(payload["vpid"]),
            int(payload["vtid"]),
            int(payload["weight"]),
            str(payload["stack_end"]),
            ";".join(name_of(frame["func"]) for frame in frames),
            ";".join(name_of(frame["bin"]) for frame in frames),
            sep="\t",
        )


main()

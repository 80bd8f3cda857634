#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
"""full-samples.py DIR FILE: writes the code and the full samples of the traces
below DIR (`codectl record --stack=full`) to FILE, for compare-stacks: 64-bit
words, process by process,

    process     1  vpid
    code        2  text_start  text_end  elf_start  bytes of the path  path, padded
    vDSO        3  bytes of the image  image, padded (belongs to the code before it)
    sample      4  stack_start  words  regs[17]  words…

A process whose code was ever unregistered, so that its map is not one for all
samples, is left out."""
import os
import struct
import sys

import bt2

REG_COUNT = 17


class Process:
    def __init__(self, vpid):
        self.vpid = vpid
        self.codes = {}
        self.image = {}
        self.samples = []
        self.has_changed = False


def traces_below(directory):
    for path, _, files in os.walk(directory):
        if "metadata" in files:
            yield path


def words(*values):
    return struct.pack("<%dQ" % len(values), *values)


def padded(data):
    return data + b"\0" * (-len(data) % 8)


def take(process, name, payload):
    if name == "codectl:register_elf":
        start, end = int(payload["text_start"]), int(payload["text_end"])
        process.codes[start] = (end, int(payload["elf_start"]), str(payload["pathname"]))
    elif name == "codectl:unregister":
        process.has_changed = True
    elif name == "codectl:elf_image":
        image = words(*(int(word) for word in payload["image"]))
        process.image[int(payload["offset"])] = image[: int(payload["image_len"])]
    elif name == "codectl:sample":
        count = int(payload["stack_len"]) // 8
        stack = [int(word) for word in payload["stack"]]
        if len(stack) != count:
            sys.exit("a sample is not full")
        regs = [int(reg) for reg in payload["regs"]]
        process.samples.append((int(payload["stack_start"]), regs, stack))


def write(process, out):
    out.write(words(1, process.vpid))
    for start, (end, elf_start, path) in sorted(process.codes.items()):
        name = path.encode()
        out.write(words(2, start, end, elf_start, len(name)) + padded(name))
        if path == "[vdso]" and process.image:
            image = b"".join(process.image[offset] for offset in sorted(process.image))
            out.write(words(3, len(image)) + padded(image))
    for start, regs, stack in process.samples:
        out.write(words(4, start, len(stack), *regs[:REG_COUNT], *stack))


def main():
    processes = {}
    sources = [
        bt2.ComponentSpec.from_named_plugin_and_component_class(
            "ctf", "fs", {"inputs": [path]}
        )
        for path in traces_below(sys.argv[1])
    ]
    for message in bt2.TraceCollectionMessageIterator(sources):
        if type(message) is not bt2._EventMessageConst:
            continue
        payload = message.event.payload_field
        key = (int(payload["vpid"]), int(payload["start_time"]))
        process = processes.setdefault(key, Process(key[0]))
        take(process, message.event.name, payload)
    with open(sys.argv[2], "wb") as out:
        for process in processes.values():
            if process.samples and not process.has_changed:
                write(process, out)


main()

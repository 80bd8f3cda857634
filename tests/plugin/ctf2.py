#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# ctf2.py KIND DIRECTORY FILE BUILD-ID BASE ADDRESS…: a trace in CTF 2 of a program
# that has mapped FILE at BASE: its state dump, then an event at each address. KIND is
# `readable` or `writable`, by Babeltrace 2.1.1: sink.ctf.fs aborts for BLOBs and
# options with selectors, and source.ctf.fs for bit maps beside options.
import json
import os
import struct
import sys

MAGIC = 0xC1FC1FC1


def integer(length, *roles, signed=False):
    sign = 'signed' if signed else 'unsigned'
    field_class = {'type': f'fixed-length-{sign}-integer', 'length': length, 'alignment': 8,
                   'byte-order': 'little-endian'}  # fmt: skip
    return {**field_class, 'roles': list(roles)} if roles else field_class


def structure(**members):
    return {
        'type': 'structure',
        'member-classes': [{'name': n, 'field-class': c} for n, c in members.items()],
    }


def located(kind, key, scope, name, **properties):
    """A class which depends on a field: key is 'length' or 'selector'."""
    location = {'origin': scope, 'path': [name]}
    return {'type': kind, f'{key}-field-location': location, **properties}


STRING = {'type': 'null-terminated-string'}
PAYLOAD = 'event-record-payload'
CONTEXT = 'event-record-common-context'

DUMP = {
    'lttng_ust_statedump:start': None,
    'lttng_ust_statedump:bin_info': structure(
        baddr=integer(64), memsz=integer(64), path=STRING, is_pic=integer(8)
    ),
    'lttng_ust_statedump:build_id': structure(
        baddr=integer(64),
        size=integer(8),
        build_id=located('dynamic-length-blob', 'length', PAYLOAD, 'size'),
    ),
    'lttng_ust_statedump:end': None,
}  # fmt: skip

# Each member's class, and its bytes in the event of that number.
APP = {
    'magic': ({'type': 'static-length-blob', 'length': 4, 'media-type': 'image/png'},
              lambda n: b'\x00\xff\x0a' + bytes([n])),
    'count': (integer(8), lambda n: bytes([n])),
    'flag': ({'type': 'fixed-length-boolean', 'length': 8, 'alignment': 8,
              'byte-order': 'little-endian'}, lambda n: bytes([n % 2])),
    'flags': ({'type': 'fixed-length-bit-map', 'length': 8, 'alignment': 8,
               'byte-order': 'little-endian', 'flags': {'low': [[0, 3]], 'high': [[7, 7]]}},
              lambda n: bytes([0x80 | n])),
    'text': (located('dynamic-length-blob', 'length', CONTEXT, 'size',
                     **{'media-type': 'text/plain'}), lambda n: b'blob' * 2),
    'numbers': (located('dynamic-length-array', 'length', CONTEXT, 'size',
                        **{'element-field-class': integer(8)}), lambda n: bytes(range(n, n + 8))),
    'blobs': (located('dynamic-length-array', 'length', PAYLOAD, 'count', **{
        'element-field-class': {'type': 'static-length-blob', 'length': 2}}),
        lambda n: bytes(range(2 * n))),
    'by_count': (located('optional', 'selector', PAYLOAD, 'count', **{
        'field-class': STRING, 'selector-field-ranges': [[1, 1], [3, 9]]}),
        lambda n: b'counted\x00' if n == 1 or 3 <= n <= 9 else b''),
    'by_flag': (located('optional', 'selector', PAYLOAD, 'flag', **{'field-class': STRING}),
                lambda n: b'flagged\x00' if n % 2 else b''),
    'variant': (located('variant', 'selector', PAYLOAD, 'count', options=[
        {'field-class': integer(8), 'selector-field-ranges': [[0, 1]]},
        {'field-class': STRING, 'selector-field-ranges': [[2, 255]], 'name': 'many'}]),
        lambda n: b'many\x00' if n > 1 else b'\x07'),
}  # fmt: skip


def is_for(kind, field_class):
    if kind == 'readable':
        return field_class['type'] != 'fixed-length-bit-map'
    return field_class['type'] != 'optional' and 'blob' not in json.dumps(field_class)


def metadata(events):
    unique = {'namespace': 'tests'}
    yield {'type': 'preamble', 'version': 2}
    yield {'type': 'trace-class', 'name': 'a trace', 'uid': '9', **unique,
           'environment': {'tracer_name': 'test', 'number': -3},
           'packet-header-field-class': structure(
               magic=integer(32, 'packet-magic-number'))}  # fmt: skip
    yield {'type': 'clock-class', 'id': 'clock', 'name': 'clock', 'uid': '7', **unique,
           'frequency': 1000000000, 'precision': 3, 'accuracy': 4,
           'origin': {'namespace': 'origins', 'name': 'the', 'uid': 'origin'}}  # fmt: skip
    yield {'type': 'data-stream-class', 'name': 'all', 'uid': 'streams', **unique,
           'default-clock-class-id': 'clock',
           'packet-context-field-class': structure(
               size=integer(64, 'packet-total-length'),
               begin=integer(64, 'default-clock-timestamp'),
               end=integer(64, 'packet-end-default-clock-timestamp')),
           'event-record-header-field-class': structure(
               id=integer(8, 'event-record-class-id'),
               timestamp=integer(64, 'default-clock-timestamp')),
           'event-record-common-context-field-class': structure(
               vpid=integer(32, signed=True), ip=integer(64), size=integer(8))}  # fmt: skip
    for number, (name, payload) in enumerate(events.items()):
        yield {'type': 'event-record-class', 'id': number, 'name': name,
               'uid': f'event {number}', **unique,
               **({'payload-field-class': payload} if payload else {})}  # fmt: skip


def event(number, time, ip, payload, size=0):
    return struct.pack('<BQiQB', number, time, 100, ip, size) + payload


def main():
    kind, directory, path, build_id, base, *addresses = sys.argv[1:]
    base = int(base, 0)
    identity = bytes.fromhex(build_id)
    app = {name: (field_class, contents) for name, (field_class, contents) in APP.items()
           if is_for(kind, field_class)}  # fmt: skip
    classes = {**DUMP, 'app:event': structure(**{name: app[name][0] for name in app})}
    events = [
        event(0, 1, 0, b''),
        event(1, 2, 0, struct.pack('<QQ', base, 0x5000) + path.encode() + b'\x00\x01'),
        event(3, 4, 0, b''),
    ]
    if kind == 'readable':
        events[2:2] = [event(2, 3, 0, struct.pack('<QB', base, len(identity)) + identity)]
    for index, address in enumerate(addresses):
        payload = b''.join(contents(index) for _, contents in app.values())
        events.append(event(4, 5 + index, int(address, 0), payload, 8))
    content = b''.join(events)
    header_size = 4 + 3 * 8
    os.makedirs(directory)
    with open(os.path.join(directory, 'stream'), 'wb') as file:
        file.write(struct.pack('<IQQQ', MAGIC, 8 * (header_size + len(content)), 1,
                               4 + len(addresses)))  # fmt: skip
        file.write(content)
    with open(os.path.join(directory, 'metadata'), 'w', encoding='utf-8') as file:
        for fragment in metadata(classes):
            file.write('\x1e' + json.dumps(fragment) + '\n')


main()

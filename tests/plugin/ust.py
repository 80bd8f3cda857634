# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# A trace of LTTng-UST itself, as a script has it: events of its state dump, of
# the loader, and of programs, with contexts `vpid` and `ip`.
import json

import bt2

import mip

FIELDS = {
    'start': ('lttng_ust_statedump:start', []),
    'end': ('lttng_ust_statedump:end', []),
    'bin_info': (
        'lttng_ust_statedump:bin_info',
        [
            ('baddr', 'u64'),
            ('memsz', 'u64'),
            ('path', 'string'),
            ('is_pic', 'u8'),
            ('has_build_id', 'u8'),
            ('has_debug_link', 'u8'),
        ],
    ),
    'build_id': ('lttng_ust_statedump:build_id', [('baddr', 'u64'), ('build_id', 'u8[]')]),
    'debug_link': (
        'lttng_ust_statedump:debug_link',
        [('baddr', 'u64'), ('crc', 'u32'), ('filename', 'string')],
    ),
    'soinfo': (
        'lttng_ust_statedump:soinfo',
        [('baddr', 'u64'), ('sopath', 'string'), ('size', 'i64'), ('mtime', 'i64')],
    ),
    'load': (
        'lttng_ust_lib:load',
        [
            ('baddr', 'u64'),
            ('memsz', 'u64'),
            ('path', 'string'),
            ('has_build_id', 'u8'),
            ('has_debug_link', 'u8'),
        ],
    ),
    'unload': ('lttng_ust_lib:unload', [('baddr', 'u64')]),
    'lib_build_id': ('lttng_ust_lib:build_id', [('baddr', 'u64'), ('build_id', 'u8[]')]),
    'lib_debug_link': (
        'lttng_ust_lib:debug_link',
        [('baddr', 'u64'), ('crc', 'u32'), ('filename', 'string')],
    ),
    'dlopen': (
        'lttng_ust_dl:dlopen',
        [('baddr', 'u64'), ('memsz', 'u64'), ('flags', 'i32'), ('path', 'string')],
    ),
    'dlmopen': (
        'lttng_ust_dl:dlmopen',
        [('baddr', 'u64'), ('memsz', 'u64'), ('nsid', 'i64'), ('path', 'string')],
    ),
    'dlclose': ('lttng_ust_dl:dlclose', [('baddr', 'u64')]),
    'dl_build_id': ('lttng_ust_dl:build_id', [('baddr', 'u64'), ('build_id', 'u8[]')]),
    'event': ('app:event', [('number', 'u32')]),
}


def plain(value):
    """A parameter as Python's own values."""
    if isinstance(value, bt2._StringValueConst):
        return str(value)
    if isinstance(value, bt2._BoolValueConst):
        return bool(value)
    if isinstance(value, bt2._IntegerValueConst):
        return int(value)
    if isinstance(value, bt2._ArrayValueConst):
        return [plain(element) for element in value]
    if isinstance(value, bt2._MapValueConst):
        return {str(key): plain(value[key]) for key in value}
    return value


class Ust:
    """A script: `steps` is an array of [KIND, VALUE…], a value for each field.

    An `event` has its address as its value; [vpid, NUMBER] sets the vpid from
    then on, [repeat, COUNT, FIRST, STEP] makes events at addresses from FIRST.
    Numbers may be texts like "0x10". The options kinds ("EVENT.FIELD": kind, or
    null to leave the field out) and contexts ([NAME, KIND]…) change classes;
    gaps makes the ids of event classes sparse; no-clock leaves out the clock;
    packets puts the first stream into a packet with times, as LTTng does.
    A KIND is `string`, `enum`, or like `u64`; `u64[]` is a sequence of these with
    a length field, `u64[*]` one without, `u64[3]` an array.
    """

    def __init__(self, component, options):
        options = {key: plain(value) for key, value in options.items()}
        self._options = options
        self._kinds = options.get('kinds', {})
        self._has_packets = options.get('packets', False)
        self._contexts = options.get('contexts', [['vpid', 'i32'], ['ip', 'u64']])
        self._trace_class = component._create_trace_class()
        self._stream_class = self._trace_class.create_stream_class(
            default_clock_class=None
            if options.get('no-clock')
            else component._create_clock_class(frequency=1000000000),
            event_common_context_field_class=self._structure(
                self._contexts, 'EVENT_COMMON_CONTEXT'
            ),
            assigns_automatic_event_class_id=False,
            supports_packets=self._has_packets,
            packets_have_beginning_default_clock_snapshot=self._has_packets,
            packets_have_end_default_clock_snapshot=self._has_packets,
        )
        step, first = (1000, 7) if options.get('gaps') else (1, 0)
        self._classes = {
            kind: self._stream_class.create_event_class(
                id=first + index * step,
                name=name,
                payload_field_class=self._structure(
                    (field, self._kinds.get(f'{kind}.{field}', field_kind))
                    for field, field_kind in fields
                )
                if fields
                else None,
            )
            for index, (kind, (name, fields)) in enumerate(FIELDS.items())
        }
        self._stream = self._trace_class(environment=self._environment()).create_stream(
            self._stream_class
        )

    @staticmethod
    def _environment():
        return {}

    def _field_class(self, kind):
        if kind == 'string':
            return self._trace_class.create_string_field_class()
        if kind == 'enum':
            return self._trace_class.create_unsigned_enumeration_field_class(64)
        if kind[0] == 'i':
            return self._trace_class.create_signed_integer_field_class(int(kind[1:]))
        return self._trace_class.create_unsigned_integer_field_class(int(kind[1:]))

    def _structure(self, members, scope='EVENT_PAYLOAD'):
        structure = self._trace_class.create_structure_field_class()
        for name, kind in members:
            if kind is None:
                continue
            element, _, length = kind.rstrip(']').partition('[')
            if kind.endswith('[*]'):
                structure.append_member(
                    name, mip.array(self._trace_class, self._field_class(element))
                )
            elif length:
                structure.append_member(
                    name,
                    self._trace_class.create_static_array_field_class(
                        self._field_class(element), int(length)
                    ),
                )
            elif kind.endswith('[]'):
                length = self._trace_class.create_unsigned_integer_field_class(32)
                structure.append_member(f'_{name}_length', length)
                structure.append_member(
                    name,
                    mip.array(
                        self._trace_class,
                        self._field_class(element),
                        mip.Link(length, scope, f'_{name}_length'),
                    ),
                )
            else:
                structure.append_member(name, self._field_class(kind))
        return structure

    @staticmethod
    def _set(structure, name, value):
        if name not in structure:
            return
        field = structure[name]
        if isinstance(field, bt2._ArrayField):
            values = list(bytes.fromhex(value)) if isinstance(value, str) else value
            values = [int(str(element), 0) for element in values]
            if f'_{name}_length' in structure:
                structure[f'_{name}_length'] = len(values)
            structure[name] = values
        elif isinstance(field, bt2._StringField):
            structure[name] = str(value)
        elif isinstance(value, str):
            structure[name] = int(value, 0) if value[:1] in '-0123456789' else 0
        else:
            structure[name] = int(value)

    @staticmethod
    def _nothing(kind):
        _, _, length = kind.rstrip(']').partition('[')
        if not kind.endswith(']'):
            return 0
        return [0] * int(length) if length.isdigit() else []

    def _message(self, iterator, kind, values):
        event_class = self._classes[kind]
        if self._options.get('no-clock'):
            message = iterator._create_event_message(event_class, self._parent(self._stream))
        else:
            self._time += 1
            message = iterator._create_event_message(
                event_class, self._parent(self._stream), self._time
            )
        context = message.event.common_context_field
        for name, kind_of_field in self._contexts:
            self._set(context, name, self._nothing(kind_of_field))
        self._set(context, 'vpid', self._vpid)
        payload = message.event.payload_field
        if kind == 'event':
            self._set(context, 'ip', values[0])
            for (name, _), value in zip(self._contexts[2:], values[1:]):
                self._set(context, name, value)
            payload['number'] = self._number
            self._number += 1
            return message
        for (name, _), value in zip(FIELDS[kind][1], values):
            self._set(payload, name, value)
        return message

    def messages(self, iterator):
        self._time = 0
        self._number = 1
        self._vpid = 100
        for stream in self._streams():
            yield iterator._create_stream_beginning_message(stream)
        self._packet = self._stream.create_packet() if self._has_packets else None
        if self._packet:
            yield iterator._create_packet_beginning_message(self._packet, self._time)
        for step in self._options['steps']:
            kind, *values = step
            if kind == 'vpid':
                self._vpid = values[0]
            elif kind == 'repeat':
                count, first, stride = (int(str(value), 0) for value in values)
                for index in range(count):
                    yield self._message(iterator, 'event', [first + index * stride])
            elif kind not in FIELDS:
                yield from self._other_messages(iterator, kind, values)
            else:
                yield self._message(iterator, kind, values)
        if self._packet:
            yield iterator._create_packet_end_message(self._packet, self._time)
        for stream in self._streams():
            yield iterator._create_stream_end_message(stream)

    def _parent(self, stream):
        return self._packet if self._packet and stream is self._stream else stream

    def _streams(self):
        return [self._stream]

    def _other_messages(self, iterator, kind, values):
        raise ValueError(f'there is no step {kind}')


class UstFile(Ust):
    """The same, from the JSON file `file`."""

    def __init__(self, component, options):
        with open(str(options['file']), encoding='utf-8') as stream:
            super().__init__(component, json.load(stream))

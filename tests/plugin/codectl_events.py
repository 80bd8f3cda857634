# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# The event classes of provider codectl, as LTTng writes them: the length of
# sequence x is a member _x_length before it. See doc/trace-format.md.
import bt2

import mip

COMMON = [
    ('vpid', 'i32'),
    ('start_time', 'u64'),
    ('timestamp', 'u64'),
    ('recording', 'u64'),
]

FIELDS = {
    'codectl:register_elf': [
        ('serial', 'u64'),
        ('elf_start', 'x64'),
        ('elf_end', 'x64'),
        ('text_start', 'x64'),
        ('text_end', 'x64'),
        ('sframe_start', 'x64'),
        ('sframe_end', 'x64'),
        ('pathname', 'string'),
        ('build_id', 'u8[]'),
        ('debug_link_pathname', 'string'),
        ('debug_link_crc', 'u32'),
    ],
    'codectl:unregister': [
        ('serial', 'u64'),
        ('registered_serial', 'u64'),
        ('text_start', 'x64'),
        ('text_end', 'x64'),
    ],
    'codectl:sample': [
        ('vtid', 'i32'),
        ('cpu', 'u32'),
        ('kind', 'u32'),
        ('weight', 'u32'),
        ('serial', 'u64'),
        ('regs', 'u64[]'),
        ('stack_start', 'x64'),
        ('stack_len', 'u32'),
        ('stack_map', 'u64[]'),
        ('stack', 'u64[]'),
    ],
    'codectl:statedump_begin': [
        ('serial', 'u64'),
        ('count', 'u64'),
        ('rows', 'u64'),
    ],
    'codectl:statedump_end': [
        ('serial', 'u64'),
        ('count', 'u64'),
        ('rows', 'u64'),
    ],
    'codectl:register_jit': [
        ('serial', 'u64'),
        ('text_start', 'x64'),
        ('text_end', 'x64'),
        ('unwind_head', 'x64'),
        ('reserved_len', 'u64'),
        ('format', 'u32'),
    ],
    'codectl:jit_rows': [
        ('serial', 'u64'),
        ('registered_serial', 'u64'),
        ('table', 'u32'),
        ('first', 'u64'),
        ('ip_off', 'x32[]'),
        ('size', 'u32[]'),
        ('cfa_off', 'i32[]'),
        ('ra_off', 'i32[]'),
        ('fp_off', 'i32[]'),
        ('info', 'x8[]'),
        ('flags', 'x8[]'),
    ],
    'codectl:jit_blob': [
        ('registered_serial', 'u64'),
        ('offset', 'u64'),
        ('blob', 'x64[]'),
        ('blob_len', 'u64'),
    ],
    'codectl:jit_symbol': [
        ('serial', 'u64'),
        ('start', 'x64'),
        ('size', 'u64'),
        ('id', 'x64'),
        ('name', 'string'),
        ('inline_count', 'u32'),
        ('line_count', 'u32'),
    ],
    'codectl:jit_inlines': [
        ('registered_serial', 'u64'),
        ('first', 'u64'),
        ('parent', 'u32[]'),
        ('name', 'u32[]'),
        ('call_file', 'u32[]'),
        ('call_line', 'u32[]'),
        ('texts', 'string'),
    ],
    'codectl:jit_lines': [
        ('registered_serial', 'u64'),
        ('first', 'u64'),
        ('offset', 'x32[]'),
        ('scope', 'u32[]'),
        ('file', 'u32[]'),
        ('line', 'u32[]'),
        ('texts', 'string'),
    ],
    'codectl:jit_symbol_unload': [
        ('serial', 'u64'),
        ('registered_serial', 'u64'),
        ('start', 'x64'),
        ('size', 'u64'),
    ],
    'codectl:elf_image': [
        ('address', 'x64'),
        ('offset', 'u64'),
        ('image', 'u64[]'),
        ('image_len', 'u64'),
        ('image_size', 'u64'),
    ],
    'codectl:unrecorded_program': [
        ('pathname', 'string'),
        ('reason', 'u32'),
        ('count', 'u32'),
    ],
}


def _scalar(trace_class, kind):
    if kind == 'string':
        return trace_class.create_string_field_class()
    if kind[0] == 'i':
        return trace_class.create_signed_integer_field_class(int(kind[1:]))
    base = 'HEXADECIMAL' if kind[0] == 'x' else 'DECIMAL'
    return trace_class.create_unsigned_integer_field_class(
        int(kind[1:]), preferred_display_base=getattr(bt2.IntegerDisplayBase, base)
    )


class CodectlClasses:
    """Creates the classes in a stream class.

    `only` names those wanted. `kinds` overrides field kinds, by event and
    field; kind None leaves a field out.
    """

    def __init__(self, trace_class, stream_class, only=None, kinds=None):
        self._trace_class = trace_class
        self._classes = {
            name: stream_class.create_event_class(
                name=name, payload_field_class=self._payload(name, kinds or {})
            )
            for name in FIELDS
            if only is None or name in only
        }

    def _payload(self, event_name, kinds):
        payload = self._trace_class.create_structure_field_class()
        for name, kind in COMMON + FIELDS[event_name]:
            kind = kinds.get((event_name, name), kind)
            if kind is None:
                continue
            if kind.endswith('[]'):
                length = self._trace_class.create_unsigned_integer_field_class(32)
                payload.append_member(f'_{name}_length', length)
                member = mip.array(
                    self._trace_class,
                    _scalar(self._trace_class, kind[:-2]),
                    mip.Link(length, 'EVENT_PAYLOAD', f'_{name}_length'),
                )
            else:
                member = _scalar(self._trace_class, kind)
            payload.append_member(name, member)
        return payload

    def message(self, iterator, parent, time, event_name, /, **values):
        """An event whose fields are 0 or empty where no value is given."""
        message = iterator._create_event_message(self._classes[event_name], parent, time)
        payload = message.event.payload_field
        for name in self._classes[event_name].payload_field_class:
            if name.startswith('_'):
                payload[name] = len(values.get(name[1 : -len('_length')], []))
            elif isinstance(payload[name], bt2._DynamicArrayField):
                payload[name] = values.get(name, [])
            elif isinstance(payload[name], bt2._StringField):
                payload[name] = values.get(name, '')
            else:
                payload[name] = values.get(name, 0)
        return message

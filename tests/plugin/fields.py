# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# A scenario with random field classes: see scenarios.py.
import random

import bt2
from bt2 import native_bt

import mip
from mip import Link

TEXTS = ('', 'a', 'grüß\tGott', 'line\nbreak', 'x' * 5000)
BASES = (
    bt2.IntegerDisplayBase.BINARY,
    bt2.IntegerDisplayBase.OCTAL,
    bt2.IntegerDisplayBase.DECIMAL,
    bt2.IntegerDisplayBase.HEXADECIMAL,
)
REALS = (0.0, -0.0, 1.5, -2.25e30, float('inf'), float('-inf'), float('nan'))


class Node:
    """A field class, and how its fields are filled: fill(parent, key, seen).

    A field is parent[key]. Values that others depend on are in seen, by node.
    """

    def __init__(self, field_class, fill):
        self.field_class = field_class
        self.fill = fill


class Maker:
    """Makes random classes of one scope."""

    def __init__(self, trace_class, chooser, outer):
        self._tc = trace_class
        self._random = chooser
        # What lengths and selectors may be: (kind, Node, Link).
        self.known = list(outer)

    def root(self, scope, fixed=()):
        """A structure; `fixed` members (name, Node) are somewhere in it."""
        members = [(name, lambda path, node=node: node) for name, node in fixed]
        for index in range(self._random.choice((0, 3, 9))):
            members.insert(self._random.randrange(len(members) + 1), (f'm{index}', self._any(0)))
        return self._structure((scope,), members)

    def _structure(self, path, makers):
        field_class = self._tc.create_structure_field_class(
            user_attributes={'path': '.'.join(path or ())}
        )
        nodes = []
        for name, make in makers:
            node = make(path and path + (name,))
            attributes = {'of': name} if self._random.random() < 0.5 else None
            field_class.append_member(name, node.field_class, user_attributes=attributes)
            nodes.append((name, node))

        def fill(parent, key, seen):
            structure = parent if key is None else parent[key]
            for name, node in nodes:
                node.fill(structure, name, seen)

        return Node(field_class, fill)

    def _any(self, depth):
        """Returns a function from the path of a member to its Node."""
        kinds = [self._selector] * 2 + [self._scalar] * 4
        if depth < 3:
            kinds += [self._nested, self._static, self._dynamic, self._option, self._variant]
        kind = self._random.choice(kinds)
        return lambda path: kind(path, depth)

    def _content(self, depth):
        # A path to what is in there is not needed: nothing there is linked to.
        return self._any(depth + 1)(None)

    def _selector(self, path, depth):
        """A small number or truth, for others to depend on."""
        kind = self._random.choice(('length', 'flag', 'signed'))
        if kind == 'length':
            values = range(4)
            field_class = self._tc.create_unsigned_integer_field_class(8)
        elif kind == 'signed':
            values = range(-2, 3)
            field_class = self._tc.create_signed_integer_field_class(8)
        else:
            values = (False, True)
            field_class = self._tc.create_bool_field_class()

        def fill(parent, key, seen):
            seen[node] = parent[key] = self._random.choice(values)

        node = Node(field_class, fill)
        if path:
            self.known.append((kind, node, Link(field_class, *path)))
        return node

    def _choose(self, *kinds):
        """One of the known selectors, or none: (kind, Node, Link)."""
        known = [entry for entry in self.known if entry[0] in kinds]
        return self._random.choice(known + [(None, None, None)])

    def _range(self, low, high):
        return self._random.choice((low, high, self._random.randint(low, high)))

    def _integer(self):
        bits = self._random.randint(1, 64)
        base = self._random.choice(BASES)
        if self._random.random() < 0.5:
            return self._tc.create_unsigned_integer_field_class(
                bits, preferred_display_base=base
            ), 0, (1 << bits) - 1
        return self._tc.create_signed_integer_field_class(
            bits, preferred_display_base=base
        ), -(1 << bits - 1), (1 << bits - 1) - 1

    def _enumeration(self):
        if self._random.random() < 0.5:
            field_class = self._tc.create_unsigned_enumeration_field_class(16)
            low, high, ranges = 0, 65535, bt2.UnsignedIntegerRangeSet
        else:
            field_class = self._tc.create_signed_enumeration_field_class(16)
            low, high, ranges = -32768, 32767, bt2.SignedIntegerRangeSet
        for label in range(self._random.randrange(4)):
            first = self._random.randint(low, high - 20)
            field_class.add_mapping(f'label {label}', ranges([(first, first + 9), (high, high)]))
        return field_class, low, high

    def _scalar(self, path, depth):
        kind = self._random.randrange(7)
        choose = self._random.choice
        if kind < 2:
            field_class, low, high = self._integer()
            return self._simple(field_class, lambda: self._range(low, high))
        if kind == 2:
            field_class, low, high = self._enumeration()
            return self._simple(field_class, lambda: self._range(low, high))
        if kind == 3:
            create = choose(
                (
                    self._tc.create_single_precision_real_field_class,
                    self._tc.create_double_precision_real_field_class,
                )
            )
            return self._simple(create(), lambda: choose(REALS))
        if kind == 4:
            return self._simple(self._tc.create_string_field_class(), lambda: choose(TEXTS))
        if kind == 5:
            return self._simple(
                self._tc.create_bool_field_class(user_attributes={'a': 1}),
                lambda: choose((False, True)),
            )
        bits = self._random.randint(1, 64)
        field_class = self._tc.create_bit_array_field_class(bits)

        def fill(parent, key, seen):
            parent[key].value_as_integer = self._random.getrandbits(bits)

        return Node(field_class, fill)

    @staticmethod
    def _simple(field_class, value):
        def fill(parent, key, seen):
            parent[key] = value()

        return Node(field_class, fill)

    def _nested(self, path, depth):
        members = [
            (f'n{index}', self._any(depth + 1)) for index in range(self._random.randrange(4))
        ]
        return self._structure(path, members)

    def _static(self, path, depth):
        element = self._content(depth)
        length = self._random.randrange(4)

        def fill(parent, key, seen):
            for index in range(length):
                element.fill(parent[key], index, seen)

        return Node(self._tc.create_static_array_field_class(element.field_class, length), fill)

    def _dynamic(self, path, depth):
        element = self._content(depth)
        _, length_node, link = self._choose('length')

        def fill(parent, key, seen):
            length = seen[length_node] if link else self._random.randrange(4)
            parent[key].length = length
            for index in range(length):
                element.fill(parent[key], index, seen)

        return Node(mip.array(self._tc, element.field_class, link), fill)

    def _option(self, path, depth):
        content = self._content(depth)
        kind, selector, link = self._choose('length', 'flag', 'signed')
        is_reversed = self._random.random() < 0.5
        ranges = {
            'length': bt2.UnsignedIntegerRangeSet([(1, 1), (3, 9)]),
            'signed': bt2.SignedIntegerRangeSet([(-2, -1)]),
        }.get(kind)

        def fill(parent, key, seen):
            value = seen[selector] if link else self._random.random() < 0.5
            if ranges:
                is_there = value in (1, 3, -2, -1) if kind == 'length' else value < 0
            else:
                is_there = bool(value) != (bool(link) and is_reversed)
            parent[key].has_field = is_there
            if is_there:
                content.fill(_Content(parent[key]), 'value', seen)

        return Node(
            mip.option(
                self._tc, content.field_class, link, ranges, bool(link) and is_reversed
            ),
            fill,
        )

    def _variant(self, path, depth):
        contents = [self._content(depth) for _ in range(3)]
        kind, selector, link = self._choose('length', 'signed')
        variant = mip.variant(self._tc, link)
        limits = {'length': (0, 1, 2, 255), 'signed': (-128, -1, 1, 127)}.get(kind)
        ranges = bt2.SignedIntegerRangeSet if kind == 'signed' else bt2.UnsignedIntegerRangeSet
        for index, content in enumerate(contents):
            arguments = [f'option {index}', content.field_class]
            if link:
                first = limits[index] + (index > 0)
                arguments.append(ranges([(first, limits[index + 1])]))
            variant.append_option(*arguments)

        def fill(parent, key, seen):
            index = self._random.randrange(3)
            if link:
                index = sum(seen[selector] > limit for limit in limits[1:3])
            parent[key].selected_option_index = index
            contents[index].fill(_Content(parent[key]), 'value', seen)

        return Node(variant, fill)


class _Content:
    """What is in an option or variant, as if it were a member of it."""

    def __init__(self, field):
        self._field = field

    def __getitem__(self, key):
        return self._field.field if hasattr(self._field, 'field') else self._field.selected_option

    def __setitem__(self, key, value):
        self._field.value = value


class Fields:
    """Events with contexts `vpid` and `ip` among random other members, of which all
    other structures consist as well. Option seed."""

    PACKETS = 5
    EVENTS = 8

    def __init__(self, component, options):
        self._random = random.Random(int(options['seed']))
        self._trace_class = tc = component._create_trace_class()
        packet = Maker(tc, self._random, ())
        self._packet_context = packet.root('PACKET_CONTEXT')
        common = Maker(tc, self._random, packet.known)
        self._common_context = common.root(
            'EVENT_COMMON_CONTEXT',
            (
                ('vpid', self._fixed(tc.create_signed_integer_field_class(32), 7)),
                ('ip', self._fixed(tc.create_unsigned_integer_field_class(64), 0x1234)),
            ),
        )
        self._stream_class = tc.create_stream_class(
            default_clock_class=component._create_clock_class(),
            assigns_automatic_event_class_id=False,
            supports_packets=True,
            packet_context_field_class=self._packet_context.field_class,
        )
        # The bindings would set it before the packet context, to which it may lead.
        native_bt.stream_class_set_event_common_context_field_class(
            self._stream_class._ptr, self._common_context.field_class._ptr
        )
        self._classes = [self._make_class(index, common.known) for index in range(4)]
        self._stream = tc().create_stream(self._stream_class)

    @staticmethod
    def _fixed(field_class, value):
        def fill(parent, key, seen):
            parent[key] = value

        return Node(field_class, fill)

    def _make_class(self, index, known):
        specific = Maker(self._trace_class, self._random, known)
        specific_context = specific.root('EVENT_SPECIFIC_CONTEXT') if index else None
        payload = Maker(self._trace_class, self._random, specific.known).root('EVENT_PAYLOAD')
        event_class = self._stream_class.create_event_class(
            id=index * 1000 + 3,
            name=f'event {index}',
            specific_context_field_class=specific_context and specific_context.field_class,
            payload_field_class=payload.field_class,
        )
        return event_class, specific_context, payload

    def messages(self, it):
        time = 0
        yield it._create_stream_beginning_message(self._stream)
        for _ in range(self.PACKETS):
            packet = self._stream.create_packet()
            of_packet = {}
            self._packet_context.fill(packet.context_field, None, of_packet)
            yield it._create_packet_beginning_message(packet)
            for _ in range(self.EVENTS):
                time += 1
                event_class, specific_context, payload = self._random.choice(self._classes)
                message = it._create_event_message(event_class, packet, time)
                seen = dict(of_packet)
                self._common_context.fill(message.event.common_context_field, None, seen)
                if specific_context:
                    specific_context.fill(message.event.specific_context_field, None, seen)
                payload.fill(message.event.payload_field, None, seen)
                yield message
            yield it._create_packet_end_message(packet)
        yield it._create_stream_end_message(self._stream)

# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# A scenario with one of each: see scenarios.py.
import uuid

import bt2
from bt2 import native_bt

import mip
from mip import Link
from codectl_events import CodectlClasses


def structure(trace_class, *members):
    field_class = trace_class.create_structure_field_class(
        user_attributes={'kind': 'structure'}
    )
    for name, member in members:
        field_class.append_member(name, member, user_attributes={'member': name})
    return field_class


class Everything:
    """All kinds of messages, classes and fields, ids with gaps.

    with-sample: the trace also has the class `codectl:sample`, in the last
    stream class, but no such event.

    with-contexts: the common contexts of all events have `vpid` and `ip` as well,
    between the other members.

    only-clocks: no messages of the stream without a clock, which a muxer refuses.

    In a graph of MIP 1 there is also what only that has.
    """

    def __init__(self, component, options):
        self._trace_class = component._create_trace_class(
            assigns_automatic_stream_class_id=False, user_attributes={'of': 'trace class'}
        )
        self._is_mip_1 = mip.version_of(self._trace_class) == 1
        self._clock_class = component._create_clock_class(
            name='clock',
            frequency=1000,
            description='a clock',
            precision=7,
            offset=bt2.ClockClassOffset(12, 34),
            user_attributes={'of': 'clock'},
            **self._of_mip(
                {
                    'origin_is_unix_epoch': False,
                    'uuid': uuid.UUID('9b9d3e1e-1f26-4b1f-8f4e-9a6b5a3f6f2d'),
                },
                {
                    'namespace': 'clocks',
                    'uid': 'clock 7',
                    'accuracy': 70,
                    'origin': self._is_mip_1 and bt2.ClockOrigin('origins', 'the', 'origin'),
                },
            ),
        )
        self._has_contexts = bool(options.get('with-contexts'))
        self._has_only_clocks = bool(options.get('only-clocks'))
        self._make_main_stream_class()
        self._make_plain_stream_classes()
        if options.get('with-sample'):
            CodectlClasses(
                self._trace_class,
                self._trace_class.create_stream_class(id=99, supports_packets=False),
                only=['codectl:sample'],
            )
        self._trace = self._trace_class(
            name='a trace',
            environment={'tracer_name': 'test', 'tracer_major': -3},
            user_attributes={'of': 'trace'},
            **self._of_mip(
                {'uuid': uuid.UUID('3e2f0cb8-7d05-4b1c-a6a3-0b1f5fd9a36c')},
                {'namespace': 'traces', 'uid': 'trace 9'},
            ),
        )
        self._stream = self._trace.create_stream(
            self._main_class, id=40, name='main', user_attributes={'of': 'stream'}
        )
        self._other_stream = self._trace.create_stream(self._main_class, id=3)
        self._clockless_stream = self._trace.create_stream(self._clockless_class)
        self._packetless_stream = self._trace.create_stream(self._packetless_class)
        self._bare_packets_stream = self._trace.create_stream(self._bare_packets_class)
        self._beginning_stream = self._trace.create_stream(self._beginning_class)
        self._end_stream = self._trace.create_stream(self._end_class)

    def _of_mip(self, of_0, of_1):
        return of_1 if self._is_mip_1 else of_0

    def _make_main_stream_class(self):
        tc = self._trace_class
        selector = tc.create_signed_integer_field_class(8)
        self._main_class = tc.create_stream_class(
            id=7,
            name='main class',
            **self._of_mip({}, {'namespace': 'streams', 'uid': 'stream class 7'}),
            user_attributes={'of': 'stream class'},
            default_clock_class=self._clock_class,
            assigns_automatic_event_class_id=False,
            assigns_automatic_stream_id=False,
            supports_packets=True,
            packets_have_beginning_default_clock_snapshot=True,
            packets_have_end_default_clock_snapshot=True,
            supports_discarded_events=True,
            discarded_events_have_default_clock_snapshots=True,
            supports_discarded_packets=True,
            discarded_packets_have_default_clock_snapshots=True,
            packet_context_field_class=structure(
                tc,
                ('selector', selector),
                ('number', tc.create_unsigned_integer_field_class(32)),
            ),
            event_common_context_field_class=structure(
                tc,
                ('length', tc.create_unsigned_integer_field_class(16)),
                *self._contexts(),
                ('text', tc.create_string_field_class(user_attributes={'of': 'text'})),
            ),
        )
        self._scalar_class = self._main_class.create_event_class(
            id=1000,
            name='scalars',
            **self._of_mip({}, {'namespace': 'events'}),
            log_level=bt2.EventClassLogLevel.DEBUG_LINE,
            emf_uri='http://example.com/scalars',
            user_attributes={'of': 'event class'},
            payload_field_class=self._scalars(),
        )
        self._compound_class = self._main_class.create_event_class(
            id=5,
            name='compounds',
            specific_context_field_class=structure(
                tc,
                ('choice', self._enumeration(tc.create_unsigned_enumeration_field_class(8))),
                ('is_there', tc.create_bool_field_class()),
            ),
            payload_field_class=self._compounds(),
        )
        self._empty_class = self._main_class.create_event_class(id=3)
        self._hollow_class = self._main_class.create_event_class(
            id=4,
            specific_context_field_class=structure(tc),
            payload_field_class=structure(tc, ('nothing', structure(tc))),
        )
        if self._is_mip_1:
            # In the bindings of 2.1.1 the property fails.
            native_bt.event_class_set_uid(self._scalar_class._ptr, 'event class 1000')
            self._blob_class = self._main_class.create_event_class(
                id=77, name='blobs', payload_field_class=self._blobs()
            )

    def _contexts(self):
        tc = self._trace_class
        if not self._has_contexts:
            return ()
        return (
            ('vpid', tc.create_signed_integer_field_class(32)),
            ('ip', tc.create_unsigned_integer_field_class(64)),
        )

    def _make_plain_stream_class(self, **properties):
        contexts = self._contexts()
        return self._trace_class.create_stream_class(
            event_common_context_field_class=structure(self._trace_class, *contexts)
            if contexts
            else None,
            **properties,
        )

    def _make_plain_stream_classes(self):
        tc = self._trace_class
        with_clock = {'default_clock_class': self._clock_class}
        with_packets = {**with_clock, 'supports_packets': True}
        self._clockless_class = self._make_plain_stream_class(
            id=2, supports_discarded_events=True
        )
        self._packetless_class = self._make_plain_stream_class(
            id=0, supports_discarded_events=True, **with_clock
        )
        self._bare_packets_class = self._make_plain_stream_class(
            id=11, supports_discarded_packets=True, **with_packets
        )
        self._beginning_class = self._make_plain_stream_class(
            id=12, packets_have_beginning_default_clock_snapshot=True, **with_packets
        )
        self._end_class = self._make_plain_stream_class(
            id=13, packets_have_end_default_clock_snapshot=True, **with_packets
        )
        self._plain_classes = [
            stream_class.create_event_class(
                name='plain',
                payload_field_class=structure(
                    tc, ('value', tc.create_double_precision_real_field_class())
                ),
            )
            for stream_class in (
                self._clockless_class,
                self._packetless_class,
                self._bare_packets_class,
                self._beginning_class,
                self._end_class,
            )
        ]

    @staticmethod
    def _enumeration(field_class):
        # Labels may overlap, and have several ranges.
        is_unsigned = isinstance(field_class, bt2._UnsignedEnumerationFieldClass)
        ranges = bt2.UnsignedIntegerRangeSet if is_unsigned else bt2.SignedIntegerRangeSet
        low = 0 if is_unsigned else -5
        field_class.add_mapping('low', ranges([(low, 1), (4, 5)]))
        field_class.add_mapping('high', ranges([(2, 3)]))
        field_class.add_mapping('all', ranges([(low, 5)]))
        return field_class

    def _scalars(self):
        tc = self._trace_class
        return structure(
            tc,
            ('bool', tc.create_bool_field_class()),
            ('bits', tc.create_bit_array_field_class(17, **self._of_mip({}, {'flags': [
                ('low', bt2.UnsignedIntegerRangeSet([(0, 3), (12, 12)])),
                ('high', bt2.UnsignedIntegerRangeSet([(16, 16)])),
                ('none', bt2.UnsignedIntegerRangeSet([(5, 6)]))]}))),
            ('hex', tc.create_unsigned_integer_field_class(
                64, preferred_display_base=bt2.IntegerDisplayBase.HEXADECIMAL)),
            ('octal', tc.create_signed_integer_field_class(
                12, preferred_display_base=bt2.IntegerDisplayBase.OCTAL)),
            ('binary', tc.create_unsigned_integer_field_class(
                5, preferred_display_base=bt2.IntegerDisplayBase.BINARY)),
            ('signed_enum', self._enumeration(
                tc.create_signed_enumeration_field_class(33))),
            ('unsigned_enum', self._enumeration(
                tc.create_unsigned_enumeration_field_class(
                    7, preferred_display_base=bt2.IntegerDisplayBase.HEXADECIMAL))),
            ('single', tc.create_single_precision_real_field_class()),
            ('double', tc.create_double_precision_real_field_class()),
            ('text', tc.create_string_field_class()),
        )  # fmt: skip

    def _compounds(self):
        """Lengths and selectors in every scope that a path can lead to."""
        tc = self._trace_class
        main = self._main_class
        unsigned = tc.create_unsigned_integer_field_class
        text = tc.create_string_field_class
        packet_selector = Link(
            main.packet_context_field_class['selector'].field_class, 'PACKET_CONTEXT', 'selector'
        )
        common_length = Link(
            main.event_common_context_field_class['length'].field_class,
            'EVENT_COMMON_CONTEXT',
            'length',
        )
        own_length = Link(unsigned(32), 'EVENT_PAYLOAD', 'own_length')
        own_flag = Link(tc.create_bool_field_class(), 'EVENT_PAYLOAD', 'own_flag')
        own_choice = Link(unsigned(8), 'EVENT_PAYLOAD', 'own_choice')
        own_signed = Link(
            tc.create_signed_integer_field_class(8), 'EVENT_PAYLOAD', 'own_signed'
        )
        inner_length = Link(unsigned(8), 'EVENT_PAYLOAD', 'nested', 'inner_length')
        payload = structure(
            tc,
            ('own_length', own_length.field_class),
            ('own_flag', own_flag.field_class),
            ('own_choice', own_choice.field_class),
            ('own_signed', own_signed.field_class),
            ('by_own_length', mip.array(tc, unsigned(64), own_length)),
            ('by_common_length', mip.array(tc, text(), common_length)),
            ('no_length', mip.array(tc, text())),
            ('static', tc.create_static_array_field_class(unsigned(8), 3)),
            # The length is inside of the array's element.
            ('nested', tc.create_static_array_field_class(
                structure(tc, ('inner_length', inner_length.field_class),
                          ('inner', mip.array(tc, unsigned(16), inner_length))), 2)),
            ('option', mip.option(tc, text())),
            ('by_flag', mip.option(tc, text(), own_flag)),
            ('by_no_flag', mip.option(tc, text(), own_flag, is_reversed=True)),
            ('by_choice', mip.option(
                tc, text(), own_choice, bt2.UnsignedIntegerRangeSet([(1, 2), (7, 9)]))),
            ('by_signed', mip.option(
                tc, text(), own_signed, bt2.SignedIntegerRangeSet([(-9, -1)]))),
        )  # fmt: skip
        variant = mip.variant(tc)
        variant.append_option(
            'text', text(), **self._of_mip({'user_attributes': {'of': 'option'}}, {})
        )
        if self._is_mip_1:
            # The bindings of 2.1.1 look for the option by name, and here it is by index.
            variant[0]._set_user_attributes(bt2.create_value({'of': 'option'}))
        variant.append_option('number', unsigned(8))
        payload.append_member('variant', variant)
        variant = mip.variant(tc, own_choice)
        variant.append_option('text', text(), bt2.UnsignedIntegerRangeSet([(0, 6)]))
        variant.append_option(
            'number', unsigned(8), bt2.UnsignedIntegerRangeSet([(7, 7), (9, 200)])
        )
        payload.append_member('variant_by_choice', variant)
        variant = mip.variant(tc, packet_selector)
        variant.append_option('minus', text(), bt2.SignedIntegerRangeSet([(-128, -1)]))
        variant.append_option('plus', structure(tc, ('deep', text())),
                              bt2.SignedIntegerRangeSet([(0, 127)]))  # fmt: skip
        payload.append_member('variant_by_packet', variant)
        return payload

    def _blobs(self):
        """What only MIP 1 has, with lengths from each scope."""
        tc = self._trace_class
        unsigned = tc.create_unsigned_integer_field_class
        length = Link(unsigned(8), 'EVENT_PAYLOAD', 'length')
        # The bindings have no property for hints: 1 is "small".
        native_bt.field_class_integer_set_field_value_hints(length.field_class._ptr, 1)
        common_length = Link(None, 'EVENT_COMMON_CONTEXT', 'length')
        nameless = mip.variant(tc, length)
        nameless.append_option(None, unsigned(8), bt2.UnsignedIntegerRangeSet([(0, 3)]))
        nameless.append_option(
            None, tc.create_string_field_class(), bt2.UnsignedIntegerRangeSet([(4, 200)])
        )
        payload = structure(
            tc,
            ('length', length.field_class),
            ('static', tc.create_static_blob_field_class(5, 'image/png')),
            ('dynamic', tc.create_dynamic_blob_field_class()),
            ('by_length', tc.create_dynamic_blob_field_class(
                length.location(tc), 'text/plain')),
            ('by_common_length', tc.create_dynamic_blob_field_class(
                common_length.location(tc))),
            ('blobs', mip.array(tc, tc.create_static_blob_field_class(2), length)),
            ('nameless', nameless),
        )  # fmt: skip
        return payload

    def _blob_event(self, iterator, parent, time, contents):
        message = iterator._create_event_message(self._blob_class, parent, time)
        self._fill_common_context(message.event)
        payload = message.event.payload_field
        payload['length'] = len(contents)
        payload['static'].data = b'\x00\x01\xff\x0a\x80'
        for name, data in (
            ('dynamic', contents * 2),
            ('by_length', contents),
            ('by_common_length', b'\x00\x01\x02'),
        ):
            payload[name].length = len(data)
            if data:
                payload[name].data = data
        payload['blobs'].length = len(contents)
        for index, field in enumerate(payload['blobs']):
            field.data = bytes([index, contents[index]])
        payload['nameless'].selected_option_index = int(len(contents) > 3)
        payload['nameless'].value = 'long' if len(contents) > 3 else 2
        return message

    def _scalar_event(self, iterator, parent, time):
        message = iterator._create_event_message(self._scalar_class, parent, time)
        self._fill_common_context(message.event)
        payload = message.event.payload_field
        payload['bool'] = True
        payload['bits'].value_as_integer = 0x1F00F
        payload['hex'] = 0xFFFFFFFFFFFFFFFF
        payload['octal'] = -64
        payload['binary'] = 21
        payload['signed_enum'] = -5
        payload['unsigned_enum'] = 3
        payload['single'] = 1.5
        payload['double'] = -2.25e100
        payload['text'] = 'grüß\tGott'
        return message

    def _compound_event(self, iterator, parent, time, choice):
        message = iterator._create_event_message(self._compound_class, parent, time)
        event = message.event
        self._fill_common_context(event)
        event.specific_context_field['choice'] = 4
        event.specific_context_field['is_there'] = False
        payload = event.payload_field
        payload['own_length'] = 2
        payload['own_flag'] = True
        payload['own_choice'] = choice
        payload['own_signed'] = -3
        payload['by_own_length'] = [1, 0xFFFFFFFFFFFFFFFF]
        payload['by_common_length'] = ['a', 'b', '']
        payload['no_length'] = ['x'] * (choice % 3)
        payload['static'] = [7, 8, 9]
        payload['nested'] = [
            {'inner_length': 0, 'inner': []},
            {'inner_length': 2, 'inner': [5, 6]},
        ]
        payload['option'].has_field = choice == 7
        if choice == 7:
            payload['option'].value = 'there'
        payload['by_flag'].has_field = True
        payload['by_flag'].value = 'flagged'
        payload['by_no_flag'].has_field = False
        payload['by_choice'].has_field = choice == 7
        if choice == 7:
            payload['by_choice'].value = 'chosen'
        payload['by_signed'].has_field = True
        payload['by_signed'].value = 'signed'
        payload['variant'].selected_option_index = choice % 2
        payload['variant'].value = 200 if choice % 2 else 'even'
        payload['variant_by_choice'].selected_option_index = 1 if choice >= 7 else 0
        payload['variant_by_choice'].value = 7 if choice >= 7 else 'small'
        payload['variant_by_packet'].selected_option_index = 1
        payload['variant_by_packet'].value = {'deep': 'water'}
        return message

    def _fill_common_context(self, event):
        context = event.common_context_field
        if 'length' in context:
            context['length'] = 3
            context['text'] = 'common'
        if self._has_contexts:
            context['vpid'] = 1
            context['ip'] = 0x1234

    @staticmethod
    def _packet(stream, number):
        packet = stream.create_packet()
        packet.context_field['selector'] = 5
        packet.context_field['number'] = number
        return packet

    def _plain_event(self, iterator, index, parent, time=None):
        message = iterator._create_event_message(self._plain_classes[index], parent, time)
        if self._has_contexts:
            self._fill_common_context(message.event)
        message.event.payload_field['value'] = 0.5
        return message

    def messages(self, iterator):
        """Two streams of the main class run at once, their packets overlap."""
        it = iterator
        first = self._packet(self._stream, 1)
        second = self._packet(self._other_stream, 2)
        yield it._create_stream_beginning_message(self._stream, 0)
        yield it._create_stream_beginning_message(self._other_stream)
        yield it._create_packet_beginning_message(first, 10)
        yield self._scalar_event(it, first, 11)
        yield it._create_packet_beginning_message(second, 12)
        yield self._compound_event(it, first, 13, 7)
        yield self._compound_event(it, second, 14, 2)
        empty = it._create_event_message(self._empty_class, second, 15)
        self._fill_common_context(empty.event)
        yield empty
        hollow = it._create_event_message(self._hollow_class, second, 15)
        self._fill_common_context(hollow.event)
        yield hollow
        yield it._create_packet_end_message(first, 16)
        yield self._scalar_event(it, second, 17)
        yield it._create_packet_end_message(second, 18)
        yield it._create_discarded_events_message(self._stream, 17, 18, 19)
        yield it._create_discarded_events_message(self._stream, None, 19, 20)
        yield it._create_discarded_packets_message(self._stream, 3, 20, 21)
        yield it._create_discarded_packets_message(self._stream, None, 21, 22)
        yield it._create_message_iterator_inactivity_message(self._clock_class, 23)
        third = self._packet(self._stream, 3)
        yield it._create_packet_beginning_message(third, 24)
        yield self._scalar_event(it, third, 25)
        if self._is_mip_1:
            yield self._blob_event(it, third, 25, b'')
            yield self._blob_event(it, third, 25, bytes(range(250, 256)))
        yield it._create_packet_end_message(third, 26)
        yield it._create_stream_end_message(self._stream, 27)
        yield it._create_stream_end_message(self._other_stream)
        if not self._has_only_clocks:
            yield from self._clockless_messages(it)
        yield from self._plain_messages(it)

    def _clockless_messages(self, it):
        yield it._create_stream_beginning_message(self._clockless_stream)
        yield self._plain_event(it, 0, self._clockless_stream)
        yield it._create_discarded_events_message(self._clockless_stream, 4)
        yield it._create_discarded_events_message(self._clockless_stream)
        yield it._create_stream_end_message(self._clockless_stream)

    def _plain_messages(self, it):
        yield it._create_stream_beginning_message(self._packetless_stream, 30)
        yield self._plain_event(it, 1, self._packetless_stream, 31)
        yield it._create_discarded_events_message(self._packetless_stream, 5)
        yield it._create_stream_end_message(self._packetless_stream, 32)
        packet = self._bare_packets_stream.create_packet()
        yield it._create_stream_beginning_message(self._bare_packets_stream, 33)
        yield it._create_packet_beginning_message(packet)
        yield self._plain_event(it, 2, packet, 34)
        yield it._create_packet_end_message(packet)
        yield it._create_discarded_packets_message(self._bare_packets_stream, 6)
        yield it._create_stream_end_message(self._bare_packets_stream, 35)
        packet = self._beginning_stream.create_packet()
        yield it._create_stream_beginning_message(self._beginning_stream)
        yield it._create_packet_beginning_message(packet, 36)
        yield self._plain_event(it, 3, packet, 37)
        yield it._create_packet_end_message(packet)
        yield it._create_stream_end_message(self._beginning_stream)
        packet = self._end_stream.create_packet()
        yield it._create_stream_beginning_message(self._end_stream)
        yield it._create_packet_beginning_message(packet)
        yield self._plain_event(it, 4, packet, 38)
        yield it._create_packet_end_message(packet, 39)
        yield it._create_stream_end_message(self._end_stream)

# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# A scenario with one of each: see scenarios.py.
import uuid

import bt2

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
    """

    def __init__(self, component, options):
        self._clock_class = component._create_clock_class(
            name='clock',
            frequency=1000,
            description='a clock',
            precision=7,
            offset=bt2.ClockClassOffset(12, 34),
            origin_is_unix_epoch=False,
            uuid=uuid.UUID('9b9d3e1e-1f26-4b1f-8f4e-9a6b5a3f6f2d'),
            user_attributes={'of': 'clock'},
        )
        self._trace_class = component._create_trace_class(
            assigns_automatic_stream_class_id=False, user_attributes={'of': 'trace class'}
        )
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
            uuid=uuid.UUID('3e2f0cb8-7d05-4b1c-a6a3-0b1f5fd9a36c'),
            environment={'tracer_name': 'test', 'tracer_major': -3},
            user_attributes={'of': 'trace'},
        )
        self._stream = self._trace.create_stream(
            self._main_class, id=40, name='main', user_attributes={'of': 'stream'}
        )
        self._other_stream = self._trace.create_stream(self._main_class, id=3)
        self._clockless_stream = self._trace.create_stream(self._clockless_class)
        self._packetless_stream = self._trace.create_stream(self._packetless_class)
        self._bare_packets_stream = self._trace.create_stream(self._bare_packets_class)

    def _make_main_stream_class(self):
        tc = self._trace_class
        selector = tc.create_signed_integer_field_class(8)
        self._main_class = tc.create_stream_class(
            id=7,
            name='main class',
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
                ('text', tc.create_string_field_class(user_attributes={'of': 'text'})),
            ),
        )
        self._scalar_class = self._main_class.create_event_class(
            id=1000,
            name='scalars',
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

    def _make_plain_stream_classes(self):
        tc = self._trace_class
        self._clockless_class = tc.create_stream_class(id=2, supports_discarded_events=True)
        self._packetless_class = tc.create_stream_class(
            id=0, default_clock_class=self._clock_class, supports_discarded_events=True
        )
        self._bare_packets_class = tc.create_stream_class(
            id=11,
            default_clock_class=self._clock_class,
            supports_packets=True,
            supports_discarded_packets=True,
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
            ('bits', tc.create_bit_array_field_class(17)),
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
        packet_selector = main.packet_context_field_class['selector'].field_class
        common_length = main.event_common_context_field_class['length'].field_class
        own_length = unsigned(32)
        own_flag = tc.create_bool_field_class()
        own_choice = unsigned(8)
        own_signed = tc.create_signed_integer_field_class(8)
        inner_length = unsigned(8)
        payload = structure(
            tc,
            ('own_length', own_length),
            ('own_flag', own_flag),
            ('own_choice', own_choice),
            ('own_signed', own_signed),
            ('by_own_length', tc.create_dynamic_array_field_class(unsigned(64), own_length)),
            ('by_common_length', tc.create_dynamic_array_field_class(text(), common_length)),
            ('no_length', tc.create_dynamic_array_field_class(text())),
            ('static', tc.create_static_array_field_class(unsigned(8), 3)),
            # The length is inside of the array's element.
            ('nested', tc.create_static_array_field_class(
                structure(tc, ('inner_length', inner_length),
                          ('inner', tc.create_dynamic_array_field_class(
                              unsigned(16), inner_length))), 2)),
            ('option', tc.create_option_without_selector_field_class(text())),
            ('by_flag', tc.create_option_with_bool_selector_field_class(text(), own_flag)),
            ('by_no_flag', tc.create_option_with_bool_selector_field_class(
                text(), own_flag, selector_is_reversed=True)),
            ('by_choice', tc.create_option_with_integer_selector_field_class(
                text(), own_choice, bt2.UnsignedIntegerRangeSet([(1, 2), (7, 9)]))),
            ('by_signed', tc.create_option_with_integer_selector_field_class(
                text(), own_signed, bt2.SignedIntegerRangeSet([(-9, -1)]))),
        )  # fmt: skip
        variant = tc.create_variant_field_class()
        variant.append_option('text', text(), user_attributes={'of': 'option'})
        variant.append_option('number', unsigned(8))
        payload.append_member('variant', variant)
        variant = tc.create_variant_field_class(own_choice)
        variant.append_option('text', text(), bt2.UnsignedIntegerRangeSet([(0, 6)]))
        variant.append_option(
            'number', unsigned(8), bt2.UnsignedIntegerRangeSet([(7, 7), (9, 200)])
        )
        payload.append_member('variant_by_choice', variant)
        variant = tc.create_variant_field_class(packet_selector)
        variant.append_option('minus', text(), bt2.SignedIntegerRangeSet([(-128, -1)]))
        variant.append_option('plus', structure(tc, ('deep', text())),
                              bt2.SignedIntegerRangeSet([(0, 127)]))  # fmt: skip
        payload.append_member('variant_by_packet', variant)
        return payload

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

    @staticmethod
    def _fill_common_context(event):
        event.common_context_field['length'] = 3
        event.common_context_field['text'] = 'common'

    @staticmethod
    def _packet(stream, number):
        packet = stream.create_packet()
        packet.context_field['selector'] = 5
        packet.context_field['number'] = number
        return packet

    def _plain_event(self, iterator, index, parent, time=None):
        message = iterator._create_event_message(self._plain_classes[index], parent, time)
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
        yield it._create_packet_end_message(first, 16)
        yield self._scalar_event(it, second, 17)
        yield it._create_packet_end_message(second, 18)
        yield it._create_discarded_events_message(self._stream, 17, 16, 19)
        yield it._create_discarded_events_message(self._stream, None, 19, 20)
        yield it._create_discarded_packets_message(self._stream, 3, 20, 21)
        yield it._create_discarded_packets_message(self._stream, None, 21, 22)
        yield it._create_message_iterator_inactivity_message(self._clock_class, 23)
        third = self._packet(self._stream, 3)
        yield it._create_packet_beginning_message(third, 24)
        yield self._scalar_event(it, third, 25)
        yield it._create_packet_end_message(third, 26)
        yield it._create_stream_end_message(self._stream, 27)
        yield it._create_stream_end_message(self._other_stream)
        yield from self._plain_messages(it)

    def _plain_messages(self, it):
        yield it._create_stream_beginning_message(self._clockless_stream)
        yield self._plain_event(it, 0, self._clockless_stream)
        yield it._create_discarded_events_message(self._clockless_stream, 4)
        yield it._create_discarded_events_message(self._clockless_stream)
        yield it._create_stream_end_message(self._clockless_stream)
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

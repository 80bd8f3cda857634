# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# A scenario with call stacks in events: see scenarios.py and ust.py.
import ust


class Callstacks(ust.Ust):
    """A script as of ust.py, with more steps:

    [stack, VALUES] is an event of the program; VALUES has a list for each sequence,
    by its name. The options specific and payload, [NAME, KIND]… each, are what its
    event class has besides contexts.
    [kernel, VALUES] is an event in a trace of the kernel of the same machine, whose
    common context the option kernel has. After [elsewhere, true], what is told
    is told in another trace, of the machine that the option other-host names.
    """

    def __init__(self, component, options):
        super().__init__(component, options)
        self._stack_class = self._stream_class.create_event_class(
            id=100000,
            name='app:stack',
            specific_context_field_class=self._members('specific'),
            payload_field_class=self._members('payload'),
        )
        self._all_streams = [self._stream]
        if 'kernel' in self._options:
            self._all_streams.append(self._make_kernel(component))
        if 'other-host' in self._options:
            other = self._trace_class(
                environment={'hostname': self._options['other-host'], 'domain': 'ust'}
            )
            self._all_streams.append(other.create_stream(self._stream_class))

    def _environment(self):
        return {'hostname': 'host', 'domain': 'ust'}

    def _members(self, option):
        return self._structure(self._options[option]) if option in self._options else None

    def _make_kernel(self, component):
        ust_class, self._trace_class = self._trace_class, component._create_trace_class()
        stream_class = self._trace_class.create_stream_class(
            default_clock_class=self._stream_class.default_clock_class,
            event_common_context_field_class=self._structure(self._options['kernel']),
        )
        self._kernel_class = stream_class.create_event_class(name='sched_switch')
        trace = self._trace_class(environment={'hostname': 'host', 'domain': 'kernel'})
        self._trace_class = ust_class
        return trace.create_stream(stream_class)

    def _streams(self):
        return self._all_streams

    def _message(self, iterator, kind, values):
        own = self._stream
        if self._is_elsewhere:
            self._stream = self._all_streams[-1]
        message = super()._message(iterator, kind, values)
        self._stream = own
        return message

    def messages(self, iterator):
        self._is_elsewhere = False
        return super().messages(iterator)

    def _fill(self, structure, option, values):
        if structure is None:
            return
        for name, kind in option:
            self._set(structure, name, values.get(name, self._nothing(kind)))

    def _other_messages(self, iterator, kind, values):
        if kind == 'elsewhere':
            self._is_elsewhere = values[0]
            return
        values = values[0]
        self._time += 1
        is_kernel = kind == 'kernel'
        message = iterator._create_event_message(
            self._kernel_class if is_kernel else self._stack_class,
            self._parent(self._all_streams[is_kernel]),
            self._time,
        )
        event = message.event
        contexts = self._options['kernel'] if is_kernel else self._contexts
        values = {'vpid': self._vpid, **values}
        self._fill(event.common_context_field, contexts, values)
        self._fill(event.specific_context_field, self._options.get('specific'), values)
        self._fill(event.payload_field, self._options.get('payload'), values)
        yield message

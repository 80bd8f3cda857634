#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
"""annotated.py SCENARIO [NAME=VALUE...]: runs sink.codectl.profile with these
parameters behind a source of events like those of filter.codectl.debug-info.
The plugin is found through BABELTRACE_PLUGIN_PATH. Ends with 1 and prints the
first cause if the graph fails.

annotated.py SCENARIO --ctf DIR: writes the events to a CTF trace instead."""
import sys

import bt2

sys.dont_write_bytecode = True
import mip

THREAD = {"vpid": 10, "vtid": 10, "start_time": 5, "timestamp": 7}


def frames(text):
    """Outermost first in the text, innermost first in the event: `func@bin;...`."""
    parts = [frame.partition("@") for frame in text.split(";")] if text else []
    return [{"func": func, "bin": binary} for func, _, binary in reversed(parts)]


def sample(stack, weight=1, stack_end="outermost", **thread):
    return ("sample", {**THREAD, **thread, "weight": weight, "stack_end": stack_end,
                       "frames": frames(stack)})


def stats(comm, taken=1, lost=0, cpu_time=0, **thread):
    return ("thread_stats", {**THREAD, **thread, "comm": comm, "taken": taken, "lost": lost,
                             "cpu_time": cpu_time})


def basic():
    main = "_start+0x21@app+0x1021;main+0x8@app+0x1100"
    yield stats("app", taken=0, cpu_time=1000)
    yield sample(main + ";work+0@libw.so+0x500", weight=3)
    yield sample(main + ";work+0x4@libw.so+0x504;work+0x4@libw.so+0x504")
    yield sample(main + ";@libw.so+0x900")
    yield sample(main, stack_end="no-rule")
    yield sample("thread+0x1@app+0x1300;operator++0x2@app+0x1400", vtid=11)
    # Its name comes after its first sample.
    yield stats("worker", vtid=11, lost=2)
    yield sample("main+0x8@other@0x400100;@;a;b@", vpid=20, vtid=20)
    yield stats("app", taken=6, cpu_time=60001000)
    yield "discarded"


def no_samples():
    yield stats("app")


def other():
    yield ("other", THREAD)


def raw():
    yield ("raw_sample", {**THREAD, "stack": [1, 2, 3]})


def hostile():
    yield sample("</script><script>alert(1)</script>+0x1@a<b>&\"'+0x1;operator<+0x2@x+0x1;"
                 "<!--+0x3@-->+0x1;line\nbreak\ttab\x1b[31m+0x4@\\u0041+0x1;ü€𝄞+0x1@ü+0x1")
    yield stats("co;mm</title>")


def wide():
    """30000 nodes in 100 stacks of 300 frames; some of these are wide."""
    for a in range(100):
        yield sample(";".join(f"f{a}_{i}+0x1@lib{i % 9}.so+0x1" for i in range(300)),
                     weight=1 + 1000 * (a % 20 == 0))


SCENARIOS = {"basic": basic, "no-samples": no_samples, "other": other, "raw": raw,
             "hostile": hostile, "wide": wide}


class Iterator(bt2._UserMessageIterator):
    def __init__(self, config, port):
        trace_class, stream_class, self._classes, scenario = port.user_data
        self._stream = trace_class().create_stream(stream_class)
        self._messages = self._make(SCENARIOS[scenario])

    def _make(self, scenario):
        yield self._create_stream_beginning_message(self._stream)
        for item in scenario():
            if item == "discarded":
                # sink.ctf.fs cannot write these without a clock.
                if "--ctf" not in sys.argv:
                    yield self._create_discarded_events_message(self._stream, 7)
                continue
            name, fields = item
            message = self._create_event_message(self._classes[name], self._stream)
            fill(message.event.payload_field, fields)
            yield message
        yield self._create_stream_end_message(self._stream)

    def __next__(self):
        return next(self._messages)


def fill(payload, fields):
    for name, value in fields.items():
        if not isinstance(value, list):
            payload[name] = value
            continue
        payload[name].length = len(value)
        for i, element in enumerate(value):
            if not isinstance(element, dict):
                payload[name][i] = element
                continue
            payload[name][i]["pc"] = 0x1000 + i
            payload[name][i]["src"] = ""
            payload[name][i]["via"] = "eh_frame"
            for key, text in element.items():
                payload[name][i][key] = text


class Source(bt2._UserSourceComponent, message_iterator_class=Iterator):
    def __init__(self, config, params, scenario):
        tc = self._create_trace_class()
        stream_class = tc.create_stream_class(supports_discarded_events="--ctf" not in sys.argv)
        s32 = lambda: tc.create_signed_integer_field_class(32)
        u64 = tc.create_unsigned_integer_field_class
        string = tc.create_string_field_class

        def event_class(name, *members):
            payload = tc.create_structure_field_class()
            for member in (("vpid", s32()), ("vtid", s32()), ("start_time", u64(64)),
                           ("timestamp", u64(64)), *members):
                payload.append_member(*member)
            return stream_class.create_event_class(name="codectl:" + name,
                                                   payload_field_class=payload)

        frame = tc.create_structure_field_class()
        for member, member_class in (("pc", u64(64)), ("bin", string()), ("func", string()),
                                     ("src", string()), ("via", string())):
            frame.append_member(member, member_class)
        classes = {
            "sample": event_class("sample", ("weight", u64(32)),
                                  ("frames", tc.create_dynamic_array_field_class(frame)),
                                  ("stack_end", string())),
            "thread_stats": event_class("thread_stats", ("comm", string()), ("taken", u64(64)),
                                        ("lost", u64(64)), ("cpu_time", u64(64))),
            "other": event_class("other"),
            "raw_sample": event_class("sample", ("stack", tc.create_dynamic_array_field_class(
                u64(64)))),
        }
        self._add_output_port("out", (tc, stream_class, classes, scenario))


def value_of(text):
    if text in ("yes", "no"):
        return text == "yes"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def make_sink(graph):
    if sys.argv[2:3] == ["--ctf"]:
        ctf = bt2.find_plugin("ctf").sink_component_classes["fs"]
        return graph.add_component(ctf, "sink", {"path": sys.argv[3], "quiet": True,
                                                 "assume-single-trace": True,
                                                 **mip.ctf_params(0)})
    params = dict(argument.split("=", 1) for argument in sys.argv[2:])
    params = {name: value_of(text) for name, text in params.items()}
    profile = bt2.find_plugin("codectl").sink_component_classes["profile"]
    return graph.add_component(profile, "sink", params)


def main():
    graph = bt2.Graph()
    try:
        source = graph.add_component(Source, "source", obj=sys.argv[1])
        sink = make_sink(graph)
        graph.connect_ports(source.output_ports["out"], list(sink.input_ports.values())[0])
        graph.run()
    except bt2._Error as error:
        # The first cause is the component's own.
        sys.exit(error[0].message)


main()

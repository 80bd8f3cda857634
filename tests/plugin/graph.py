#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# graph.py SOURCE COMPONENT...: runs a graph over a generated trace.
#
# SOURCE is a scenario of scenarios.py or the path of a trace; a COMPONENT is
# like `filter.utils.muxer` or `sink.text.details`. Either may be followed by
# parameters in JSON: `everything:{"with-sample": true}`. `seek` as the last
# component counts the messages, seeks to the beginning and counts again.
# `graph.py iterate PATH FILTER` prints the events of a trace and their contexts.
# CODECTL_TEST_MIP is the version of the graph's protocol (0).
import json
import os
import sys

import bt2

import mip
import scenarios


class _Iterator(bt2._UserMessageIterator):
    def __init__(self, config, port):
        config.can_seek_forward = True
        self._scenario = port.user_data
        self._begin()

    def _begin(self):
        self._messages = iter(self._scenario.messages(self))

    def __next__(self):
        return next(self._messages)

    def _user_can_seek_beginning(self):
        return True

    def _user_seek_beginning(self):
        self._begin()


class Source(bt2._UserSourceComponent, message_iterator_class=_Iterator):
    def __init__(self, config, params, scenario):
        options = {str(key): params[key] for key in params}
        self._add_output_port('out', scenario(self, options))

    @classmethod
    def _user_get_supported_mip_versions(cls, params, obj, log_level):
        return mip.supported_versions()


class SeekingSink(bt2._UserSinkComponent):
    def __init__(self, config, params, obj):
        self._port = self._add_input_port('in')

    @classmethod
    def _user_get_supported_mip_versions(cls, params, obj, log_level):
        return mip.supported_versions()

    def _user_graph_is_configured(self):
        self._iterator = self._create_message_iterator(self._port)

    def _pass(self):
        for message in self._iterator:
            text = type(message).__name__
            if isinstance(message, bt2._EventMessageConst):
                text += f' {message.event.name} {message.event.payload_field}'
            print(text)

    def _user_consume(self):
        self._pass()
        print('seek:', self._iterator.can_seek_beginning())
        self._iterator.seek_beginning()
        self._pass()
        raise bt2.Stop


def add(graph, mip_version, name, argument, level):
    """Returns the component."""
    class_name, _, text = argument.partition(':')
    params = json.loads(text) if text else {}
    if class_name == 'seek':
        component_class, obj = SeekingSink, None
    elif class_name in scenarios.SCENARIOS:
        component_class, obj = Source, scenarios.SCENARIOS[class_name]
    elif os.path.isdir(class_name):
        component_class, obj = find_class('source.ctf.fs'), None
        params['inputs'] = [class_name]
    else:
        component_class, obj = find_class(class_name), None
    if class_name == 'sink.ctf.fs':
        params.update(mip.ctf_params(mip_version))
    return graph.add_component(component_class, name, params, obj, level)


def find_class(name):
    kind, plugin_name, class_name = name.split('.', 2)
    plugin = bt2.find_plugin(plugin_name)
    return getattr(plugin, kind + '_component_classes')[class_name]


def iterate(path, argument):
    """Reads the trace at `path` through a filter, as Python scripts do."""
    class_name, _, text = argument.partition(':')
    for message in bt2.TraceCollectionMessageIterator(
        bt2.ComponentSpec(find_class('source.ctf.fs'), path),
        bt2.ComponentSpec(find_class(class_name), json.loads(text) if text else {}),
    ):
        if isinstance(message, bt2._EventMessageConst):
            print(message.event.name, message.event.common_context_field)


def main():
    if sys.argv[1] == 'iterate':
        iterate(*sys.argv[2:])
        return
    level = getattr(bt2.LoggingLevel, os.environ.get('CODECTL_TEST_LOG_LEVEL', 'WARNING'))
    mip_version = int(os.environ.get('CODECTL_TEST_MIP', '0'))
    graph = mip.create_graph(mip_version)
    components = [
        add(graph, mip_version, str(index), argument, level)
        for index, argument in enumerate(sys.argv[1:])
    ]
    # A CTF source has several ports; the muxer makes one of them.
    for upstream, downstream in zip(components, components[1:]):
        for port in list(upstream.output_ports.values()):
            free = [p for p in downstream.input_ports.values() if not p.is_connected]
            graph.connect_ports(port, free[0])
    graph.run()


main()

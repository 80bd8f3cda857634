# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# The versions of Babeltrace's protocol: MIP 0, and 1 since Babeltrace 2.1.
#
# Field classes which depend on other fields differ: MIP 0 wants the class of the
# other field, MIP 1 where it is. So what such a class depends on is given as a Link.
import bt2


def supported_versions():
    return range(bt2.get_maximal_mip_version() + 1)


def create_graph(version):
    # Babeltrace 2.0 takes no version.
    return bt2.Graph(version) if version else bt2.Graph()


def ctf_params(version):
    """What sink.ctf.fs must be told: 2.1 writes CTF 2 by itself, for which it needs MIP 1."""
    return {'ctf-version': '1'} if version < bt2.get_maximal_mip_version() else {}


def version_of(trace_class):
    """That of the graph; Babeltrace 2.0 has only one."""
    return getattr(trace_class, 'graph_mip_version', 0)


class Link:
    """A field by its class and its place: a scope like 'EVENT_PAYLOAD', then names."""

    def __init__(self, field_class, scope, *names):
        self.field_class = field_class
        self._scope = scope
        self._names = names

    def location(self, trace_class):
        return trace_class.create_field_location(
            bt2.FieldLocationScope[self._scope], list(self._names)
        )


def array(trace_class, element, length=None):
    """A class of dynamic arrays."""
    if not length:
        return trace_class.create_dynamic_array_field_class(element)
    if version_of(trace_class) == 0:
        return trace_class.create_dynamic_array_field_class(element, length.field_class)
    return trace_class.create_dynamic_array_field_class(
        element, length_field_location=length.location(trace_class)
    )


def option(trace_class, content, selector=None, ranges=None, is_reversed=False):
    """A class of options; with `ranges` the selector is an integer."""
    if version_of(trace_class) == 0:
        if not selector:
            return trace_class.create_option_without_selector_field_class(content)
        if ranges:
            return trace_class.create_option_with_integer_selector_field_class(
                content, selector.field_class, ranges
            )
        return trace_class.create_option_with_bool_selector_field_class(
            content, selector.field_class, selector_is_reversed=is_reversed
        )
    if not selector:
        return trace_class.create_option_field_class_without_selector_field(content)
    location = selector.location(trace_class)
    if not ranges:
        return trace_class.create_option_field_class_with_bool_selector_field(
            content, selector_is_reversed=is_reversed, selector_field_location=location
        )
    if isinstance(ranges, bt2.UnsignedIntegerRangeSet):
        return trace_class.create_option_field_class_with_unsigned_integer_selector_field(
            content, location, ranges
        )
    return trace_class.create_option_field_class_with_signed_integer_selector_field(
        content, location, ranges
    )


def variant(trace_class, selector=None):
    """A class of variants without options yet."""
    if version_of(trace_class) == 0:
        return trace_class.create_variant_field_class(selector and selector.field_class)
    if not selector:
        return trace_class.create_variant_field_class_without_selector_field()
    location = selector.location(trace_class)
    if isinstance(selector.field_class, bt2._UnsignedIntegerFieldClass):
        return trace_class.create_variant_field_class_with_unsigned_integer_selector_field(location)
    return trace_class.create_variant_field_class_with_signed_integer_selector_field(location)

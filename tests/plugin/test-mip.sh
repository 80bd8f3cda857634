#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# The versions of Babeltrace's protocol. 2.0 has MIP 0 alone, and nothing else is
# tested there. 2.1 has MIP 1 too, and needs it to read and write CTF 2.
: "${srcdir:=$(dirname "$0")/..}"
: "${top_builddir:=..}"
: "${CC:=cc}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/graph.sh"
. "$srcdir/lib/stack.sh"
graph_setup
codectl=$(cd "$top_builddir/lttng-ust-codectl" && pwd)/codectl
filter=filter.codectl.debug-info

# operative SOURCE-VERSION…: what Babeltrace chooses for the filter, the sink, and a source
# that knows those versions.
operative()
{
	LD_PRELOAD=$graph_preload ASAN_OPTIONS=detect_leaks=0 /usr/bin/python3 - "$@" <<'END'
import sys

import bt2


class Iterator(bt2._UserMessageIterator):
    def __next__(self):
        raise StopIteration


class Source(bt2._UserSourceComponent, message_iterator_class=Iterator):
    @classmethod
    def _user_get_supported_mip_versions(cls, params, obj, log_level):
        return [int(version) for version in sys.argv[1:]]


plugin = bt2.find_plugin('codectl')
classes = [
    Source,
    plugin.filter_component_classes['debug-info'],
    plugin.sink_component_classes['profile'],
]
print(bt2.get_greatest_operative_mip_version(
    [bt2.ComponentDescriptor(component_class) for component_class in classes]))
END
}

newer=$(graph_newer_mip_versions)
greatest=${newer##* }
# shellcheck disable=SC2086 # A list of words.
tap_equal "the filter and the sink know all that Babeltrace knows" \
	"$(operative 0 $newer)" "${greatest:-0}"
tap_equal "with a component that does not, the graph is one of MIP 0" "$(operative 0)" 0
if [ -z "$newer" ]; then
	tap_done
	exit
fi

library=$tmp/lib-stack.so
"$CC" -g -shared -nostdlib -Wl,--build-id -o "$library" "$srcdir/plugin/lib-stack-so.S" || exit 99
use "$library" 0x7F0000000000 0

# details: detailed output, without the paths that streams have as names.
details()
{
	graph "$@" sink.text.details | grep -v '^  Name: /'
}

# without_debug_info: detailed output, without the field that the filter adds.
without_debug_info()
{
	sed -e 's/context field class: Structure (4 members)/context field class: Structure (3 members)/' \
		-e '/^ *debug_info:/,/^ *src:/d'
}

# infos: how the addresses of events are named, in pretty output.
infos()
{
	sed -n 's/.*app:event: .*bin = "\([^"]*\)", func = "\([^"]*\)", src = "\([^"]*\)".*/\1 \2 \3/p'
}

line() { grep -n "$1" "$srcdir/plugin/lib-stack-so.S" | tail -n 1 | cut -d : -f 1; }
named="lib-stack.so+$(printf '%#x' "$(symbol stack_leaf)") stack_leaf+0 \
lib-stack-so.S:$(line '	nop')"

for CODECTL_TEST_MIP in $newer; do
	export CODECTL_TEST_MIP
	stack=$(stack_trace "$library" "$build_id")
	graph "$stack" $filter sink.text.pretty >"$tmp/actual"
	CODECTL_TEST_MIP=0 graph "$stack" $filter sink.text.pretty >"$tmp/expected"
	tap_check "a stack has the same frames" diff "$tmp/expected" "$tmp/actual"
	tap_equal "… which there are" "$(grep -c 'func = "stack_outermost' "$tmp/actual")" 1
	graph "$stack" $filter 'sink.codectl.profile:{"format": "folded"}' >"$tmp/actual"
	tap_equal "… and sinks know them" "$(cat "$tmp/actual")" \
		"[unknown];stack_outermost;stack_middle;stack_leaf 1"
	graph "$stack" "sink.ctf.fs:{\"path\": \"$tmp/recording\", \"quiet\": true}"
	tap_check "it is written as CTF 2" grep -q '"version":2' "$tmp/recording/trace/metadata"
	graph "$tmp/recording/trace" filter.utils.muxer $filter \
		'sink.codectl.profile:{"format": "folded"}' >"$tmp/actual"
	tap_equal "… and read again: the same stack" "$(cat "$tmp/actual")" \
		"[unknown];stack_outermost;stack_middle;stack_leaf 1"
	"$codectl" export --format=folded "$tmp/recording" >"$tmp/actual" 2>"$tmp/log"
	tap_equal "… by codectl export, too" "$(cat "$tmp/actual" "$tmp/log")" \
		"[unknown];stack_outermost;stack_middle;stack_leaf 1"

	for kind in readable writable; do
		/usr/bin/python3 "$srcdir/plugin/ctf2.py" $kind "$tmp/$kind" "$library" "$build_id" \
			"$base" "$(pc stack_leaf)" 5 "$(pc stack_leaf)" "$(pc stack_leaf)" || exit 99
		details "$tmp/$kind" filter.utils.muxer >"$tmp/expected"
		details "$tmp/$kind" filter.utils.muxer $filter >"$tmp/filtered.$kind"
		without_debug_info <"$tmp/filtered.$kind" >"$tmp/actual"
		tap_check "CTF 2, $kind: nothing changes but what is added" \
			diff "$tmp/expected" "$tmp/actual"
		tap_equal "… which is in each event" "$(grep -c '^    debug_info:' "$tmp/filtered.$kind")" \
			"$(grep -c '^Event' "$tmp/expected")"
	done
	tap_check "… BLOBs as well" grep -q 'blobs: Dynamic array' "$tmp/filtered.readable"
	# sink.ctf.fs itself changes a little.
	graph "$tmp/writable" filter.utils.muxer \
		"sink.ctf.fs:{\"path\": \"$tmp/plain\", \"quiet\": true}"
	graph "$tmp/writable" filter.utils.muxer $filter \
		"sink.ctf.fs:{\"path\": \"$tmp/copy\", \"quiet\": true}"
	details "$tmp/plain/trace" filter.utils.muxer >"$tmp/expected"
	details "$tmp/copy/trace" filter.utils.muxer >"$tmp/filtered"
	without_debug_info <"$tmp/filtered" >"$tmp/actual"
	tap_check "… written and read again: nothing changes but what is added" \
		diff "$tmp/expected" "$tmp/actual"
	tap_equal "… which is the same" "$(grep -A 3 '^    debug_info:' "$tmp/filtered")" \
		"$(grep -A 3 '^    debug_info:' "$tmp/filtered.writable")"

	babeltrace2 "$tmp/readable" -c $filter >"$tmp/actual" 2>"$tmp/log"
	tap_equal "babeltrace2 chooses that version by itself; BLOBs are build-ids, too" \
		"$(infos <"$tmp/actual")$(cat "$tmp/log")" "$named
  
$named
$named"
	/usr/bin/python3 "$srcdir/plugin/ctf2.py" readable "$tmp/other" "$library" \
		"$(echo "$build_id" | tr '0-9a-f' '1-9a-f0')" "$base" "$(pc stack_leaf)"
	babeltrace2 "$tmp/other" -c $filter >"$tmp/actual" 2>"$tmp/log"
	tap_equal "… which must fit" "$(infos <"$tmp/actual")" "${named%% *}  "
done
tap_done

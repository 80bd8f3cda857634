#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# filter.codectl.debug-info on call stacks in events: those of the kernel tracer, and
# sequences that a parameter names. See plugin/callstacks.py.
: "${srcdir:=$(dirname "$0")/..}"
: "${top_builddir:=..}"
: "${CC:=cc}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/graph.sh"
graph_setup

filter=filter.codectl.debug-info
library=$tmp/lib-info.so
"$CC" -g -O2 -shared -fPIC -nostdlib -Wl,--build-id -o "$library" "$srcdir/plugin/lib-info-so.c" ||
	exit 99

# script STEPS [OPTIONS]: a trace, in which the library is at 0x100000 of process 100.
base=0x100000
map="[\"start\"], [\"bin_info\", \"$base\", 65536, \"$library\", 1], [\"end\"]"
script() { printf 'callstacks:{"steps": [%s]%s}' "$1" "${2:+, $2}"; }

symbol() { nm "$library" | awk -v name="$1" '$3 == name { print "0x" $1 }'; }
size() { nm -S "$library" | awk -v name="$1" '$4 == name { print "0x" $2 }'; }

# at SYMBOL [OFFSET]: an address, in decimal.
at() { printf '%d' $(($(symbol "$1") + base + ${2-0})); }

# bin SYMBOL [OFFSET]: as printed.
bin() { printf 'lib-info.so+%#x' $(($(symbol "$1") + ${2-0})); }

# run STEPS [OPTIONS] [PARAMETERS]: into $tmp/actual.
run()
{
	graph "$(script "$1" "${2-}")" "$filter${3:+:$3}" sink.text.pretty >"$tmp/actual"
}

# check NAME EXPECTED FIELDS STEPS [OPTIONS] [PARAMETERS]: the frames, BIN|FUNC of each.
check()
{
	check_name=$1
	check_expected=$2
	check_fields=$3
	shift 3
	run "$@"
	# shellcheck disable=SC2086 # Several fields.
	tap_equal "$check_name" "$(/usr/bin/python3 "$srcdir/plugin/frames.py" $check_fields <"$tmp/actual")" \
		"$check_expected"
}

# same NAME STEPS [OPTIONS] [PARAMETERS]: comes out as it went in.
same()
{
	graph "$(script "$2" "${3-}")" sink.text.details >"$tmp/expected"
	graph "$(script "$2" "${3-}")" "$filter${4:+:$4}" sink.text.details >"$tmp/actual"
	tap_check "$1" diff "$tmp/expected" "$tmp/actual"
}

# A pc, the return address of a call at the end of a function, nowhere, and the end.
end_of_last=$(printf "%#x" "$(size last)")
stack=$(printf '[%s, %s, 5, "0xffffffffffffffff"]' "$(at last)" "$(at last "$end_of_last")")
named="$(bin last)|last+0 $(bin last "$end_of_last")|last+$end_of_last | |"

# --- Where and of what kind --------------------------------------------------------

vpid='["vpid", "i32"]'
for name in callstack_user callstack-user; do
	check "$name in common contexts" "$named" "${name}_debug_info" \
		"$map, [\"stack\", {\"$name\": $stack}]" "\"contexts\": [$vpid, [\"$name\", \"u64[]\"]]"
done
check "in specific contexts" "$named" callstack_user_debug_info \
	"$map, [\"stack\", {\"callstack_user\": $stack}]" \
	"\"contexts\": [$vpid], \"specific\": [[\"callstack_user\", \"u64[]\"]]"
check "in payloads" "$named" callstack_user_debug_info \
	"$map, [\"stack\", {\"callstack_user\": $stack}]" \
	"\"contexts\": [$vpid], \"payload\": [[\"number\", \"u8\"], [\"callstack_user\", \"u64[]\"], [\"text\", \"string\"]]"
check "a field that a parameter names" "$named" mine_debug_info \
	"$map, [\"stack\", {\"mine\": $stack}]" \
	"\"contexts\": [$vpid], \"payload\": [[\"mine\", \"u64[]\"]]" '{"callstack-fields": "mine"}'
check "several; without a length, in static arrays" "$named
$(bin last)|last+0" "mine_debug_info other_debug_info" \
	"$map, [\"stack\", {\"mine\": $stack, \"other\": [$(at last)]}]" \
	"\"contexts\": [$vpid, [\"mine\", \"u64[*]\"]], \"payload\": [[\"other\", \"u32[1]\"]]" \
	'{"callstack-fields": ["mine", "other"]}'
check "beside an address of the event itself" "$named" callstack_user_debug_info \
	"$map, [\"event\", $(at last 1), $stack]" \
	"\"contexts\": [$vpid, [\"ip\", \"u64\"], [\"callstack_user\", \"u64[]\"]]"
tap_equal "… which is named as well, last" \
	"$(sed -n 's/.*app:event: { .* } \], debug_info = { bin = "\(.*\)", func = "\(.*\)", src = "[^"]*" } }, { number.*/\1|\2/p' "$tmp/actual")" \
	"$(bin last 1)|last+0x1"
check "the name of what is added" "$named" callstack_user_frames \
	"$map, [\"stack\", {\"callstack_user\": $stack}]" "\"contexts\": [$vpid, [\"callstack_user\", \"u64[]\"]]" \
	'{"debug-info-field-name": "frames"}'
check "numbers of 32 bits, which end with the greatest of these" "$(bin last)|last+0 |" \
	callstack_user_debug_info "$map, [\"stack\", {\"callstack_user\": [$(at last), 4294967295]}]" \
	"\"contexts\": [$vpid, [\"callstack_user\", \"u32[]\"]]"
run "$map, [\"stack\", {\"callstack_user\": $stack}]" "\"contexts\": [$vpid, [\"callstack_user\", \"u64[]\"]]" \
	'{"debug-info-reasons": true}'
tap_equal "debug-info-reasons: why there is no function" \
	"$(grep -o 'reason = "[^"]*"' "$tmp/actual" | sed 's/.*= "\(.*\)"/\1/')" "

nothing is known to be there
no address: the rest of the stack was not recorded"
inlined="[$(for ((i = 0; i < 60; i++)); do printf '%s%d' "${separator-}" "$(at exported $i)"; separator=", "; done)]"
run "$map, [\"stack\", {\"callstack_user\": $inlined}]" "\"contexts\": [$vpid, [\"callstack_user\", \"u64[]\"]]" \
	'{"debug-info-inlines": true}'
inlines_src='src = "lib-info-so.c:[0-9]*"'
tap_check "debug-info-inlines: the calls that were inlined" grep -q \
	"func = \"exported+.*inlines = \[ \[0\] = { func = \"innermost\", $inlines_src }, \[1\] = { func = \"middle\", $inlines_src } \]" \
	"$tmp/actual"

# --- What is none -------------------------------------------------------------------

event="$map, [\"stack\", {\"callstack_user\": [$(at last)]}]"
same "no vpid" "$event" '"contexts": [["callstack_user", "u64[]"]]'
same "signed numbers" "$event" "\"contexts\": [$vpid, [\"callstack_user\", \"i64[]\"]]"
same "enumerations" "$map" "\"contexts\": [$vpid, [\"callstack_user\", \"enum[]\"]]"
same "one number" "$map" "\"contexts\": [$vpid, [\"callstack_user\", \"u64\"]]"
same "text" "$map" "\"contexts\": [$vpid, [\"callstack_user\", \"string[]\"]]"
same "the name is taken" "$event" \
	"\"contexts\": [$vpid, [\"callstack_user\", \"u64[]\"], [\"callstack_user_debug_info\", \"u8\"]]"
same "stacks of the kernel, whose symbols are not known" "$map" \
	"\"contexts\": [$vpid, [\"callstack_kernel\", \"u64[]\"]]"
same "names that no sequence has" "$event" "\"contexts\": [$vpid], \"payload\": [[\"mine\", \"u64\"]]" \
	'{"callstack-fields": ["mine", "yours"]}'
tap_equal "… and it is told" "$(sed -n 's/.*callstack-fields.*: name="\(.*\)"/\1/p' "$tmp/log")" "mine
yours"
run "$map, [\"stack\", {\"callstack_user\": [$(for ((i = 0; i < 8200; i++)); do printf '5, '; done)5]}]" \
	"\"contexts\": [$vpid, [\"callstack_user\", \"u64[]\"]]"
tap_equal "a stack that is very long" "$(grep -o 'func' "$tmp/actual" | wc -l)" 8192
tap_check "… is reported" grep -q 'have more addresses than are named: max=8192, count=1' "$tmp/log"

# --- When ---------------------------------------------------------------------------

plain="\"contexts\": [$vpid, [\"callstack_user\", \"u64[]\"]]"
event="[\"stack\", {\"callstack_user\": [$(at last)]}]"
one="$(bin last)|last+0"
for mode in auto full wait; do
	check "look-ahead=$mode: before the state dump" "$one
$one" callstack_user_debug_info "$event, $map, $event" "$plain" "{\"look-ahead\": \"$mode\"}"
done
check "look-ahead=no: before the state dump" "|
$one" callstack_user_debug_info "$event, $map, $event" "$plain" '{"look-ahead": "no"}'
check "… of a field in the payload" "$one
$one" mine_debug_info "${event//callstack_user/mine}, $map, ${event//callstack_user/mine}" \
	"\"contexts\": [$vpid], \"payload\": [[\"mine\", \"u64[]\"]]" '{"callstack-fields": "mine"}'

# --- Kernels ------------------------------------------------------------------------

kernel='"contexts": [["vpid", "i32"]], "kernel": [["vpid", "i32"], ["callstack_user", "u64[]"]]'
kernel_event="[\"kernel\", {\"callstack_user\": [$(at last)]}]"
check "the process is told of in another trace" "$one" callstack_user_debug_info "$map, $kernel_event" "$kernel"
check "… of the same machine" "|" callstack_user_debug_info \
	"[\"elsewhere\", true], $map, $kernel_event" "$kernel, \"other-host\": \"guest\""
check "… in one of several" "$one" callstack_user_debug_info \
	"[\"elsewhere\", true], $map, $kernel_event" "$kernel, \"other-host\": \"host\""
check "… unless several tell of such a process" "$one
|" callstack_user_debug_info "$map, $kernel_event, [\"vpid\", 5], [\"elsewhere\", true], $map, [\"vpid\", 100], $map,
	[\"kernel\", {\"vpid\": 6, \"callstack_user\": []}], $kernel_event" "$kernel, \"other-host\": \"host\""
check "… or another one" "|
$one" callstack_user_debug_info "$map, [\"kernel\", {\"vpid\": 7, \"callstack_user\": [$(at last)]}], $kernel_event" "$kernel"
check "… or it is in another pid namespace" "$one
|" callstack_user_debug_info "$map, [\"kernel\", {\"pid_ns\": 0, \"callstack_user\": [$(at last)]}],
	[\"kernel\", {\"pid_ns\": 77, \"callstack_user\": [$(at last)]}]" \
	"${kernel%]}, [\"pid_ns\", \"u32\"]]"
cat >"$tmp/kallsyms" <<END
0000000000000000 A fixed_percpu_data
ffffffff81000000 T _stext
ffffffff81000100 T schedule
ffffffff81000180 t nothing_returns
ffffffff81000200 D data
ffffffffc0400000 t ext4_sync	[ext4]
END
kernel_stack='["0xffffffff81000110", "0xffffffff81000180", "0xffffffffc0400020", "0xffffffff81000210", "0xffffffffffffffff"]'
for name in callstack_kernel callstack-kernel; do
	check "$name" "[kernel]|schedule+0x10 [kernel]|schedule+0x80 [ext4]|ext4_sync+0x20 | |" \
		"${name}_debug_info" "[\"kernel\", {\"$name\": $kernel_stack}]" \
		"\"kernel\": [[\"$name\", \"u64[]\"]]" "{\"kernel-symbols\": \"$tmp/kallsyms\"}"
done
check "both" "$one
[kernel]|_stext+0" "callstack_user_debug_info callstack_kernel_debug_info" \
	"$map, [\"kernel\", {\"callstack_user\": [$(at last)], \"callstack_kernel\": [\"0xffffffff81000000\"]}]" \
	"${kernel%]}, [\"callstack_kernel\", \"u64[]\"]]" "{\"kernel-symbols\": \"$tmp/kallsyms\"}"
run "[\"kernel\", {\"callstack_kernel\": $kernel_stack}]" '"kernel": [["callstack_kernel", "u64[]"]]' \
	"{\"kernel-symbols\": \"$tmp/kallsyms\", \"debug-info-reasons\": true, \"debug-info-inlines\": true}"
tap_check "with reasons and inlined calls" grep -qF '[1] = { bin = "[kernel]", func = "schedule+0x80", src = "", reason = "", inlines = [ ] }' "$tmp/actual"
tap_check "… why there is no function" grep -qF '[3] = { bin = "", func = "", src = "", reason = "no function of the kernel is known to be there", inlines = [ ] }' "$tmp/actual"

# --- Written and read again -----------------------------------------------------------

# Babeltrace 2.1.1 aborts when it reads what it has written of a stream without packets.
graph "$(script "$map, [\"stack\", {\"callstack_user\": $stack}]" "$plain, \"packets\": true")" \
	$filter filter.utils.muxer "sink.ctf.fs:{\"path\": \"$tmp/ctf\", \"quiet\": true}"
graph "$tmp/ctf/trace" filter.utils.muxer sink.text.pretty >"$tmp/actual"
tap_equal "written as CTF" "$(/usr/bin/python3 "$srcdir/plugin/frames.py" callstack_user_debug_info <"$tmp/actual")" \
	"$named"
graph "$tmp/ctf/trace" filter.utils.muxer $filter sink.text.pretty >"$tmp/twice"
tap_check "… through the filter again: nothing is added" diff "$tmp/actual" "$tmp/twice"
graph "$(script "$map, [\"stack\", {\"callstack_user\": $stack}]" "$plain, \"packets\": true")" \
	"sink.ctf.fs:{\"path\": \"$tmp/plain\", \"quiet\": true}"
graph iterate "$tmp/plain/trace" $filter >"$tmp/actual"
tap_check "read by a Python script, through the filter" grep -qF \
	"'callstack_user_debug_info': [{'bin': '$(bin last)', 'func': 'last+0', 'src':" "$tmp/actual"
graph "$(script "$event, $map, $event" "\"contexts\": [$vpid], \"payload\": [[\"callstack_user\", \"u64[]\"]]")" \
	$filter seek >"$tmp/actual"
sed '/^seek:/,$d' "$tmp/actual" >"$tmp/first"
sed '1,/^seek:/d' "$tmp/actual" >"$tmp/second"
tap_check "after seeking all comes again" diff "$tmp/first" "$tmp/second"
tap_equal "… and was named before" "$(grep -c "'func': 'last+0'" "$tmp/first")" 2

# --- Parameters -----------------------------------------------------------------------

# wrong NAME PARAMETERS MESSAGE: initialization fails with the message.
wrong()
{
	if graph "$(script "$map")" "$filter:$2" sink.utils.dummy; then
		tap_not_ok "$1" "it was accepted"
	else
		# Causes are wrapped.
		tr -s ' \n' ' ' <"$tmp/log" >"$tmp/causes"
		tap_check "$1" grep -qF "$3" "$tmp/causes"
	fi
}

wrong "callstack-fields must be strings" '{"callstack-fields": 1}' '`callstack-fields` must be'
wrong "… all of them" '{"callstack-fields": ["a", 1]}' '`callstack-fields` must be'
wrong "… that are not empty" '{"callstack-fields": ["a", ""]}' '`callstack-fields` must be'
wrong "kernel-symbols must be a string" '{"kernel-symbols": false}' '`kernel-symbols` must be'
wrong "… the path of a file" "{\"kernel-symbols\": \"$tmp/none\"}" \
	"\`kernel-symbols\`: path=\"$tmp/none\": no such file."
mkfifo "$tmp/fifo"
wrong "… a regular one" "{\"kernel-symbols\": \"$tmp/fifo\"}" 'not a regular file'
wrong "… with symbols" "{\"kernel-symbols\": \"$library\"}" 'there are no symbols of functions in it'
sed 's/^f*[0-9a-f]*/0000000000000000/' "$tmp/kallsyms" >"$tmp/hidden"
wrong "… whose addresses are not hidden" "{\"kernel-symbols\": \"$tmp/hidden\"}" 'kptr_restrict'

tap_done

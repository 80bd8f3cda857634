#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# filter.codectl.debug-info on generated traces: what is not ours comes out as
# it went in, samples come out with frames, and nothing in a trace stops it.
: "${srcdir:=$(dirname "$0")/..}"
: "${top_builddir:=..}"
: "${CC:=cc}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/graph.sh"
. "$srcdir/lib/stack.sh"
graph_setup

filter=filter.codectl.debug-info
mip=

# last_fields: of pretty output, what follows the event's own fields in a sample.
last_fields()
{
	sed -n 's/.*codectl:sample: .*\(frames = .*\) }$/\1/p'
}

# without_sample_class: of detailed output, all but the class of the samples.
without_sample_class()
{
	awk '/^  Stream class \(ID 99\):/ { skip = 1; next }
		skip && !/^    / { skip = 0 }
		!skip { print }'
}

# stat NAME: a number of the statistics in the log.
stat()
{
	sed -n "s/.*[ (]$1=\\([0-9]*\\).*/\\1/p" "$tmp/log"
}

# --- What is not ours -----------------------------------------------------------

# check_unchanged: all that is not ours.
check_unchanged()
{
	graph everything sink.text.details >"$tmp/expected"
	tap_check "${mip}the reference is whole" grep -q 'Discarded packets (6 packets)' "$tmp/expected"
	CODECTL_TEST_LOG_LEVEL=INFO graph everything $filter sink.text.details >"$tmp/actual"
	tap_check "${mip}a trace without samples: as it was" diff "$tmp/expected" "$tmp/actual"
	tap_equal "${mip}a trace without samples: forwarded, not copied" "$(stat copied)" 0

	with_sample='everything:{"with-sample": true}'
	CODECTL_TEST_LOG_LEVEL=INFO graph "$with_sample" $filter sink.text.details >"$tmp/copied"
	without_sample_class <"$tmp/copied" >"$tmp/actual"
	tap_check "${mip}a trace with samples: all else is as it was" diff "$tmp/expected" "$tmp/actual"
	# Inactivity is of no stream.
	tap_equal "${mip}a trace with samples: copied" "$(stat forwarded)" 1
	tap_check "${mip}the class of samples has frames" grep -q 'frames: Dynamic array' "$tmp/copied"
	tap_equal "${mip}the class of samples has no raw stack" "$(
		sed -n '/(ID 99)/,/^ *stack_end/p' "$tmp/copied" | grep -cE ' (_?regs|_?stack(_map)?)(_length)?:')" 0
	graph 'everything:{"with-sample": true, "only-clocks": true}' filter.utils.muxer $filter \
		filter.utils.muxer sink.text.details | without_sample_class >"$tmp/actual"
	graph 'everything:{"only-clocks": true}' filter.utils.muxer sink.text.details >"$tmp/expected"
	tap_equal "${mip}muxers like it" "$(cat "$tmp/log")" ""
	tap_check "${mip}the same between muxers" diff "$tmp/expected" "$tmp/actual"
	graph "$with_sample" "$filter:{\"keep-raw-stack\": true}" sink.text.details >"$tmp/actual"
	tap_equal "${mip}keep-raw-stack: the raw stack is kept" \
		"$(grep -cE ' (_?regs|_?stack(_map)?)(_length)?:' "$tmp/actual")" 6
	graph "$with_sample" "$filter:{\"keep-raw-stack\": true}" $filter sink.text.details >"$tmp/twice"
	tap_check "${mip}filtered twice: nothing is added again" diff "$tmp/actual" "$tmp/twice"
}

# check_added NAME SOURCE COMPONENT…: with debug_info in all events, but nothing else is changed.
check_added()
{
	check_name=$1
	shift
	graph "$@" sink.text.details | awk -f "$srcdir/plugin/without-debug-info.awk" >"$tmp/expected"
	graph "$@" $filter sink.text.details >"$tmp/copied"
	awk -f "$srcdir/plugin/without-debug-info.awk" "$tmp/copied" >"$tmp/actual"
	tap_check "$mip$check_name: but for debug_info as it was" diff "$tmp/expected" "$tmp/actual"
	tap_equal "$mip$check_name: all events have it, which are some" \
		"$(grep -c '^  *debug_info:$' "$tmp/copied")" \
		"$(grep -c '^  *Common context:$' "$tmp/copied" | sed 's/^0$/some/')"
}

# check_changed: the same where all that is ours is added to contexts.
check_changed()
{
	with_contexts='everything:{"with-contexts": true}'
	check_added "a trace with contexts" "$with_contexts"
	CODECTL_TEST_LOG_LEVEL=INFO graph "$with_contexts" $filter sink.utils.dummy
	tap_equal "${mip}a trace with contexts: copied" "$(stat forwarded)" 1
	tap_check "${mip}a trace with contexts: all kinds of messages" \
		grep -q 'Discarded packets (6 packets)' "$tmp/actual"
	check_added "between muxers" 'everything:{"with-contexts": true, "only-clocks": true}' \
		filter.utils.muxer
	tap_equal "${mip}between muxers: which like it" "$(cat "$tmp/log")" ""
	for seed in 1 2 3 4 5 6; do
		check_added "random classes of fields, seed $seed" "fields:{\"seed\": $seed}"
	done
}

check_unchanged
check_changed
for CODECTL_TEST_MIP in $(graph_newer_mip_versions); do
	export CODECTL_TEST_MIP
	mip="MIP $CODECTL_TEST_MIP: "
	check_changed
	check_unchanged
	tap_check "${mip}BLOBs were among it" grep -q 'dynamic: Length 12' "$tmp/actual"
done
unset CODECTL_TEST_MIP

CODECTL_TEST_LOG_LEVEL=INFO graph 'many:{"count": 300}' $filter sink.utils.dummy
tap_equal "all samples of 300 traces have frames" "$(stat annotated-samples)" 300
tap_check "what was known of ended traces is gone" [ "$(stat open-traces)" -le 1 ]

# --- Stacks ---------------------------------------------------------------------

mkdir "$tmp/dir"
library=$tmp/dir/lib-stack.so
program=$tmp/dir/stack
"$CC" -g -shared -nostdlib -Wl,--build-id -o "$library" "$srcdir/plugin/lib-stack-so.S" &&
	"$CC" -g -static -no-pie -nostdlib -Wl,--build-id -Wl,-e,stack_outermost \
		-Wl,-Ttext-segment=0x400000 -o "$program" "$srcdir/plugin/lib-stack-so.S" || exit 99

# frames BIN FUNC SRC VIA…: the text of frames at the addresses of stack_trace.
frames()
{
	frames_index=0
	frames_text=
	for frames_symbol in stack_leaf stack_middle_return stack_outermost_return; do
		frames_text="$frames_text, [$frames_index] = { pc = $(printf '0x%X' "$(pc $frames_symbol)"),"
		frames_text="$frames_text bin = \"$1\", func = \"$2\", src = \"$3\", via = \"$4\" }"
		frames_index=$((frames_index + 1))
		shift 4
		[ $# -gt 0 ] || break
	done
	printf 'frames = [ %s ]' "${frames_text#, }"
}

# all_frames BIN: the same for all three, with names; BIN is the text before the address.
all_frames()
{
	frames "$1$(offset stack_leaf)" "stack_leaf+0" "lib-stack-so.S:$leaf_line" regs \
		"$1$(offset stack_middle_return)" "stack_middle+0x9" \
		"lib-stack-so.S:$middle_line" eh_frame \
		"$1$(offset stack_outermost_return)" "stack_outermost+0x5" \
		"lib-stack-so.S:$outermost_line" eh_frame
}

offset() { printf '%#x' "$(symbol "$1")"; }
line() { grep -n "$1" "$srcdir/plugin/lib-stack-so.S" | tail -n 1 | cut -d : -f 1; }
leaf_line=$(line '	nop')
middle_line=$(line 'call stack_leaf')
outermost_line=$(line 'call stack_middle')

use "$program" 0x400000 0x400000
graph "$(stack_trace "$program" "$build_id")" $filter sink.text.pretty >"$tmp/actual"
tap_equal "a program at a fixed address" "$(last_fields <"$tmp/actual")" \
	"$(all_frames stack@), stack_end = \"outermost\""

use "$library" 0x7F0000000000 0
graph "$(stack_trace "$library" "$build_id")" $filter sink.text.pretty >"$tmp/actual"
tap_equal "a stack of three frames, with names" "$(last_fields <"$tmp/actual")" \
	"$(all_frames lib-stack.so+), stack_end = \"outermost\""
named=$(last_fields <"$tmp/actual")

graph "$(stack_trace /dir/lib-stack.so "$build_id")" \
	"$filter:{\"target-prefix\": \"$tmp\", \"full-path\": true}" sink.text.pretty >"$tmp/actual"
tap_check "target-prefix and full-path" grep -qF "bin = \"$library+$(offset stack_leaf)\"" "$tmp/actual"
tap_check "full-path: whole source paths" grep -qE 'src = "/?[^"]*/plugin/lib-stack-so\.S:' "$tmp/actual"

wrong_id=$(echo "$build_id" | tr '0-9a-f' '1-9a-f0')
graph "$(stack_trace "$library" "$wrong_id")" $filter sink.text.pretty >"$tmp/actual"
tap_equal "another build than the one that ran: no names, no guesses" \
	"$(last_fields <"$tmp/actual")" \
	"$(frames "lib-stack.so+$(offset stack_leaf)" "" "" regs), stack_end = \"no-rule\""
tap_check "… and it is reported" grep -q "Cannot use the file.*$wrong_id: .*build-id" "$tmp/log"

graph "$(stack_trace "$library" "$build_id")" $filter \
	"sink.ctf.fs:{\"path\": \"$tmp/ctf\", \"quiet\": true}"
env -u BABELTRACE_PLUGIN_PATH babeltrace2 "$tmp/ctf" >"$tmp/actual" 2>&1
tap_equal "written as CTF and read again: the same frames" \
	"$(last_fields <"$tmp/actual" | sed 's/_*frames_len[gth]* = 3, //')" "$named"
graph "$tmp/ctf/trace" filter.utils.muxer $filter sink.text.pretty >"$tmp/actual"
tap_equal "… also if they come through the filter again" \
	"$(last_fields <"$tmp/actual" | sed 's/_*frames_len[gth]* = 3, //')" "$named"
tap_equal "… which has nothing to say about it" "$(cat "$tmp/log")" ""

graph "$(stack_trace "$library" "$build_id" named-then-unnamed)" $filter \
	"sink.ctf.fs:{\"path\": \"$tmp/unnamed\", \"quiet\": true}"
graph "$tmp/unnamed/trace" filter.utils.muxer 'sink.codectl.profile:{"format": "folded"}' \
	>"$tmp/actual"
tap_equal "read from CTF, unknown names are not those of other samples" "$(cat "$tmp/actual")" \
	"[unknown];[unknown] 100
[unknown];stack_outermost;stack_middle;stack_leaf 100"

graph "$(stack_trace "$library" "$build_id")" $filter seek >"$tmp/actual"
sed '/^seek:/,$d' "$tmp/actual" >"$tmp/first"
sed '1,/^seek:/d' "$tmp/actual" >"$tmp/second"
tap_check "it can seek the beginning" grep -qx 'seek: True' "$tmp/actual"
tap_check "after seeking all comes again" diff "$tmp/first" "$tmp/second"
tap_equal "… and was there before" "$(wc -l <"$tmp/first")" 6

# --- Inlined functions ----------------------------------------------------------

# Two functions are inlined in a third one; the labels say where.
"$CC" -g -O2 -shared -fPIC -Wl,--build-id -o "$tmp/dir/inlines.so" \
	"$srcdir/data/symbolize/inlines.c" || exit 99
use "$tmp/dir/inlines.so" 0x7F0000000000 0
inlines_trace=$(printf 'stack:{"path": "%s", "build-id": "%s", "base": %d, "size": 20480, "leaf": %d,
	"middle-return": 1, "outermost-return": 1}' "$file" "$build_id" "$base" "$(pc in_innermost)")

# inline_frame INDEX FUNC SRC VIA: one of the frames at the leaf.
inline_frame()
{
	printf '[%d] = { pc = 0x%X, bin = "inlines.so+%#x", func = "%s", src = "inlines.c:%s", via = "%s" }' \
		"$1" "$(pc in_innermost)" "$(symbol in_innermost)" "$2" "$3" "$4"
}

in_outer=$(printf 'outer+%#x' $(($(symbol in_innermost) - $(symbol outer))))
graph "$inlines_trace" $filter sink.text.pretty >"$tmp/actual"
tap_equal "inlined functions are frames of their own" \
	"$(last_fields <"$tmp/actual" | grep -o '\[0\].*via = "regs" }')" \
	"$(inline_frame 0 innermost 100 inline), $(inline_frame 1 middle 201 inline), $(
		inline_frame 2 "$in_outer" 300 regs)"
graph "$inlines_trace" "$filter:{\"inlines\": false}" sink.text.pretty >"$tmp/actual"
tap_equal "inlines=no: the line is that of the code" \
	"$(last_fields <"$tmp/actual" | grep -o '\[0\].*via = "regs" }')" \
	"$(inline_frame 0 "$in_outer" 100 regs)"
graph "$inlines_trace" $filter 'sink.codectl.profile:{"format": "folded"}' >"$tmp/actual"
tap_check "a profile has the inlined functions" grep -q ';outer;middle;innermost 1$' "$tmp/actual"
use "$library" 0x7F0000000000 0

# --- Sources of unwind information ----------------------------------------------

# vias: what found each frame of a sample, and its end.
vias()
{
	last_fields | grep -oE '(via|stack_end) = "[^"]*"' | sed 's/.* = "\(.*\)"/\1/' | tr '\n' ' '
}

# check_vias NAME EXPECTED [PARAMETERS]: of the stack in $file.
check_vias()
{
	graph "$(stack_trace "$file" "$build_id")" "$filter${3:+:$3}" sink.text.pretty >"$tmp/actual"
	tap_equal "$1" "$(vias <"$tmp/actual")" "$2 "
}

check_vias "unwind=auto" "regs eh_frame eh_frame outermost" '{"unwind": "auto"}'
check_vias "unwind=eh-frame" "regs eh_frame eh_frame outermost" '{"unwind": "eh-frame"}'
check_vias "unwind=sframe: there is none" "regs no-rule" '{"unwind": "sframe"}'
check_vias "unwind=fp: FP is not set" "regs no-rule" '{"unwind": "fp"}'

# build_variant NAME SED-SCRIPT OPTION…: the library from a changed source.
build_variant()
{
	variant=$1
	sed "$2" "$srcdir/plugin/lib-stack-so.S" >"$tmp/$1.S" &&
		shift 2 &&
		"$CC" "$@" -g -shared -nostdlib -Wl,--build-id -o "$tmp/dir/$variant.so" "$tmp/$variant.S" ||
		exit 99
	use "$tmp/dir/$variant.so" 0x7F0000000000 0
}

build_variant debug-frame '1i .cfi_sections .debug_frame'
check_vias ".debug_frame" "regs debug_frame debug_frame outermost"
check_vias "unwind=eh-frame includes it" "regs debug_frame debug_frame outermost" \
	'{"unwind": "eh-frame"}'
# In a separate debug file; the symbols are told from the file as it was.
separate_trace=$(stack_trace "$tmp/dir/separate.so" "$build_id")
mkdir -p "$tmp/debug$tmp/dir"
objcopy --only-keep-debug --compress-debug-sections=zlib "$file" \
	"$tmp/debug$tmp/dir/separate.debug" &&
	objcopy --strip-all --add-gnu-debuglink="$tmp/debug$tmp/dir/separate.debug" "$file" \
		"$tmp/dir/separate.so" || exit 99
graph "$separate_trace" "$filter:{\"debug-info-dir\": \"$tmp/debug\"}" sink.text.pretty >"$tmp/actual"
tap_equal ".debug_frame of a separate debug file, compressed" "$(vias <"$tmp/actual")" \
	"regs debug_frame debug_frame outermost "
graph "$separate_trace" $filter sink.text.pretty >"$tmp/actual"
tap_equal "… not found: the return address is, by its call" "$(vias <"$tmp/actual")" \
	"regs scan scan no-rule "
# The file itself is gone; the debug file is found by build-id.
mkdir -p "$tmp/debug/.build-id/${build_id:0:2}" &&
	cp "$tmp/debug$tmp/dir/separate.debug" \
		"$tmp/debug/.build-id/${build_id:0:2}/${build_id:2}.debug" || exit 99
graph "$(stack_trace /nowhere/separate.so "$build_id")" \
	"$filter:{\"debug-info-dir\": \"$tmp/debug\"}" sink.text.pretty >"$tmp/actual"
tap_equal "… of which there is nothing else" "$(vias <"$tmp/actual")" \
	"regs debug_frame debug_frame outermost "

# GNU as makes it, whatever compiler builds. Early .sframe cannot say that there is no caller; the ELF header can.
sed '1i .cfi_sections .sframe' "$srcdir/plugin/lib-stack-so.S" >"$tmp/sframe.S"
if gcc -c -o "$tmp/sframe.o" "$tmp/sframe.S" 2>/dev/null; then
	CC=gcc build_variant sframe '1i .cfi_sections .sframe' -Wl,-e,stack_outermost
	check_vias ".sframe alone" "regs sframe sframe outermost"
	check_vias "unwind=eh-frame does not include it" "regs no-rule" '{"unwind": "eh-frame"}'
	CC=gcc build_variant sframe-too '1i .cfi_sections .eh_frame, .sframe' -Wl,-e,stack_outermost
	check_vias ".sframe beside .eh_frame" "regs eh_frame eh_frame outermost"
	check_vias "… by unwind=sframe" "regs sframe sframe outermost" '{"unwind": "sframe"}'
else
	tap_skip ".sframe" "the assembler does not make it"
fi

build_variant leaf '/^stack_leaf:/,/cfi_endproc/{/cfi/d}'
check_vias "a leaf without unwind information" "regs scan eh_frame outermost"
check_vias "… by unwind=eh-frame" "regs no-rule" '{"unwind": "eh-frame"}'

# --- An image in the trace --------------------------------------------------------

use "$library" 0x7F0000000000 0
objcopy --strip-all "$library" "$tmp/image" && [ "$(wc -c <"$tmp/image")" -le 65536 ] || exit 99
echo text >"$tmp/text"

# image_trace PATH BUILD-ID IMAGE PART-LEN [SCENARIO]
image_trace()
{
	stack_trace "$1" "$2" "${5-image}" | sed "\$s|}\$|, \"image\": \"$3\", \"part-len\": $4}|"
}

image_frames="$(frames "[vdso]+$(offset stack_leaf)" "stack_leaf+0" "" regs \
	"[vdso]+$(offset stack_middle_return)" "stack_middle+0x9" "" eh_frame \
	"[vdso]+$(offset stack_outermost_return)" "stack_outermost+0x5" "" eh_frame)"
image_frames="$image_frames, stack_end = \"outermost\""
no_image_frames="$(frames "[vdso]+$(offset stack_leaf)" "" "" regs), stack_end = \"no-rule\""

graph "$(image_trace '[vdso]' "$build_id" "$tmp/image" 65536)" $filter sink.text.pretty >"$tmp/actual"
tap_equal "the vDSO of another machine: frames by its image" "$(last_fields <"$tmp/actual")" "$image_frames"
tap_equal "… without a complaint" "$(cat "$tmp/log")" ""
graph "$(image_trace '[vdso]' "$build_id" "$tmp/image" 1001)" $filter sink.text.pretty >"$tmp/actual"
tap_equal "… in many parts" "$(last_fields <"$tmp/actual")" "$image_frames"
graph "$(image_trace '[vdso]' "" "$tmp/image" 65536)" $filter sink.text.pretty >"$tmp/actual"
tap_equal "… without a build-id" "$(last_fields <"$tmp/actual")" "$image_frames"

graph "$(image_trace '[vdso]' "$wrong_id" "$tmp/image" 65536)" $filter sink.text.pretty >"$tmp/actual"
tap_equal "an image with another build-id is not used" "$(last_fields <"$tmp/actual")" "$no_image_frames"
tap_check "… and it is reported" grep -q "path=\"\[vdso\]\", build-id=$wrong_id: its build-id differs" "$tmp/log"
graph "$(image_trace '[vdso]' "$build_id" "$tmp/text" 65536)" $filter sink.text.pretty >"$tmp/actual"
tap_equal "an image that is no ELF file is not used" "$(last_fields <"$tmp/actual")" "$no_image_frames"
tap_check "… and it is reported" grep -q 'path="\[vdso\]".*: not an ELF file' "$tmp/log"

# Of a file that the recorder did not find, or the analysis does not.
file_frames=${image_frames//'[vdso]'/lib.so}
no_file_frames=${no_image_frames//'[vdso]'/lib.so}
CODECTL_TEST_LOG_LEVEL=INFO graph "$(image_trace /nowhere/lib.so "$build_id" "$tmp/image" 65536)" \
	$filter sink.text.pretty >"$tmp/actual"
tap_equal "the image of a file that is not there" "$(last_fields <"$tmp/actual")" "$file_frames"
tap_check "… and it is said why" grep -q \
	'What the trace has of an object is used: path="/nowhere/lib.so".*: no such file' "$tmp/log"
graph "$(image_trace /nowhere/lib.so "$wrong_id" "$tmp/image" 65536)" $filter sink.text.pretty \
	>"$tmp/actual"
tap_equal "… with another build-id" "$(last_fields <"$tmp/actual")" "$no_file_frames"
tap_check "… the complaint is about the file" grep -q 'path="/nowhere/lib.so".*: no such file' "$tmp/log"
mkdir -p "$tmp/other"
"$CC" -shared -fPIC -Wl,--build-id=none -o "$tmp/other/lib.so" -x c - <<<'int other;' || exit 99
graph "$(image_trace "$tmp/other/lib.so" "$build_id" "$tmp/image" 65536)" $filter sink.text.pretty \
	>"$tmp/actual"
tap_equal "… of a file of another build" "$(last_fields <"$tmp/actual")" "$file_frames"
graph "$(image_trace "$tmp/other/lib.so" "" "$tmp/image" 65536)" $filter sink.text.pretty >"$tmp/actual"
tap_equal "… of a file that another one took the place of, without build-ids" \
	"$(last_fields <"$tmp/actual")" "$file_frames"
graph "$(image_trace /nowhere/lib.so "$build_id" "$tmp/image" 1000 image-of-two)" $filter \
	sink.text.pretty >"$tmp/actual"
tap_equal "… in parts that come between those of another process" \
	"$(last_fields <"$tmp/actual")" "$file_frames"
graph "$(image_trace /nowhere/lib.so "$build_id" "$tmp/image" 1000 image-late)" $filter \
	sink.text.pretty >"$tmp/actual"
tap_equal "an image that comes late is used from then on" "$(last_fields <"$tmp/actual")" \
	"$no_file_frames
$no_file_frames
$file_frames"
graph "$(image_trace "$tmp/other/lib.so" "" "$tmp/image" 1000 image-late)" $filter \
	sink.text.pretty >"$tmp/actual"
tap_equal "… instead of the wrong file" "$(last_fields <"$tmp/actual" | tail -n 1)" "$file_frames"
tap_check "… with a warning" grep -q \
	"W .*was taken for the one that ran.*path=\"$tmp/other/lib.so\"" "$tmp/log"

CODECTL_TEST_LOG_LEVEL=INFO graph \
	"$(image_trace '[vdso]' "$build_id" "$tmp/image" 65536 image-malformed)" $filter \
	sink.text.pretty >"$tmp/actual"
tap_equal "images that make no sense: every event comes out" "$(wc -l <"$tmp/actual")" 16
tap_equal "… those out of bounds are counted" "$(stat events-with-bad-values)" 3
tap_equal "… and those that fit nowhere" "$(stat bad-image-parts)" 8
tap_equal "… the good one is used" "$(last_fields <"$tmp/actual")" "$image_frames"

# --- Maps and files -------------------------------------------------------------

mkfifo "$tmp/fifo"
graph "maps:{\"directory\": \"$tmp/dir\", \"fifo\": \"$tmp/fifo\", \"text\": \"$tmp/text\"}" \
	$filter sink.text.pretty >"$tmp/actual"
tap_equal "no map, closed map, files that are none" \
	"$(sed -n 's/.*\(bin = "[^"]*"\).*\(stack_end = .*\) }/\1, \2/p' "$tmp/actual")" \
	'bin = "", stack_end = "no-map"
bin = "first.so+0x5000", stack_end = "no-rule"
bin = "", stack_end = "no-map"
bin = "", stack_end = "no-map"
bin = "dir+0", stack_end = "no-rule"
bin = "fifo+0x5000", stack_end = "no-rule"
bin = "text+0x5000", stack_end = "no-rule"
bin = "", stack_end = "no-rule"'
tap_equal "each file is reported once, with the reason" "$(sed -n 's/.* path="\(.*\)", build-id=: /\1 /p' "$tmp/log")" \
	"/nowhere/first.so no such file
$tmp/dir not a regular file
$tmp/fifo not a regular file
$tmp/text not an ELF file of a known kind"

graph lost $filter sink.text.pretty >"$tmp/actual"
tap_check "a lost registration is reported, with the samples that it may concern" \
	grep -q 'Registrations are missing from the trace.*: samples=2' "$tmp/log"

# --- Traces that are wrong --------------------------------------------------------

CODECTL_TEST_LOG_LEVEL=INFO graph malformed $filter sink.text.pretty >"$tmp/actual"
tap_equal "values that make no sense: every event comes out" "$(wc -l <"$tmp/actual")" 14
tap_equal "… and those out of bounds are counted" "$(stat events-with-bad-values)" 3
tap_equal "… the samples among them with a reason" \
	"$(sed -n 's/.*stack_end = "\(.*\)".*/\1/p' "$tmp/actual" | head -n 6 | tr '\n' ' ')" \
	"no-map bad-rule bad-rule bad-rule bad-rule bad-rule "

for seed in 1 2 3; do
	graph "random:{\"seed\": $seed, \"count\": 2000, \"path\": \"$library\"}" $filter \
		sink.text.pretty >"$tmp/actual"
	tap_equal "random values, seed $seed: every event comes out" "$(wc -l <"$tmp/actual")" 2000
done

graph mistyped sink.text.details >"$tmp/expected"
CODECTL_TEST_LOG_LEVEL=INFO graph mistyped $filter sink.text.details >"$tmp/actual"
tap_check "mistyped and missing fields: as it was" diff "$tmp/expected" "$tmp/actual"
tap_equal "… each class is reported once" "$(sed -n 's/.*event-class-name=//p' "$tmp/log")" \
	'"codectl:register_elf", field-name="build_id": the field has another type
"codectl:unregister", field-name="text_end": the field is missing
"codectl:sample", field-name="vpid": the field has another type'
tap_equal "… each event is counted" "$(stat events-of-bad-classes)" 4

graph late $filter sink.text.pretty >"$tmp/actual"
tap_equal "a class that comes late: streams from then on have frames" \
	"$(grep -o 'plain\|_regs_length\|stack_end = ".*"' "$tmp/actual" | tr '\n' ' ')" \
	'plain _regs_length stack_end = "no-map" plain '
tap_check "… and it is reported" grep -q 'passed on as they are: count=1' "$tmp/log"

# --- Parameters -------------------------------------------------------------------

# wrong NAME PARAMETERS MESSAGE: initialization fails with the message.
wrong()
{
	if graph everything "$filter:$2" sink.utils.dummy; then
		tap_not_ok "$1" "it was accepted"
	else
		tap_check "$1" grep -qF "$3" "$tmp/log"
	fi
}

wrong "an unknown parameter is named" '{"nope": 1}' '`nope`'
wrong "keep-raw-stack must be a boolean" '{"keep-raw-stack": "yes"}' '`keep-raw-stack` must be'
wrong "full-path must be a boolean" '{"full-path": 1}' '`full-path` must be'
wrong "inlines must be a boolean" '{"inlines": "no"}' '`inlines` must be'
wrong "target-prefix must be a string" '{"target-prefix": false}' '`target-prefix` must be'
wrong "unwind must be one of the sources" '{"unwind": "magic"}' '`unwind` must be "auto", "fp", '
wrong "debug-info-dir must be strings" '{"debug-info-dir": ["/a", 2]}' '`debug-info-dir` must be'
tap_check "debug-info-dir may be a string" \
	graph everything "$filter:{\"debug-info-dir\": \"/a\"}" sink.utils.dummy
tap_check "debug-info-dir may be an array" \
	graph everything "$filter:{\"debug-info-dir\": [\"/a\", \"/b\"]}" sink.utils.dummy

tap_done

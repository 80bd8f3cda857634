#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# filter.codectl.debug-info in place of filter.lttng-utils.debug-info: the same
# output where that is right, an answer where it has none, and none of its
# crashes. The traces are scripts: see plugin/ust.py.
: "${srcdir:=$(dirname "$0")/..}"
: "${top_builddir:=..}"
: "${CC:=cc}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/graph.sh"
graph_setup

ours=filter.codectl.debug-info
theirs=filter.lttng-utils.debug-info
mkdir -p "$tmp/dir" "$tmp/debug/.build-id"
library=$tmp/dir/lib-info.so
"$CC" -g -O2 -shared -fPIC -nostdlib -Wl,--build-id -o "$library" "$srcdir/plugin/lib-info-so.c" ||
	exit 99
build_id=$(readelf -n "$library" | sed -n 's/.*Build ID: //p')

# script STEPS [OPTIONS]: a trace.
script() { printf 'ust:{"steps": [%s]%s}' "$1" "${2:+, $2}"; }

# infos: of pretty output, the added texts of the program's own events.
infos()
{
	sed -n 's/.*app:event: .*debug_info = { bin = "\(.*\)", func = "\(.*\)", src = "\(.*\)" }.*/\1|\2|\3/p'
}

# run STEPS [OPTIONS] [PARAMETERS]: into $tmp/actual.
run()
{
	graph "$(script "$1" "${2-}")" "$ours${3:+:$3}" sink.text.pretty >"$tmp/actual"
}

# check NAME EXPECTED STEPS [OPTIONS] [PARAMETERS]: the texts of the program's events.
check()
{
	check_name=$1
	check_expected=$2
	shift 2
	run "$@"
	tap_equal "$check_name" "$(infos <"$tmp/actual")" "$check_expected"
}

symbol() { nm "${2-$library}" | awk -v name="$1" '$3 == name { print "0x" $1 }'; }

# at SYMBOL BASE [OFFSET]: an address, in decimal.
at() { printf '%d' $(($(symbol "$1") + $2 + ${3-0})); }

# in_file SYMBOL [OFFSET]: the address in the file, as printed.
in_file() { printf '%#x' $(($(symbol "$1") + ${2-0})); }

# line PATTERN: where that is in the source.
line() { grep -n "$1" "$srcdir/plugin/lib-info-so.c" | tail -n 1 | cut -d : -f 1; }

# object PATH BASE [IS_PIC]: a whole state dump.
object()
{
	printf '["start"], ["bin_info", %d, 65536, "%s", %d], ["end"]' "$2" "$1" "${3-1}"
}

last_src=lib-info-so.c:$(($(line '^int last') + 1))
last_name="lib-info.so+$(in_file last)|last+0|$last_src"

# --- The same as theirs -----------------------------------------------------------

# agree NAME FILE IS_PIC [STEPS]: what they know of each address in functions, we say as well.
agree()
{
	agree_base=$(($3 ? 0x7f0000000000 : 0))
	agree_from=$2
	[ -n "$(nm -S "$2" 2>/dev/null)" ] || agree_from=$library
	agree_script=$(script "[\"start\"],
		[\"bin_info\", $((agree_base + ($3 ? 0 : 0x400000))), 65536, \"$2\", $3]${4:+, $4}, [\"end\"]$(
		nm -S "$agree_from" | while read -r agree_start agree_size agree_type agree_rest; do
			[[ $agree_type != [tTW] ]] || printf ', ["repeat", %d, %d, 1]' \
				$((0x$agree_size)) $((agree_base + 0x$agree_start))
		done)")
	graph "$agree_script" $theirs sink.text.pretty >"$tmp/theirs"
	graph "$agree_script" $ours sink.text.pretty >"$tmp/ours"
	/usr/bin/python3 "$srcdir/plugin/agrees.py" "$tmp/theirs" "$tmp/ours" >"$tmp/agreed"
	tap_equal "$1: what they know we say" "$(grep -v '^same' "$tmp/agreed")" ""
	tap_check "$1: … which is something" grep -qE '^same [1-9][0-9]+ more' "$tmp/agreed"
}

agree "DWARF" "$library" 1
tap_check "… and a source line everywhere in a function" \
	test "$(grep -c 'func = "[^"]' "$tmp/ours")" = "$(grep -c 'func = "[^"].*src = "[^"]' "$tmp/ours")"
"$CC" -g -O2 -no-pie -nostdlib -static -Wl,-e,last -Wl,--unresolved-symbols=ignore-all \
	-o "$tmp/dir/program" "$srcdir/plugin/lib-info-so.c" || exit 99
agree "a program at a fixed address" "$tmp/dir/program" 0
cp "$library" "$tmp/dir/symbols.so" && strip --strip-debug "$tmp/dir/symbols.so" || exit 99
agree "symbols alone" "$tmp/dir/symbols.so" 1
objcopy --only-keep-debug "$library" "$tmp/dir/linked.debug" &&
	objcopy --strip-all --add-gnu-debuglink="$tmp/dir/linked.debug" "$library" \
		"$tmp/dir/linked.so" || exit 99
crc=$((0x$(objcopy -O binary --only-section=.gnu_debuglink --set-section-flags \
	.gnu_debuglink=alloc "$tmp/dir/linked.so" /dev/stdout | tail -c 4 | od -An -tx4 | tr -d ' ')))
agree "a debug link" "$tmp/dir/linked.so" 1 \
	"[\"debug_link\", $((0x7f0000000000)), $crc, \"linked.debug\"]"
agree "a build-id" "$library" 1 "[\"build_id\", $((0x7f0000000000)), \"$build_id\"]"

if command -v g++ >/dev/null; then
	g++ -g -O2 -shared -fPIC -nostdlib -x c++ -o "$tmp/dir/cxx.so" - <<-END || exit 99
		namespace space {
		struct object {
			int method(int number);
			template <class type> type generic(type number);
		};
		volatile int sink;
		int object::method(int number)
		{
			return sink += number;
		}
		template <class type> type object::generic(type number)
		{
			return number + sink;
		}
		template long object::generic<long>(long);
		}
	END
	agree "C++" "$tmp/dir/cxx.so" 1
	cxx_steps="$(object "$tmp/dir/cxx.so" 0x100000), [\"event\", $((0x100000 + $(symbol \
		_ZN5space6object6methodEi "$tmp/dir/cxx.so")))]"
	run "$cxx_steps"
	tap_equal "a name as the source has it" "$(infos <"$tmp/actual" | cut -d '|' -f 2)" "method+0"
	run "$cxx_steps" "" '{"full-names": true}'
	tap_equal "full-names: all of it" "$(infos <"$tmp/actual" | cut -d '|' -f 2)" \
		"space::object::method(int)+0"
else
	tap_skip "C++" "there is no g++"
fi

# same NAME STEPS [OPTIONS] [PARAMETERS]: the whole output is theirs.
same()
{
	same_params=${4-"{}"}
	if graph "$(script "$2" "${3-}")" "$theirs:$same_params" sink.text.details >"$tmp/theirs" &&
		# They do not look ahead.
		graph "$(script "$2" "${3-}")" \
			"$ours:${same_params%\}}${4:+, }\"look-ahead\": \"no\"}" \
			sink.text.details >"$tmp/ours"; then
		tap_check "$1" diff "$tmp/theirs" "$tmp/ours"
	else
		tap_not_ok "$1" "$(cat "$tmp/log")"
	fi
}

all_kinds="$(object "$library" 0x100000), [\"event\", $(at last 0x100000)],
	[\"load\", $((0x200000)), 65536, \"/nowhere/else.so\"], [\"event\", $((0x200010))],
	[\"unload\", $((0x200000))],
	[\"dlopen\", $((0x300000)), 65536, 2, \"$library\"], [\"event\", $(at last 0x300000)],
	[\"vpid\", 200], [\"event\", $(at last 0x100000)], [\"event\", 0]"
same "the whole output, byte for byte" "$all_kinds"
same "… with a name of one's own" "$all_kinds" "" '{"debug-info-field-name": "where"}'
same "… with whole paths" "$all_kinds" "" '{"full-path": true}'
sed "s|$tmp||" <<<"$all_kinds" >"$tmp/steps"
same "… with a prefix" "$(cat "$tmp/steps")" "" "{\"target-prefix\": \"$tmp\", \"full-path\": true}"
mkdir -p "$tmp/debug/.build-id/${build_id:0:2}" &&
	cp "$tmp/dir/linked.debug" "$tmp/debug/.build-id/${build_id:0:2}/${build_id:2}.debug" || exit 99
strip --strip-all -o "$tmp/dir/bare.so" "$library" || exit 99
same "… with a debug file by build-id" "[\"start\"], [\"bin_info\", 0, 65536, \"$tmp/dir/bare.so\", 1, 1],
	[\"build_id\", 0, \"$build_id\"], [\"end\"], [\"event\", $(at last 0)]" "" \
	"{\"debug-info-dir\": \"$tmp/debug\"}"
for contexts in '["vpid", "i32"]' '["ip", "u64"]' '["vpid", "i64"], ["ip", "u64"]' \
	'["vpid", "u32"], ["ip", "u64"]' '["vpid", "i32"], ["ip", "i64"]' \
	'["vpid", "i32"], ["ip", "enum"]' '["vpid", "i32"], ["ip", "u64"], ["debug_info", "u32"]'; do
	same "as it was: contexts $contexts" "$all_kinds" "\"contexts\": [$contexts]"
done
same "contexts of their own before and after" "$all_kinds" \
	'"contexts": [["vpid", "i32"], ["ip", "u32"], ["vtid", "i32"], ["perf", "u64[]"]]'

# --- Their crashes ---------------------------------------------------------------

check "unload of what was never loaded" "$last_name" \
	"[\"unload\", 4096], $(object "$library" 0), [\"unload\", 4096], [\"event\", $(at last 0)]"
echo text >"$tmp/text"
mkfifo "$tmp/fifo"
head -c 100 "$library" >"$tmp/truncated"
ln -s loop "$tmp/loop"
: >"$tmp/empty"
for file in text fifo truncated loop empty dir; do
	check "a path that is no object: $file" "$file+0x10||" \
		"$(object "$tmp/$file" 4096), [\"event\", $((4096 + 16))]"
	check "… with a build-id: $file" "$file+0x10||" "[\"start\"],
		[\"bin_info\", 4096, 65536, \"$tmp/$file\", 1, 1], [\"build_id\", 4096, \"$build_id\"],
		[\"end\"], [\"event\", $((4096 + 16))]"
done
check "a path that is a device" "zero+0x10||" "$(object /dev/zero 4096), [\"event\", $((4096 + 16))]"
for missing in bin_info.baddr bin_info.memsz bin_info.path bin_info.is_pic; do
	check "no field $missing" "||" "$(object "$library" 0), [\"event\", $(at last 0)]" \
		"\"kinds\": {\"$missing\": null}"
done
for mistyped in bin_info.memsz:string bin_info.path:u64 build_id.build_id:u64 load.baddr:i64 \
	unload.baddr:string; do
	run "$(object "$library" 0), [\"build_id\", 0, \"00\"], [\"load\", \"0x100000\", 16, \"/x\"],
		[\"unload\", \"0x200000\"], [\"event\", $(at last 0)]" \
		"\"kinds\": {\"${mistyped%:*}\": \"${mistyped#*:}\"}"
	tap_equal "a field of another type, $mistyped: every event comes out" "$(wc -l <"$tmp/actual")" 7
	mistyped_field=${mistyped%:*}
	tap_check "… and the class is reported" grep -q \
		"field-name=\"${mistyped_field#*.}\": the field has another type" "$tmp/log"
done
check "event classes with sparse ids" "$last_name" \
	"$(object "$library" 0), [\"event\", $(at last 0)]" '"gaps": true'
check "no clock" "$last_name" "$(object "$library" 0), [\"event\", $(at last 0)]" '"no-clock": true'

# --- Their wrong answers ----------------------------------------------------------

other=$tmp/dir/lib-other.so
sed 's/last/first/' "$srcdir/plugin/lib-info-so.c" >"$tmp/lib-info-so.c" &&
	"$CC" -g -O2 -shared -fPIC -nostdlib -Wl,--build-id -o "$other" "$tmp/lib-info-so.c" || exit 99
other_id=$(readelf -n "$other" | sed -n 's/.*Build ID: //p')
other_name="lib-other.so+$(in_file last)|first+0|$last_src"
tap_equal "the fixtures are alike" "$(symbol first "$other")" "$(symbol last)"

check "another library at the same address" "$last_name
||
$other_name" "$(object /nowhere/program 0x500000), [\"load\", 4096, 65536, \"$library\"],
	[\"event\", $(at last 4096)], [\"unload\", 4096], [\"event\", $(at last 4096)],
	[\"load\", 4096, 65536, \"$other\"], [\"event\", $(at last 4096)]" "" '{"look-ahead": "no"}'
check "… without an unload" "$last_name
$other_name" "$(object "$library" 4096), [\"event\", $(at last 4096)],
	[\"bin_info\", 4096, 65536, \"$other\", 1], [\"event\", $(at last 4096)]"
check "… after a dlclose() alone" "$last_name
$last_name
$other_name" "$(object /nowhere/program 0x500000), [\"dlopen\", 4096, 65536, 2, \"$library\"],
	[\"event\", $(at last 4096)], [\"dlclose\", 4096], [\"event\", $(at last 4096)],
	[\"dlmopen\", 4096, 65536, 1, \"$other\"], [\"event\", $(at last 4096)]"
check "closed, and then something else comes elsewhere" "$last_name
||" "$(object /nowhere/program 0x500000), [\"dlopen\", 4096, 65536, 2, \"$library\"],
	[\"dlopen\", 4096, 65536, 2, \"$library\"], [\"dlclose\", 4096],
	[\"load\", $((0x600000)), 65536, \"/nowhere/a\"],
	[\"event\", $(at last 4096)], [\"dlclose\", 4096],
	[\"load\", $((0x700000)), 65536, \"/nowhere/b\"], [\"event\", $(at last 4096)]"
check "objects that overlap: the newest wins" "below+0x10||
$last_name
below+0x50000||" "$(object /nowhere/below 0x100000 | sed 's/65536/1048576/'),
	[\"load\", $((0x110000)), 65536, \"$library\"], [\"event\", $((0x100010))],
	[\"event\", $(at last 0x110000)], [\"event\", $((0x150000))]"
check "an old kind of state dump" "$last_name" "[\"start\"],
	[\"soinfo\", 4096, \"$library\", 65536, 0], [\"end\"], [\"event\", $(at last 4096)]"

moved="exported.cold"
if [ -n "$(symbol $moved)" ]; then
	run "$(object "$library" 0), [\"event\", $(at $moved 0)]"
	tap_check "a part of a function that was moved away" \
		grep -q 'func = "exported[+-].*src = "lib-info' "$tmp/actual"
else
	tap_ok "a part of a function that was moved away # the compiler makes none"
fi
check "exported symbols alone" "bare.so+$(in_file last)|last+0|" \
	"$(object "$tmp/dir/bare.so" 0), [\"event\", $(at last 0)]"
data_symbol=$((0x$(readelf -SW "$tmp/dir/symbols.so" | sed 's/^ *\[ *[0-9]*\]//' |
	awk '$1 == ".eh_frame" { print $3 }')))
run "$(object "$tmp/dir/symbols.so" 0), [\"event\", $data_symbol]"
tap_equal "data is in no function" "$(infos <"$tmp/actual" | cut -d '|' -f 2,3)" "|"

# with_id FILE BUILD-ID: a state dump with it.
with_id()
{
	printf '["start"], ["bin_info", 4096, 65536, "%s", 1, 1], ["build_id", 4096, "%s"], ["end"]' "$1" "$2"
}

check "the build-id agrees" "$last_name" "$(with_id "$library" "$build_id"), [\"event\", $(at last 4096)]"
check "another build: the place is known, and no guess made" "lib-info.so+$(in_file last)||" \
	"$(with_id "$library" "$other_id"), [\"event\", $(at last 4096)]"
check "the beginning of a build-id is none" "lib-info.so+$(in_file last)||" \
	"$(with_id "$library" "${build_id:0:8}"), [\"event\", $(at last 4096)]"
check "nor is one that goes on" "lib-info.so+$(in_file last)||" \
	"$(with_id "$library" "${build_id}00"), [\"event\", $(at last 4096)]"
check "a build-id, but no file" "gone+0x10||" \
	"$(with_id /nowhere/gone "$build_id"), [\"event\", $((4096 + 16))]"
run "$(with_id /nowhere/gone "$build_id"), [\"repeat\", 1000, 4096, 16]"
tap_equal "… which is reported once" "$(grep -c 'path="/nowhere/gone"' "$tmp/log")" 1
for provider in lib_ dl_; do
	check "another build of a loaded library, by ${provider}build_id" "lib-info.so+$(in_file last)||" \
		"$(object /nowhere/program 0x500000), [\"load\", 4096, 65536, \"$library\", 1],
		[\"${provider}build_id\", 4096, \"$other_id\"], [\"event\", $(at last 4096)]"
done
check "another debug link than the file's: another build" "linked.so+$(in_file last)||" \
	"$(object "$tmp/dir/linked.so" 4096), [\"lib_debug_link\", 4096, $((crc ^ 1)), \"linked.debug\"],
	[\"event\", $(at last 4096)]"
mkdir "$tmp/changed"
"$CC" -g -O2 -shared -fPIC -nostdlib -Wl,--build-id=none -o "$tmp/changed/whole.so" \
	"$srcdir/plugin/lib-info-so.c" &&
	objcopy --only-keep-debug "$tmp/changed/whole.so" "$tmp/changed/linked.debug" &&
	objcopy --strip-all --add-gnu-debuglink="$tmp/changed/linked.debug" \
		"$tmp/changed/whole.so" "$tmp/changed/linked.so" || exit 99
agree "a debug link, without a build-id" "$tmp/changed/linked.so" 1
echo >>"$tmp/changed/linked.debug"
check "a debug file with another checksum" "linked.so+$(in_file last)|last+0|" \
	"$(object "$tmp/changed/linked.so" 4096), [\"event\", $(at last 4096)]"

check "two processes" "$other_name
$last_name
$other_name" "$(object "$library" 0), [\"vpid\", 7], $(object "$other" 0), [\"event\", $(at last 0)],
	[\"vpid\", 100], [\"event\", $(at last 0)], [\"vpid\", 7], [\"event\", $(at last 0)]"
check "a new program in the process" "$last_name
||
$other_name
||" "$(object "$library" 0), [\"event\", $(at last 0)], [\"start\"], [\"event\", $(at last 0)],
	[\"bin_info\", 65536, 65536, \"$other\", 1], [\"end\"], [\"event\", $(at last 65536)],
	[\"event\", $(at last 0)]"

# --- What is told later -------------------------------------------------------------

late="[\"event\", $(at last 4096)], [\"start\"], [\"event\", $(at last 4096)],
	[\"bin_info\", 4096, 65536, \"$library\", 1], [\"end\"], [\"event\", $(at last 4096)]"
check "look-ahead=no: before the state dump nothing is known" "||
||
$last_name" "$late" "" '{"look-ahead": "no"}'
for mode in auto full wait; do
	check "look-ahead=$mode: events before the state dump" "$last_name
$last_name
$last_name" "$late" "" "{\"look-ahead\": \"$mode\"}"
done
check "a constructor, before its library is told" "$last_name" \
	"$(object /nowhere/program 0x500000), [\"event\", $(at last 4096)],
	[\"load\", 4096, 65536, \"$library\"]"
check "the session asks for the state dump again" "$last_name
$last_name" "$(object "$library" 4096), [\"event\", $(at last 4096)], [\"start\"],
	[\"event\", $(at last 4096)], [\"bin_info\", 4096, 65536, \"$library\", 1], [\"end\"]"
check "another program: what it has is not of the one before" "||
$other_name" "$(object /nowhere/program 0x500000), [\"event\", $(at last 4096)],
	$(object "$other" 4096), [\"event\", $(at last 4096)]"
in_file last >"$tmp/addresses"
/usr/bin/python3 "$srcdir/bench/ctf-trace.py" "$tmp/late" 40000 0x100000 65536 "$library" \
	"$tmp/addresses" late || exit 99

# late_names MODE: how many of 40 000 events before the state dump are named.
late_names()
{
	graph "$tmp/late" filter.utils.muxer "$ours:{\"look-ahead\": \"$1\"}" sink.text.pretty \
		>"$tmp/actual"
	tap_equal "look-ahead=$1: all events come out" "$(wc -l <"$tmp/actual")" 40003
	tap_equal "… named, though the state dump comes after 40 000 of them" \
		"$(grep -c 'func = "last+0"' "$tmp/actual")" "$2"
}

late_names auto 40000
late_names full 40000
late_names no 0
graph "$tmp/late" filter.utils.muxer "$ours:{\"look-ahead\": \"wait\"}" sink.text.pretty \
	>"$tmp/actual"
tap_equal "look-ahead=wait: all events come out" "$(wc -l <"$tmp/actual")" 40003
tap_equal "… the first without names" "$(head -n 100 "$tmp/actual" | grep -c 'func = ""')" 100
yes 0x9000000 | head -n 100 >"$tmp/unknown"
/usr/bin/python3 "$srcdir/bench/ctf-trace.py" "$tmp/nowhere" 10000 0x100000 65536 "$library" \
	"$tmp/unknown" || exit 99
graph "$tmp/nowhere" filter.utils.muxer $ours sink.text.pretty >"$tmp/actual"
tap_equal "addresses that nothing is told of: all events come out" "$(wc -l <"$tmp/actual")" 10003
# --- A part of the trace ------------------------------------------------------------

# part NAME COUNT PARAMETERS: of 10 events, 1 us apart from 0 on, these come out, named.
echo "$(in_file last)" >"$tmp/addresses"
/usr/bin/python3 "$srcdir/bench/ctf-trace.py" "$tmp/parts" 20 0x100000 65536 "$library" \
	"$tmp/addresses" || exit 99
part()
{
	TZ=UTC graph "$tmp/parts" filter.utils.muxer "$ours:{$3}" sink.text.pretty >"$tmp/actual"
	tap_equal "$1" "$(grep -c 'bench:event.*func = "last+0"' "$tmp/actual") of $(
		grep -c bench:event "$tmp/actual")" "$2 of $2"
}
part "begin: the state dump counts, though it is before" 11 '"begin": "1700000000.000005011"'
part "begin and end, with dates" 2 '"begin": "2023-11-14 22:13:20.00000301",
	"end": "2023-11-14 22:13:20.000003011"'
part "end, of the day of the first event" 4 '"end": "22:13:20.000002011"'
part "minutes alone" 20 '"begin": "22:13"'
for moment in x 25:00 22:60 22:13:20. -1 1.x "2023-11-14"; do
	if graph "$tmp/parts" filter.utils.muxer "$ours:{\"end\": \"$moment\"}" sink.utils.dummy; then
		tap_not_ok "end=$moment is no time" "it was accepted"
	else
		tap_check "end=$moment is no time" grep -qF '`end` must be a time' "$tmp/log"
	fi
done

graph "$(script "$late")" $ours seek >"$tmp/actual"
sed '/^seek:/,$d' "$tmp/actual" >"$tmp/first"
sed '1,/^seek:/d' "$tmp/actual" >"$tmp/second"
tap_check "after seeking all comes again" diff "$tmp/first" "$tmp/second"
tap_equal "… and was there before" "$(wc -l <"$tmp/first")" 8

# --- More, on request ---------------------------------------------------------------

run "[\"event\", 5], $(object "$library" 4096), [\"load\", $((0x200000)), 4096, \"/nowhere/else.so\"],
	[\"event\", $(at last 4096)], [\"event\", $((0x200010))], [\"event\", 4097]" "" \
	'{"debug-info-reasons": true}'
tap_equal "debug-info-reasons: why there is no function" \
	"$(sed -n 's/.*app:event: .*reason = "\(.*\)" }.*/\1/p' "$tmp/actual")" "nothing is known to be there

no such file
no symbol"
run "$(object "$library" 0), [\"repeat\", 300, $(at exported 0), 1]" "" '{"debug-info-inlines": true}'
inlines_src='src = "lib-info-so.c:[0-9]*"'
tap_check "debug-info-inlines: the calls that were inlined" grep -q "func = \"exported+.*inlines = \[ \[0\] = { func = \"innermost\", $inlines_src }, \[1\] = { func = \"middle\", $inlines_src } \]" "$tmp/actual"

# --- Values that are hard ---------------------------------------------------------

check "objects that end beyond all addresses" "||
$last_name" "$(object "$library" 4096), [\"load\", \"0xfffffffffffff000\", 65536, \"/a\"],
	[\"load\", \"0xffffffffffff0000\", \"0xffffffffffffffff\", \"/b\"],
	[\"event\", \"0xfffffffffffff010\"], [\"event\", $(at last 4096)]"
check "an object that is everywhere" "big+0xfffffffffffffff0||
$last_name" "$(object "$library" 4096), [\"load\", 1, \"0xfffffffffffffffe\", \"/big\"],
	[\"event\", \"0xfffffffffffffff1\"], [\"bin_info\", 8192, 65536, \"$library\", 1],
	[\"event\", $(at last 8192)]"
check "the vDSO, which has no size" "||" \
	"$(object '[linux-vdso.so.1]' 0x7000 0 | sed 's/65536/0/'), [\"event\", $((0x7010))]"
long=$(printf '%05000d' 0)
run "$(object "/$long" 4096), [\"event\", 4096], $(object "$library" 0), [\"event\", $(at last 0)]"
tap_equal "a path that is too long: the rest is named" "$(infos <"$tmp/actual" | tail -n 1)" "$last_name"
check "no path" "||" "$(object "" 4096), [\"event\", 4100]"

many=$(awk 'BEGIN { for (i = 1; i <= 10000; i++) printf "[\"vpid\", %d], [\"start\"], \
	[\"bin_info\", %d, 65536, \"/nowhere/gone\", 1], [\"end\"], [\"event\", %d], ", i, i * 65536, i * 65536 + i }')
printf '{"steps": [%s]}' "${many%, }" >"$tmp/many.json"
graph "ust-file:{\"file\": \"$tmp/many.json\"}" $ours sink.text.pretty >"$tmp/actual"
tap_equal "10 000 processes" "$(infos <"$tmp/actual" | sed -n '1p;10000p')" "gone+0x1||
gone+0x2710||"
tap_equal "… with one report" "$(grep -c 'path="/nowhere/gone"' "$tmp/log")" 1

for parameter in debug-info-field-name:1 debug-info-dir:1 target-prefix:1 full-path:1 full-names:1; do
	if graph "$(script '["start"]')" "$ours:{\"${parameter%:*}\": ${parameter#*:}}" sink.utils.dummy; then
		tap_not_ok "parameter ${parameter%:*} of another type" "it was accepted"
	else
		tap_check "parameter ${parameter%:*} of another type" \
			grep -qF "\`${parameter%:*}\` must be" "$tmp/log"
	fi
done

tap_done

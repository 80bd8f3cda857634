#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# What the preload registers, which session is told of it, and that the
# program does not notice. Looks at babeltrace2's text of the raw trace.
: "${srcdir:=$(dirname "$0")/..}" "${CC:=cc}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/lttng.sh"
lttng_setup
system_srcdir=$(cd "$srcdir/system" && pwd)
cd "$lttng_tmp" || exit 99
preload=$codectl_libs/liblttng-ust-codectl-elf.so

if ! lttng_start_daemon; then
	tap_skip "registration" "$lttng_reason"
	tap_done
	exit
fi

"$CC" -D_GNU_SOURCE -g -O2 -rdynamic -Wl,--build-id=sha1 -o loader "$system_srcdir/prog-loader.c" -pthread || exit 99
mkdir -p plugins
# With an SFrame section, if the assembler can make one.
"$CC" -g -O2 -shared -fPIC -Wl,--build-id=sha1 -Wa,--gsframe -o lib-one.so \
	"$system_srcdir/lib-marker-so.c" 2>gsframe.log ||
	"$CC" -g -O2 -shared -fPIC -Wl,--build-id=sha1 -o lib-one.so \
		"$system_srcdir/lib-marker-so.c" || exit 99
"$CC" -g -O2 -shared -fPIC -o plugins/lib-plugin.so "$system_srcdir/lib-marker-so.c" || exit 99
"$CC" -g -O2 -shared -fPIC -Wl,-rpath,"$PWD/plugins" -Wl,--enable-new-dtags \
	-o lib-runpath.so "$system_srcdir/lib-marker-so.c" || exit 99
printf 'debug' >lib-one.debug
objcopy --add-gnu-debuglink=lib-one.debug lib-one.so || exit 99

quietly() { "$@" >>lttng.log 2>&1; }

# create_session NAME EVENT
create_session()
{
	quietly lttng create "$1" --output="$lttng_tmp/$1" &&
		quietly lttng enable-event -s "$1" -u "$2" && quietly lttng start "$1"
}

end_session() { quietly lttng destroy "$1"; }

# start_loader [ENVIRONMENT…]: prog-loader under the preload; then `say` it lines.
start_loader()
{
	rm -f in out err
	mkfifo in
	env LD_PRELOAD="$preload" "$@" ./loader <in >out 2>err 9>&- &
	loader=$!
	exec 8>in
	answers=0
	say maps
	pid=${answer% *}
	vdso=${answer#* }
}

# say LINE: sets $answer.
say()
{
	echo "$1" >&8
	answers=$((answers + 1))
	has_answer() { [ "$(wc -l <out)" -ge "$answers" ] || ! kill -0 "$loader"; }
	tap_wait 30 has_answer
	answer=$(sed -n "${answers}p" out)
}

# stop_loader: end of input; sets $loader_status.
stop_loader()
{
	exec 8>&-
	wait "$loader"
	loader_status=$?
}

is_known() { lttng list -u | grep -q "PID: $pid "; }

# events DIRECTORY [PID]: the events of a process (default: the loader), one a line. A
# daemon of root has the programs of other users in its sessions too.
events()
{
	babeltrace2 --no-delta "$1" 2>>lttng.log | grep "codectl:.* vpid = ${2:-$pid},"
}

# field NAME: of each event on stdin.
field() { sed -n "s/.*[ {]$1 = \"\{0,1\}\([^\",}]*[^\",} ]\).*/\1/p"; }

# of NAME PATH: the events NAME on stdin about that file.
of() { grep "codectl:$1: .*pathname = \"$2\""; }

# within DIRECTORY: what is inside the dumps of a trace.
within() { events "$1" | sed -n '/codectl:statedump_begin/,/codectl:statedump_end/p'; }

one=$PWD/lib-one.so

# --- What is registered. ---
create_session all 'codectl:*'
create_session other 'other:*'
start_loader
# Executable mappings of files, as "start path"; registrations must have the same.
awk '$2 ~ /x/ && $6 ~ /^\// { print "0x" $1, $6 }' "/proc/$pid/maps" |
	sed 's/-[^ ]*//' | sort >maps.txt
say 'open ./lib-one.so'
first_place=$answer
say close
say 'open ./lib-one.so'
second_place=$answer
say close
say "churn 40 $one"
churn_places=$answer
say "open $one"
say "sneak $one"
say close
say "open $one"
say "mopen $one"
mopened=$answer
say "via $PWD/lib-runpath.so"
runpath=$answer
say libc
libc_work=$answer
awk '$2 ~ /x/ && $6 ~ /libnss_hesiod|EUC-JP|libgcc_s/ { print $6 }' "/proc/$pid/maps" | sort >by-libc.txt
stop_loader
end_session all
end_session other

events all >all.txt
tap_equal "the program is not disturbed" "$loader_status,$(cat err)" "0,"
tap_equal "a session without our events gets none" "$(babeltrace2 other 2>>lttng.log | grep -c codectl:)" 0
sed '/lib-one/,$d' all.txt >start.txt
# Text ranges start at the segment, mappings at its page; the loader resolves links.
grep codectl:register_elf start.txt | grep -v '\[vdso\]' | while read -r line; do
	start=$(echo "$line" | field text_start)
	path=$(echo "$line" | field pathname)
	printf '0x%012x %s\n' $((start & ~4095)) "$(readlink -f "$path")"
done | sort >registered.txt
tap_check "every object is registered at start, once" diff maps.txt registered.txt
tap_equal "the vDSO too" "$(of register_elf '\[vdso\]' <start.txt | field elf_start)" \
	"$(printf '0x%X' $((vdso)))"
of register_elf "$one" <all.txt >one.txt
tap_equal "a path is absolute even if it was loaded by a relative one" \
	"$(grep -c 'pathname = "\./' all.txt)" 0
tap_equal "the build-id is the file's" \
	"$(head -n 1 one.txt | sed 's/.* build_id = \[ \(.*\) \], debug_link.*/\1/' | tr , '\n' |
		sed 's/.*= 0x//' | awk '{ printf "%2s", $1 }' | tr ' A-F' 0a-f)" \
	"$(readelf -n "$one" | sed -n 's/.*Build ID: //p')"
tap_equal "the debug link is the file's" \
	"$(head -n 1 one.txt | field debug_link_pathname) $(head -n 1 one.txt | field debug_link_crc)" \
	"lib-one.debug $(/usr/bin/python3 -c 'import zlib; print("0x%X" % zlib.crc32(b"debug"))')"
if [ -s gsframe.log ]; then
	tap_skip "the SFrame section's range" "$(head -n 1 gsframe.log)"
else
	# Address and size of the section; the segment is longer.
	read -r address size < <(readelf -SW "$one" | sed -n 's/.* \.sframe  *[A-Z_]*  *\([0-9a-f]*\) [0-9a-f]* \([0-9a-f]*\) .*/\1 \2/p')
	base=$(head -n 1 one.txt | field elf_start)
	tap_equal "the SFrame section's range" \
		"$(head -n 1 one.txt | field sframe_start) $(head -n 1 one.txt | field sframe_end)" \
		"$(printf '0x%X 0x%X' $((base + 0x$address)) $((base + 0x$address + 0x$size)))"
fi
tap_equal "the preload keeps the RUNPATH of a library which loads another" "$runpath" loaded

sed -n 's/.*register_elf:.*, pathname = "\([^"]*\)".*/\1/p' all.txt >paths.txt
tap_equal "what the C library itself loads: names, character sets, libgcc_s" \
	"$libc_work $(wc -l <by-libc.txt) $(while read -r path; do
		xargs -d '\n' readlink -f <paths.txt | grep -cx "$(readlink -f "$path")"
	done <by-libc.txt | xargs)" "converts 1 3 1 1 1"

# --- One epoch after the other. ---
# The first two opens, 40 times, one before and one past the preload, one more;
# then another namespace.
tap_equal "reopened at the same address" "$first_place,$churn_places" "$second_place,1"
tap_equal "each load is a registration of its own" "$(field serial <one.txt | sort -u | wc -l)" 46
of_base=$(head -n 1 one.txt | field text_start)
tap_equal "dlmopen() is seen" \
	"$(grep -vc "text_start = $of_base," one.txt) $(tail -n 1 one.txt | field text_start)" \
	"1 $(printf '0x%X' $((mopened & ~4095)))"
awk -v base="$of_base" '
	function number(name) { match($0, " " name " = [0-9]+"); return substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 4) }
	$0 !~ "text_start = " base "," { next }
	/register_elf/ { if (open) print "registered twice: " $0; open = number("serial") }
	/unregister/ { if (number("registered_serial") != open) print "another ended: " $0; open = 0 }
	{ time = number("timestamp"); if (time < last) print "time goes back: " $0; last = time }
' all.txt >epochs.txt
tap_equal "each epoch ends before the next begins at that address" "$(cat epochs.txt)" ""
grep -E 'codectl:(register_elf|unregister):' all.txt | field serial >serials.txt
seq "$(wc -l <serials.txt)" >counted.txt
tap_check "serials rise one by one" diff counted.txt serials.txt
tap_equal "a program started within a session gets one dump, before everything else" \
	"$(head -n 2 all.txt | sed 's/.*\(codectl:[a-z_]*\).*/\1/' | xargs) $(grep -c statedump_begin all.txt)" \
	"codectl:statedump_begin codectl:statedump_end 1"

# --- Sessions that come late. ---
create_session early 'codectl:*'
start_loader
say "open $one"
tap_wait 20 is_known
create_session late 'codectl:*'
create_session bystander 'other:*'
quietly lttng create after --output="$lttng_tmp/after"
quietly lttng enable-event -s after -u 'other:*'
quietly lttng start after
quietly lttng enable-event -s after -u 'codectl:*'
has_dump() { quietly lttng rotate "$1"; events "$1" | grep -q statedump_end; }
tap_wait 20 has_dump after
say close
end_session bystander
quietly lttng stop early
quietly lttng regenerate statedump -s late
stop_loader
end_session early
end_session late
end_session after

events early | grep codectl:register_elf | field serial >early.txt
live=$(wc -l <early.txt)
within late >late.txt
tap_equal "a late session gets one complete dump, and one more on request" \
	"$(grep -c statedump_begin late.txt) $(grep statedump_begin late.txt | field count | xargs)" \
	"2 $live $((live - 1))"
sed '/statedump_end/q' late.txt >first-dump.txt
tap_equal "the dump has the original serials" \
	"$(grep register_elf first-dump.txt | field serial | sort -n)" "$(cat early.txt)"
tap_equal "and the original times" \
	"$(grep register_elf first-dump.txt | field timestamp | sort -n)" \
	"$(events early | grep codectl:register_elf | field timestamp)"
tap_equal "the dump comes before anything else" \
	"$(events late | head -n 1 | grep -c statedump_begin)" 1
tap_equal "events enabled after the start: a complete dump, one" \
	"$(within after | grep -c codectl:register_elf) $(events after | grep -c statedump_begin)" "$live 1"
tap_equal "a session that was there already gets no other's dump" \
	"$(events early | grep -c statedump_begin)" 1
tap_equal "nor does a session without our events" "$(babeltrace2 bystander 2>>lttng.log | grep -c codectl:)" 0

# --- Processes. ---
create_session forked 'codectl:*'
start_loader LD_PRELOAD="$preload:liblttng-ust-fork.so"
parent=$pid
say "fork $one"
child=${answer% *}
child_status=${answer#* }
stop_loader
start_loader
say "fork $one"
plain_child=${answer% *}
plain_status=${answer#* }
stop_loader
# shellcheck disable=SC2016 # For the inner shell.
env LD_PRELOAD="$preload" sh -c 'echo $$ >exec.pid; exec ./loader' </dev/null
end_session forked
events forked "$child" >child.txt
tap_equal "children live" "$child_status,$plain_status" "0,0"
tap_equal "a forked child has its own dump and its own start" \
	"$(grep -c statedump_begin child.txt) $(field start_time <child.txt | sort -u | wc -l)" "1 1"
tap_equal "the child's start is not the parent's" \
	"$(field start_time <child.txt | sort -u | grep -c "$(events forked "$parent" | head -n 1 | field start_time)")" 0
tap_equal "the child's dump is complete" \
	"$(sed '/statedump_end/q' child.txt | grep -c codectl:register_elf)" \
	"$(grep statedump_begin child.txt | field count)"
tap_equal "the child registers what it loads" "$(of register_elf "$one" <child.txt | wc -l)" 1
tap_equal "without liblttng-ust-fork a child is silent" "$(events forked "$plain_child" | wc -l)" 0
tap_equal "exec begins a new image of the same process" \
	"$(events forked "$(cat exec.pid)" | field start_time | sort -u | wc -l)" 2

# --- The host comes to no harm. ---
create_session busy 'codectl:*'
hung=0
for _ in 1 2 3 4 5 6 7 8 9 10; do
	echo "threads-exit $one" |
		timeout 30 env LD_PRELOAD="$preload" ./loader >host.out 2>host.err 9>&-
	[ "$?,$(cat host.out host.err)" = "3," ] || hung=$((hung + 1))
done
end_session busy
tap_equal "exit() while other threads load and unload" "$hung" 0
lttng_stop_daemon
# same_result COMMAND…
same_result()
{
	"$@" >plain.out 2>plain.err
	plain=$?
	LD_PRELOAD=$preload "$@" >loaded.out 2>loaded.err
	tap_equal "without a daemon, the same result of: $*" "$? $(cat loaded.out loaded.err)" \
		"$plain $(cat plain.out plain.err)"
}
same_result ls /
same_result /usr/bin/python3 -c 'import sys; sys.exit("on stderr")'
same_result sh -c 'exit 7'
# shellcheck disable=SC2016 # For the inner shell.
same_result sh -c 'kill -9 $$' 2>/dev/null
tap_done

#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# What may happen to a recording: its daemons die, its disk gets full, its
# directory cannot be written. The program goes on, the trace up to then is
# good, and the message says what happened.
: "${srcdir:=$(dirname "$0")/..}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/lttng.sh"
lttng_setup
. "$srcdir/lib/record.sh"
system_srcdir=$(cd "$system_srcdir" && pwd)
srcdir=$(dirname "$system_srcdir")
cd "$lttng_tmp" || exit 99

sh "$system_srcdir/gen-chain.sh" >chain.c
compile chain chain.c -fno-optimize-sibling-calls
compile lib-full-disk.so "$system_srcdir/lib-full-disk-so.c" -shared -fPIC -ldl
# Works, waits to be told, works again, and ends in its own way.
cat >program.sh <<'END'
./chain 1 >/dev/null
echo half
read -r line <go
./chain 0.3 >/dev/null
exit 3
END
mkfifo go

# start_recording NAME: a program in the middle of its work, recorded.
start_recording()
{
	"$codectl_command" record -F 499 -o "$1.data" -- sh program.sh >"$1.out" 2>"$1.log" &
	recorder=$!
	tap_wait 60 grep half "$1.out"
}

# end_recording NAME MESSAGE: the program goes on to its end; what was recorded is readable.
end_recording()
{
	tap_check "$1: it is told when it happens" tap_wait 60 grep -q "$2" "$1.log"
	tap_check "$1: the program goes on" kill -0 "$recorder"
	echo >go
	wait "$recorder"
	tap_equal "$1: the exit status is the program's" $? 3
	samples "$1.data" >"$1.txt" 2>>"$1.log"
	check_complete "$1: the trace up to then" "$1.txt" 99 10
	tap_equal "$1: no error" "$(grep error "$1.log")" ""
}

# A buffer is written a second after its first event at the latest.
samples_are_written() { [ "$(babeltrace2 "$1.data" 2>/dev/null | grep -c codectl:sample)" -ge 10 ]; }

if lttng_start_daemon; then
	start_recording no-sessiond
	kill -9 "$lttng_daemon"
	end_recording no-sessiond 'The session daemon has died'
	lttng_stop_daemon
else
	tap_skip "the session daemon dies" "$lttng_reason"
fi

if lttng_start_daemon; then
	start_recording no-consumerd
	tap_wait 20 samples_are_written no-consumerd
	for consumer in $(pgrep -P "$lttng_daemon" -f lttng-consumerd); do
		kill -9 "$consumer"
	done
	end_recording no-consumerd 'The consumer daemon has died'
	# Such a daemon can serve nobody; that is told too.
	"$codectl_command" record -o useless.data -- true 2>useless.log
	tap_equal "a daemon without a consumer cannot record" \
		"$? $(grep -c '^codectl: error: Cannot' useless.log)" "1 1"
	lttng_stop_daemon
else
	tap_skip "the consumer daemon dies" "$lttng_reason"
fi

# Half a packet at the end of a stream, which the consumer daemon then gives up.
if LD_PRELOAD=$lttng_tmp/lib-full-disk.so lttng_start_daemon; then
	"$codectl_command" record -F 999 --buffer-size=64K -o full.data -- ./chain 5 >/dev/null 2>full.log
	tap_equal "a disk full for a while: the exit status is the program's" $? 0
	tap_check "a disk full for a while: half a packet was taken out" \
		grep -q '[0-9] bytes of half-written packets are taken out: .* where writing failed' full.log
	samples full.data >full.txt 2>>full.log
	check_complete "a disk full for a while: the rest is good" full.txt 99 30
	tap_note "$(cat full.log)"
	lttng_stop_daemon
else
	tap_skip "a full disk" "$lttng_reason"
fi

# A real one, where one can be made.
mkdir small
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=256k none small 2>/dev/null; then
	"$codectl_command" record -F 999 -o small/data -- ./chain 3 >/dev/null 2>small.log
	tap_equal "a small disk: the exit status is the program's" $? 0
	tap_check "a small disk: it is told" grep -qi 'no space left on' small.log
	tap_check "a small disk: what there is of the trace is readable" samples small/data
	umount small
fi

# A directory that cannot be made, or written.
for directory in no/such/place /proc/here chain/below; do
	"$codectl_command" record -o "$directory" -- touch touched 2>directory.log
	tap_equal "cannot write $directory: status and message" \
		"$? $(grep -c "^codectl: error: .*$directory" directory.log) $(wc -l <directory.log)" \
		"1 1 1"
done
tap_check "without a recording no program" test ! -e touched
tap_done

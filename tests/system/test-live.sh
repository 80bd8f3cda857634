#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# filter.codectl.debug-info behind src.ctf.lttng-live: events of a program are named while
# it runs. A relay daemon of its own, on ports that are free.
: "${srcdir:=$(dirname "$0")/..}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/lttng.sh"
lttng_setup
. "$srcdir/lib/record.sh"
system_srcdir=$(cd "$system_srcdir" && pwd)
cd "$lttng_tmp" || exit 99

if ! lttng_start_daemon; then
	tap_skip "live sessions" "$lttng_reason"
	tap_done
	exit
fi

relay=
viewer=
program=

# What was started, by its pid.
live_teardown()
{
	touch "$lttng_tmp/stop"
	for live_pid in $viewer $program $relay; do
		kill "$live_pid" 2>/dev/null
	done
	relay_is_gone() { is_gone "$relay"; }
	[ -z "$relay" ] || tap_wait 20 relay_is_gone || kill -9 "$relay"
	lttng_teardown
}
trap live_teardown EXIT

quietly() { "$@" >>lttng.log 2>&1; }

# Prints three ports that nobody uses now.
free_ports()
{
	/usr/bin/python3 -c '
import socket
sockets = [socket.socket() for _ in range(3)]
for each in sockets:
    each.bind(("127.0.0.1", 0))
print(*(each.getsockname()[1] for each in sockets))'
}

accepts() { /usr/bin/python3 -c 'import socket, sys; socket.create_connection(("127.0.0.1", int(sys.argv[1])), 1)' "$1"; }

# is_ready PORT: the relay daemon answers there, or has ended.
is_ready() { is_gone "$relay" || accepts "$1"; }

# Somebody may take one of the ports first: another try, with others.
start_relay()
{
	for _ in 1 2 3 4 5; do
		read -r control_port data_port live_port < <(free_ports)
		lttng-relayd -v --control-port="tcp://127.0.0.1:$control_port" \
			--data-port="tcp://127.0.0.1:$data_port" --live-port="tcp://127.0.0.1:$live_port" \
			--output="$lttng_tmp/relay" >relay.log 2>&1 9>&- &
		relay=$!
		tap_wait 20 is_ready "$live_port"
		is_gone "$relay" || return 0
	done
	return 1
}

if ! start_relay; then
	tap_not_ok "a relay daemon" "$(cat relay.log)"
	tap_done
	exit
fi

compile live "$system_srcdir/prog-live.c" -fno-omit-frame-pointer -fno-optimize-sibling-calls \
	-I "$system_srcdir" -llttng-ust -ldl
quietly lttng create live --live=200000 --ctrl-url="tcp://127.0.0.1:$control_port" \
	--data-url="tcp://127.0.0.1:$data_port"
quietly lttng enable-event -s live -u 'traced:*,codectl:*,lttng_ust_*'
quietly lttng add-context -s live -u -t vpid -t ip
quietly lttng start live
# Babeltrace 2.0.4 may crash if what describes a trace grows while it reads it: so one
# program has registered all its events before.
LD_PRELOAD=$codectl_preload ./live . >live.log 2>&1 9>&-

# start_viewer NAME: $viewer, with its output in NAME.txt, which shall not wait until a
# block is full.
start_viewer()
{
	# What a shell starts in the background ignores this signal.
	env --default-signal=INT stdbuf -oL babeltrace2 --plugin-path="$codectl_plugins" \
		--component=source.ctf.lttng-live \
		--params="inputs=[\"net://127.0.0.1:$live_port/host/$(hostname)/live\"],session-not-found-action=\"end\"" \
		--component=filter.codectl.debug-info --params='callstack-fields="stack"' \
		>"$1.txt" 2>"$1.err" 9>&- &
	viewer=$!
}

start_viewer live
# What comes before it is there is not for it.
is_attached() { grep -q "Viewer get next index" relay.log || is_gone "$viewer"; }
tap_wait 60 is_attached
LD_PRELOAD=$codectl_preload ./live "$lttng_tmp/stop" >live.log 2>&1 9>&- &
program=$!

address='traced:work: .* debug_info = { bin = "live+0x[0-9a-f]*", func = "inner+0x[0-9a-f]*", src = "prog-live.c:[0-9]*" }'
sample='codectl:sample: .* func = "compute+0x.* func = "outer+0x.* func = "main+0x.* stack_end = "outermost"'
stack='traced:stack: .* stack_debug_info = \[ \[0\] = { bin = "live+[^}]* func = "inner+0x.* func = "outer+0x.* func = "main+0x[^]]*\]'
sees() { grep -q "$1" live.txt || is_gone "$viewer"; }
for what in address sample stack; do
	tap_wait 60 sees "${!what}"
	tap_check "$what: named in a live session" grep -q "${!what}" live.txt
done
# They have a field of that name as well.
tap_equal "… but raw stacks of samples" "$(grep -c 'codectl:sample: .*stack_debug_info' live.txt)" 0
tap_check "… while the program runs" kill -0 "$program"
tap_check "… and the viewer goes on" kill -0 "$viewer"
[ "$tap_failed" -eq 0 ] || tap_note "$(tail -n 5 live.txt live.err relay.log lttng.log)"

# Another one, which was not there when the state dump was made. A session has one at a time.
kill -INT "$viewer"
viewer_is_gone() { is_gone "$viewer"; }
tap_wait 60 viewer_is_gone
tap_check "a viewer ends when it is interrupted" viewer_is_gone
viewer_is_gone || kill -9 "$viewer"
wait "$viewer"
tap_check "… and does not crash" test $? -lt 128
# The first events may come before what is told of the process, and in a live session
# nothing waits.
tap_equal "events are named to the last" \
	"$(grep 'traced:work: ' live.txt | tail -n 10 | grep -c "$address")" 10
start_viewer late
sees_late() { grep -q "$1" late.txt || is_gone "$viewer"; }
tap_wait 60 sees_late 'traced:work: '
quietly lttng regenerate statedump -s live
tap_wait 60 sees_late "$address"
tap_check "a viewer that comes late: named after another state dump" grep -q "$address" late.txt
tap_wait 60 sees_late "$sample"
tap_check "… samples as well" grep -q "$sample" late.txt

touch stop
program_is_gone() { is_gone "$program"; }
tap_wait 60 program_is_gone || kill "$program"
wait "$program"
tap_equal "the program ends well" $? 0
program=
quietly timeout 60 lttng destroy live
tap_wait 60 viewer_is_gone
tap_check "the viewer ends with the session" viewer_is_gone
if viewer_is_gone; then
	wait "$viewer"
	tap_equal "… well" $? 0
	viewer=
fi
tap_done

#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# `make stress`: a program that does everything at once (stress.c), recorded at
# 10 kHz in rounds, while other sessions start and stop all the time. No round
# may hang or crash, and each sample is compared with the program's own record
# of where it was (check.py), in the recording and in the other sessions.
#
#   STRESS_SECONDS  how long (1800)
#   STRESS_ROUND    seconds of a round (60)
#   STRESS_OPTIONS  options of codectl record (-F 10000)
#   STRESS_CFLAGS   for the program and its plugins (-O2)
#   STRESS_FORKERS  threads that fork, spawn and exec (2)
#   STRESS_CHECK    no: only that nothing hangs or crashes
#   STRESS_TSAN     yes: under ThreadSanitizer. It delivers signals late, so nothing is
#                   checked, and hangs by itself in a child of fork(), so nothing forks.
#   CC              the compiler
: "${srcdir:=$(dirname "$0")/..}"
: "${STRESS_SECONDS:=1800}" "${STRESS_ROUND:=60}" "${STRESS_OPTIONS:=-F 10000}"
: "${STRESS_CFLAGS:=-O2}" "${STRESS_CHECK:=yes}" "${STRESS_FORKERS:=2}" "${CC:=cc}"
if [ "${STRESS_TSAN:-no}" = yes ]; then
	STRESS_CFLAGS='-O1 -fsanitize=thread' STRESS_CHECK=no STRESS_FORKERS=0
fi
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/lttng.sh"
lttng_setup
srcdir=$(cd "$srcdir" && pwd)
cd "$lttng_tmp" || exit 99

plugin_count=12
# The watched process is the child of one that has threads, LTTng-UST's. And our mutexes
# look unlocked to ThreadSanitizer, which knows nothing of pthread_mutex_clocklock().
printf '%s\n' mutex:liblttng-ust-codectl mutex:run_postfork_handlers >tsan.suppressions
export TSAN_OPTIONS="die_after_fork=0 suppressions=$lttng_tmp/tsan.suppressions ${TSAN_OPTIONS:-}"

build()
{
	# shellcheck disable=SC2086 # Several options.
	for number in $(seq -w 0 $((plugin_count - 1))); do
		number=$(printf '%02d' "$((10#$number))")
		"$CC" -g $STRESS_CFLAGS -I"$srcdir/stress" -DNUMBER="$number" -shared -fPIC \
			-fno-optimize-sibling-calls -o "lib-plugin-$number.so" \
			"$srcdir/stress/plugin-so.c" || return 1
	done
	# shellcheck disable=SC2086 # Several options.
	"$CC" -g $STRESS_CFLAGS -I"$srcdir/stress" -pthread -o stress "$srcdir/stress/stress.c" -ldl
}

# Sessions that come and go until the file `stop` is there; the last few traces are kept.
run_sessions()
{
	number=0
	while [ ! -e stop ]; do
		number=$((number + 1))
		name=other-$number
		lttng create "$name" --output="$lttng_tmp/$name" &&
			lttng enable-channel -s "$name" -u --subbuf-size=1M --num-subbuf=4 own &&
			lttng enable-event -s "$name" -u -c own 'codectl:*' &&
			lttng start "$name" && sleep "0.$((RANDOM % 9))$((number % 4))" &&
			lttng regenerate statedump -s "$name" && sleep "0.$((RANDOM % 9))" &&
			lttng stop "$name" && timeout 60 lttng destroy "$name" || {
			: >sessions.failed
			break
		}
		rm -rf "other-$((number - 8))"
	done
	echo "$number" >sessions
}

check_round()
{
	result=$(BABELTRACE_PLUGIN_PATH=$codectl_plugins /usr/bin/python3 "$srcdir/stress/check.py" \
		"$1" truth "$2" 2>check.log)
	if [ $? = 0 ]; then
		tap_ok "round $round, $3: $result"
	else
		tap_not_ok "round $round, $3: $result" "$(tail -n 12 check.log)"
	fi
}

# run_round SECONDS
run_round()
{
	rm -rf truth stop sessions sessions.failed round.data other-*
	run_sessions >sessions.log 2>&1 &
	# shellcheck disable=SC2086 # Several options.
	timeout --kill-after=10 $((STRESS_ROUND + 300)) "$codectl_command" record $STRESS_OPTIONS \
		-o round.data -- ./stress "$1" "$STRESS_FORKERS" truth ./lib-plugin-*.so >stress.out 2>stress.log
	tap_equal "round $round: ends well" $? 0
	: >stop
	wait
	tap_note "$(cat stress.out stress.log)"
	tap_check "round $round: $(cat sessions) other sessions" test ! -e sessions.failed
	[ "$STRESS_CHECK" = yes ] || return 0
	# Timers give 100 samples a second and CPU at least; a machine may have others to serve.
	check_round round.data $(($1 * 10)) "the recording"
	for other in other-*; do
		check_round "$other" 0 "$other"
	done
}

if ! lttng_start_daemon; then
	tap_skip "stress" "$lttng_reason"
	tap_done
	exit
fi
build || exit 99
round=0
left=$STRESS_SECONDS
while [ "$left" -gt 0 ]; do
	round=$((round + 1))
	run_round $((left < STRESS_ROUND ? left : STRESS_ROUND))
	left=$((left - STRESS_ROUND))
	if [ "$tap_failed" -gt 0 ]; then
		kept=$(mktemp -d "${TMPDIR:-/tmp}/codectl-stress.XXXXXX")
		cp -r . "$kept"
		tap_note "everything of this round is in $kept"
		break
	fi
done
tap_done

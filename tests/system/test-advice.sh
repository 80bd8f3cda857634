#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# What `codectl record` says of what is missing in a recording, and why.
: "${srcdir:=$(dirname "$0")/..}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/lttng.sh"
lttng_setup
. "$srcdir/lib/record.sh"
system_srcdir=$(cd "$system_srcdir" && pwd)
cd "$lttng_tmp" || exit 99

# said COMMAND…: what is said while it is recorded.
said() { "$codectl_command" record -F 500 -o data "$@" 2>&1 >/dev/null; }

# check_said NAME PATTERN TEXT
check_said()
{
	if printf '%s\n' "$3" | grep -q "$2"; then
		tap_ok "$1"
	else
		tap_not_ok "$1" "said: $3"
	fi
}

compile host "$system_srcdir/prog-host.c" -D_GNU_SOURCE -pthread
check_said "a thread that blocks all signals is named" \
	'Thread [0-9]* (host) of process [0-9]* used 0.[2-9] s of CPU time, but' \
	"$(said -- ./host block-directly)"
tap_equal "one that can be sampled is not" \
	"$(said -- ./host spin | grep -c 'but its samples')" 0

echo 'int main(void) { return 0; }' >nothing.c
compile static nothing.c -static
check_said "a static program" './static is static' "$(said -- ./static)"
printf '#!./static\n' >script
chmod +x script
check_said "a script of a static program" 'what interprets ./script' "$(said -- ./script)"
if [ "$(id -u)" = 0 ] || ! [ -u "$(command -v su)" ]; then
	tap_ok "a set-user-ID program: raises no rights here"
else
	check_said "a set-user-ID program" 'set-user-ID or the like' "$(said -- su --help)"
fi
musl=$(command -v musl-gcc)
if [ -n "$musl" ]; then
	"$musl" -o musl nothing.c || exit 99
	check_said "a program of musl" 'another C library than glibc (loader: .*musl' \
		"$(said -- ./musl)"
else
	tap_skip "a program of musl" "musl-gcc is not installed"
fi
tap_equal "the wall clock needs nothing" "$(said --clock=wall -- true | grep -ci perf)" 0
"$codectl_command" record --clock=wall -o wall.data -- sleep 0.5 >/dev/null 2>&1
check_said "a report tells that it is of real time" '^# clock: real time' \
	"$("$codectl_command" report wall.data 2>&1)"
tap_equal "the recording tells its clock" "$(grep ^clock: wall.data/recording.txt)" "clock: wall"
tap_done

#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# Programs that lock themselves in, throw things away, become another user or
# die: they end as they would without us, and what they did is in the samples.
: "${srcdir:=$(dirname "$0")/..}" "${CC:=cc}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/lttng.sh"
lttng_setup
. "$srcdir/lib/record.sh"
system_srcdir=$(cd "$system_srcdir" && pwd)
srcdir=$(cd "$srcdir" && pwd)
cd "$lttng_tmp" || exit 99

if ! lttng_start_daemon; then
	tap_skip "odd programs" "$lttng_reason"
	tap_done
	exit
fi

"$CC" -D_GNU_SOURCE -g -O1 -fno-optimize-sibling-calls -o odd "$system_srcdir/prog-odd.c" \
	-pthread || exit 99
export LTTNG_UST_CODECTL_HZ=500

# run_odd MODE STATUS [ARGUMENT]: the program ends as expected; makes MODE.samples.
run_odd()
{
	{ lttng_trace "$1" timeout 60 ./odd "$1" "${3:-}" >"$1.out" 2>&1; } 2>/dev/null
	tap_equal "$1: it ends as without us" $? "$2"
	[ ! -s "$1.out" ] || tap_note "$(cat "$1.out")"
	samples "$1.trace" >"$1.samples" 2>>lttng.log
}

# seen MODE FUNCTION: how many threads were sampled in it, and the weight of the samples.
seen()
{
	awk -F '\t' -v name="$2" 'index(";" $5 ";", ";" name ";") {
		if (!threads[$1, $2]++)
			count++
		weight += $3
	} END { print count + 0, weight + 0 }' "$1.samples"
}

# check_seen MODE FUNCTION LEAST-THREADS LEAST-WEIGHT
check_seen()
{
	seen_result=$(seen "$1" "$2")
	if [ "${seen_result% *}" -ge "$3" ] && [ "${seen_result#* }" -ge "$4" ]; then
		tap_ok "$1: $2 is in the samples"
	else
		tap_not_ok "$1: $2 is in the samples" "threads and weight: $seen_result, not $3 $4"
	fi
}

run_odd seccomp-strict 0
check_seen seccomp-strict spin_locked_in 2 80
run_odd seccomp-all 0
# Threads that begin in there are not found.
check_seen seccomp-all spin_afterwards 1 40
run_odd own-profiler 0
check_seen own-profiler spin_afterwards 1 80
run_odd reset-directly 0
check_seen reset-directly spin_afterwards 1 40
run_odd at-exit 0
check_seen at-exit spin_in_handler 1 20
check_seen at-exit spin_in_destructor 1 20
run_odd daemon 0
check_seen daemon spin_afterwards 2 80
run_odd close-all 0
check_seen close-all spin_afterwards 2 80
run_odd sigkill 137
check_seen sigkill spin_afterwards 1 40
run_odd fault 139
check_seen fault spin_afterwards 1 40
run_odd spawn 0
check_seen spawn spin_afterwards 2 80
run_odd fork-in-threads 0
check_seen fork-in-threads spin_afterwards 6 200
run_odd exec-fails 0
run_odd last-thread 0
check_seen last-thread spin_afterwards 2 80
for clock in cpu perf; do
	export LTTNG_UST_CODECTL_CLOCK=$clock
	if [ "$(id -u)" = 0 ]; then
		mkdir -p empty
		run_odd chroot 0 empty
		check_seen chroot spin_afterwards 2 40
		run_odd setuid 0
		check_seen setuid spin_afterwards 3 60
	fi
	rm -rf chroot.trace setuid.trace
done
run_odd close-all 0
check_seen close-all spin_afterwards 2 40
for clock in perf wall; do
	export LTTNG_UST_CODECTL_CLOCK=$clock
	run_odd exec 0 8
	check_seen exec spin_afterwards 1 100
	rm -rf exec.trace
done
tap_done

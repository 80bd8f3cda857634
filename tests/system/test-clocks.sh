#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# Each clock sees what it should: threads of two milliseconds by the CPU clocks,
# and sleeping threads by the wall clock, which must not wake them up.
: "${srcdir:=$(dirname "$0")/..}" "${CC:=cc}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/lttng.sh"
lttng_setup
. "$srcdir/lib/record.sh"
system_srcdir=$(cd "$system_srcdir" && pwd)
srcdir=$(cd "$srcdir" && pwd)
cd "$lttng_tmp" || exit 99

if ! lttng_start_daemon; then
	tap_skip "clocks" "$lttng_reason"
	tap_done
	exit
fi

for program in short sleep; do
	"$CC" -D_GNU_SOURCE -g -O1 -fno-optimize-sibling-calls -o $program \
		"$system_srcdir/prog-$program.c" -pthread || exit 99
done

# is_between NUMBER LEAST MOST
is_between() { awk "BEGIN { exit !($1 >= $2 && $1 <= $3) }"; }

# check_short NAME LEAST: that share of the CPU time of 300 threads of 2 ms is seen.
check_short()
{
	lttng_trace "$1" timeout 120 ./short 300 2 >"$1.ms"
	tap_equal "$1: all ways to begin and to end a thread work" $? 0
	ms=$(cat "$1.ms")
	tap_check "$1: their CPU time ($ms ms) is in the statistics" \
		is_between "$(sum_stats cpu_time "$1.txt")" "${ms}e6 * 0.95" "${ms}e6 * 1.5"
	tap_check "$1: it is in the samples" \
		is_between "$(sum_weights "$1.txt")" "$ms * $2" "$ms * 1.5"
	tap_equal "$1: every sample is in the trace" "$(count_samples "$1.txt")" \
		"$(sum_stats taken "$1.txt")"
}

export LTTNG_UST_CODECTL_HZ=1000
check_short cpu 0.5
export LTTNG_UST_CODECTL_CLOCK=perf
cat >probe.c <<'END'
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void)
{
	struct perf_event_attr attributes = {.type = PERF_TYPE_SOFTWARE, .size = sizeof(attributes),
		.config = PERF_COUNT_SW_TASK_CLOCK, .exclude_kernel = 1};
	return syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0) < 0;
}
END
"$CC" -o probe probe.c || exit 99
if ./probe; then
	# Without privileges, time in the kernel is not counted.
	check_short perf 0.3
	LTTNG_UST_CODECTL_HZ=9999 lttng_trace fast ./sleep 0.3 >/dev/null
	tap_check "perf: far more samples than the kernel has ticks, each of weight 1" \
		is_between "$(count_samples fast.txt)" \
		"$(sum_stats cpu_time fast.txt) / 1e9 * 2000" "$(sum_weights fast.txt)"
else
	# The timers stand in, and nobody is harmed.
	check_short perf 0.5
fi

# Five threads for one second at 100 Hz.
LTTNG_UST_CODECTL_HZ=100 LTTNG_UST_CODECTL_CLOCK=wall lttng_trace wall ./sleep 1 >interruptions
tap_equal "wall: no sleep was interrupted" "$(cat interruptions)" 0
samples wall.trace >wall.samples
for function in sleep_in_poll sleep_in_nanosleep sleep_in_epoll wait_for_lock spin; do
	tap_check "wall: $function is there for its time" is_between "$(
		awk -F '\t' -v name="$function" 'index($5, name) { n += $3 } END { print n + 0 }' \
			wall.samples)" 50 130
done
tap_check "wall: far fewer events than samples" is_between "$(count_samples wall.txt)" 20 250
tap_equal "wall: the samples say so" \
	"$(grep 'codectl:sample: ' wall.txt | grep -vc ' kind = 1,')" 0
tap_equal "wall: every sample is in the trace" "$(count_samples wall.txt)" \
	"$(sum_stats taken wall.txt)"

# One thread, that pthread_create() knows nothing of by the user's wish.
unset LTTNG_UST_CODECTL_CLOCK
LTTNG_UST_CODECTL_WITHOUT_THREAD_START=1 lttng_trace without ./sleep 0.3 >/dev/null
tap_equal "pthread_create() is left alone: threads are sampled" \
	"$(awk -v n="$(count_samples without.txt)" 'BEGIN { print (n > 0) }')" 1
tap_done

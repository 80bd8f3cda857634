#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# Programs that do unusual things live on under the sampler, are sampled, and
# every sample that was taken is in the trace. Looks at babeltrace2's text of
# the raw trace.
: "${srcdir:=$(dirname "$0")/..}" "${CC:=cc}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/lttng.sh"
lttng_setup
system_srcdir=$(cd "$srcdir/system" && pwd)
cd "$lttng_tmp" || exit 99

if ! lttng_start_daemon; then
	tap_skip "sampler" "$lttng_reason"
	tap_done
	exit
fi

"$CC" -D_GNU_SOURCE -g -O1 -o host "$system_srcdir/prog-host.c" -pthread || exit 99

# run_host MODE [COUNT]: prog-host in a session; sets $host_status, writes MODE.txt.
run_host()
{
	LTTNG_UST_CODECTL_HZ=500 lttng_trace "$1" timeout 120 ./host "$@"
	host_status=$?
}

# check_host MODE [COUNT]
check_host()
{
	run_host "$@"
	tap_equal "$1: the program exits as it should" "$host_status" 0
	tap_equal "$1: it was sampled" "$(awk -v n="$(count_samples "$1.txt")" 'BEGIN { print (n > 0) }')" 1
	tap_equal "$1: every sample is in the trace" "$(count_samples "$1.txt")" "$(sum_stats taken "$1.txt")"
	tap_equal "$1: none was lost" "$(sum_stats lost "$1.txt")" 0
}

for mode in spin reset-signals block-signals alternate-stack coroutines seccomp deep own-stacks; do
	check_host $mode
done
check_host threads 300
check_host exec 20
check_host fork 20

# A thread that cannot be sampled shows in the statistics.
run_host block-directly
tap_equal "block-directly: the program exits as it should" "$host_status" 0
tap_equal "block-directly: CPU time without samples is seen" \
	"$(awk -v ns="$(sum_stats cpu_time block-directly.txt)" 'BEGIN { print (ns > 190000000) }')" 1

# The stack ends with main()'s caller: nothing of the arguments and the environment is examined.
tap_equal "samples have registers, and a stack that was examined" \
	"$(grep 'codectl:sample: ' spin.txt | grep -c '_regs_length = 17.* stack_len = [1-9]')" \
	"$(count_samples spin.txt)"
tap_done

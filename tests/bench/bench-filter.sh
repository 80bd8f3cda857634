#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# bench-filter.sh: filter.codectl.debug-info beside filter.lttng-utils.debug-info,
# in turns, by the CPU time of Babeltrace: what each adds to decoding 2 000 000
# events that come from 64 places; what 10 000 distinct addresses in a file of
# 20 000 functions cost; and how much memory 1 000 000 distinct addresses take,
# whose file cannot be read.
set -u
: "${srcdir:=$(dirname "$0")/..}"
: "${top_builddir:=..}"
: "${CC:=cc}"
: "${BENCH_ROUNDS:=5}"
srcdir=$(cd "$srcdir" && pwd)
plugins=$(cd "$top_builddir/babeltrace-plugin/.libs" && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/codectl-bench.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

awk 'BEGIN { print "volatile int sink;"
	for (i = 0; i < 20000; i++)
		printf "int f%d(int x)\n{\n\tfor (int i = 0; i < x; i++)\n\t\tsink += i * %d;\n\treturn x + sink;\n}\n", i, i }' >many.c
echo "compiling 20 000 functions …" >&2
$CC -g -O1 -shared -fPIC many.c -o many.so || exit 1
nm many.so | awk '/ T f/ { print "0x" $1 }' >functions
head -n 64 functions >few
head -n 10000 functions >some
awk 'BEGIN { for (i = 0; i < 1000000; i++) printf "0x%x\n", i * 16 }' >million

# trace NAME EVENTS PATH ADDRESSES
trace() { /usr/bin/python3 "$srcdir/bench/ctf-trace.py" "$1" "$2" 0x7f0000000000 0x10000000 "$3" "$4"; }
trace events 2000000 "$scratch/many.so" few
trace pcs 10000 "$scratch/many.so" some
trace distinct 1000000 /nowhere/gone.so million

# run TRACE FILTER: CPU seconds; FILTER "" is decoding alone.
run()
{
	local TIMEFORMAT='%U %S'

	{ time babeltrace2 --plugin-path="$plugins" "$1" ${2:+--component="$2"} \
		--component=sink.utils.dummy >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }'
}

# compare NAME TRACE EVENTS: the least of some rounds.
compare()
{
	for ((round = 0; round < BENCH_ROUNDS; round++)); do
		echo "$(run "$2" "") $(run "$2" filter.codectl.debug-info) $(run "$2" filter.lttng-utils.debug-info)"
	done | awk -v name="$1" -v events="$3" '
		{ for (i = 1; i <= 3; i++) if (NR == 1 || $i < least[i]) least[i] = $i }
		END {
			ours = least[2] - least[1]; theirs = least[3] - least[1]
			printf "%-28s %8.0f %12.0f %12.0f %8.2f %8.2f %8.1f\n", name,
				least[1] * 1e9 / events, ours * 1e9 / events, theirs * 1e9 / events,
				least[2] / least[1], least[3] / least[1], theirs / ours
		}'
}

printf '%-28s %8s %12s %12s %8s %8s %8s\n' "ns per event" decode "ours adds" "theirs adds" "ours x" "theirs x" ratio
compare "2 000 000 events, 64 places" events 2000000
BENCH_ROUNDS=1 compare "10 000 distinct addresses" pcs 10000
for filter in filter.codectl.debug-info filter.lttng-utils.debug-info; do
	/usr/bin/python3 - "$filter" babeltrace2 --plugin-path="$plugins" distinct \
		--component="$filter" --component=sink.utils.dummy <<-'END'
		import resource, subprocess, sys
		subprocess.run(sys.argv[2:], stderr=subprocess.DEVNULL, check=True)
		peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
		print(f'1 000 000 distinct addresses: {peak} MiB at most with {sys.argv[1]}')
	END
done

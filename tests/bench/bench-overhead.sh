#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# bench-overhead.sh: what recording costs, beside `perf record --call-graph
# dwarf` with 8 KiB and with 64 KiB of stack, and beside nothing, interleaved in
# one run; then what the libraries cost without a session.
#
# Programs are compared by pieces of work of some ten milliseconds, whose lower
# fifth counts, and by the least of several runs: other work on the machine only
# ever adds.
set -u
: "${srcdir:=$(dirname "$0")/..}"
: "${top_builddir:=..}"
: "${BENCH_ROUNDS:=5}"
: "${BENCH_RATES:=99 999 9999}"
codectl=$(cd "$top_builddir/lttng-ust-codectl" && pwd)/codectl
libs=$(cd "$top_builddir/lttng-ust-codectl/.libs" && pwd)
run=$(cd "$top_builddir/tests/bench" && pwd)/bench-run
scratch=$(mktemp -d "${TMPDIR:-/tmp}/codectl-bench.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
command -v perf >/dev/null || { echo "bench-overhead: perf is not installed" >&2; exit 77; }

# Each of the two does the same piece of work again and again, and writes how long each took: wall
# and CPU time of its thread.
cat >pieces.py <<'PYTHON'
import json, re, sys, time, zlib
text = " ".join(str(i) for i in range(16000))
with open(sys.argv[1], "a") as out:
    for i in range(int(sys.argv[2])):
        wall, cpu = time.perf_counter(), time.thread_time()
        json.loads(json.dumps({str(i): [i] * 5 for i in range(7000)}))
        sorted(re.findall(r"\d+7", text), key=lambda s: s[::-1])
        zlib.compress(text.encode())
        out.write("%.9f %.9f\n" % (time.perf_counter() - wall, time.thread_time() - cpu))
PYTHON
cat >pieces.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double now(clockid_t clock)
{
	struct timespec time;
	clock_gettime(clock, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}
static volatile unsigned long sink;
static __attribute__((noinline)) unsigned long walk(int depth, unsigned long seed)
{
	volatile unsigned long room[12] = {seed};
	if (!depth) {
		for (int i = 0; i < 2000; i++)
			seed = seed * 6364136223846793005u + 1442695040888963407u;
		return seed;
	}
	return walk(depth - 1, seed + depth) ^ room[depth % 12];
}
int main(int argc, char **argv)
{
	FILE *out = fopen(argv[1], "a");
	for (int i = argc > 2 ? atoi(argv[2]) : 1; i > 0; i--) {
		double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_THREAD_CPUTIME_ID);
		for (int k = 0; k < 8000; k++)
			sink += walk(k % 60, i);
		fprintf(out, "%.9f %.9f\n", now(CLOCK_MONOTONIC) - wall, now(CLOCK_THREAD_CPUTIME_ID) - cpu);
	}
	return fclose(out);
}
C
${CC:-cc} -O1 -fno-optimize-sibling-calls -o pieces pieces.c || exit 1
cat >work.py <<'PYTHON'
import json, re, hashlib, zlib
text = " ".join(str(i) for i in range(20000))
for _ in range(200):
    json.loads(json.dumps({str(i): [i] * 5 for i in range(2000)}))
    sorted(re.findall(r"\d+7", text), key=lambda s: s[::-1])
    hashlib.sha256(text.encode()).hexdigest()
    zlib.compress(text.encode())
PYTHON
awk 'BEGIN { srand(1); for (i = 0; i < 700000; i++) printf "%d %d line\n", i, rand() * 100000 }' >big.txt
awk 'BEGIN { print "#include <vector>\n#include <map>\n#include <string>\n#include <algorithm>"
	for (i = 0; i < 40; i++) printf "int f%d(int *p, int n) { std::map<std::string, std::vector<int>> m; std::vector<int> v(p, p + n); std::sort(v.begin(), v.end(), [](int a, int b) { return a %% %d < b %% %d; }); m[std::to_string(n)] = v; int s = 0; for (auto &e : m) for (int x : e.second) s += x * %d; return s; }\n", i, i + 3, i + 3, i }' >big.cc
cc1plus=$(g++ -print-prog-name=cc1plus 2>/dev/null)

quietly() { "$@" >command.log 2>&1 || { echo "bench-overhead: failed: $*" >&2; cat command.log >&2; exit 1; }; }

# least FILE COLUMN: the least of the numbers in it.
least() { sort -g -k "$2,$2" "$1" | awk -v column="$2" 'NR == 1 { print $column }'; }

# typical FILE COLUMN: what a fifth of its numbers are below: with fewer, samples are too few,
# with more, whatever else the machine did is in them.
typical() { awk -v column="$2" '{ print $column }' "$1" | sort -g | awk '{ all[NR] = $1 } END { print all[int(NR / 5) + 1] }'; }

# more FILE COLUMN: by how many percent it is more than that of bare.t.
more()
{
	awk -v ours="$(typical "$1" "$2")" -v bare="$(typical bare.t "$2")" \
		'BEGIN { printf "%+.1f", 100 * (ours / bare - 1) }'
}

# record_all HZ COUNT COMMAND…: one round, of each kind once; the command gets a file and COUNT.
record_all()
{
	record_hz=$1
	record_count=$2
	shift 2
	quietly "$@" bare.t "$record_count"
	quietly "$codectl" record -F "$record_hz" -o codectl.data -- "$@" codectl.t "$record_count"
	cp command.log codectl.log
	quietly "$codectl" record --clock=perf -F "$record_hz" -o codectl.data -- "$@" clock.t "$record_count"
	cp command.log clock.log
	for size in 8192 65528; do
		quietly perf record -e cpu-clock -F "$record_hz" --call-graph "dwarf,$size" \
			-o "perf-$size.data" -- "$@" "perf-$size.t" "$record_count"
	done
}

row() { printf '%-8s %5s %8s | %8s %8s %8s %8s | %8s %8s %8s %8s | %7s %7s\n' "$@"; }

# samples_of LOG: what the command said of them, behind whatever the program wrote.
samples_of() { LC_ALL=C sed -n 's/.*codectl: \([0-9]*\) samples.*/\1/p' "$1"; }

# bench_rates NAME COUNT COMMAND…
bench_rates()
{
	rates_name=$1
	shift
	for hz in $BENCH_RATES; do
		rm -f ./*.t
		for _ in $(seq "$BENCH_ROUNDS"); do
			record_all "$hz" "$@"
		done
		row "$rates_name" "$hz" "$(typical bare.t 1 | cut -c 1-8)" \
			"$(more codectl.t 1)" "$(more clock.t 1)" "$(more perf-8192.t 1)" "$(more perf-65528.t 1)" \
			"$(more codectl.t 2)" "$(more clock.t 2)" "$(more perf-8192.t 2)" "$(more perf-65528.t 2)" \
			"$(samples_of codectl.log)" "$(samples_of clock.log)"
	done
}

# bench_sizes NAME COMMAND…: bytes per sample, with equal windows.
bench_sizes()
{
	sizes_name=$1
	shift
	for size in 8192 65528; do
		LTTNG_UST_CODECTL_STACK_SIZE=$size quietly "$codectl" record -F 199 -o codectl.data -- "$@"
		samples=$(samples_of command.log)
		quietly perf record -e cpu-clock -F 199 --call-graph "dwarf,$size" -o perf.data -- "$@"
		perf_samples=$(perf script --no-inline -F time -i perf.data 2>/dev/null | grep -c :)
		ours=$(($(du -cb codectl.data/ust/uid/*/*/codectl-samples_* | tail -n 1 | cut -f 1) / samples))
		perfs=$(($(stat -c %s perf.data) / perf_samples))
		[ "$size" = 8192 ] && small=$perfs
		printf '%-12s %7d %9d %9d %9s %12s\n' "$sizes_name" "$size" "$ours" "$perfs" \
			"$(awk "BEGIN { printf \"%.4f\", $ours / $perfs }")" \
			"$(awk "BEGIN { printf \"%.4f\", $ours / $small }")"
	done
}

# bench_session_start NAME COMMAND…: what recording adds to a program that does next to nothing.
bench_session_start()
{
	start_name=$1
	shift
	rm -f ./*.t
	for _ in $(seq 10); do
		"$run" bare.t "$@"
		quietly "$codectl" record -o codectl.data -- "$run" codectl.t "$@"
	done
	for column in 1 2; do
		printf '%-24s %-5s %10s %21s\n' "$start_name" \
			"$([ $column = 1 ] && echo wall || echo CPU)" "$(least bare.t $column)" \
			"$(least codectl.t $column)"
	done
}

# many_libraries COUNT: a program that needs so many.
many_libraries()
{
	mkdir -p "many$1"
	{
		for i in $(seq "$1"); do echo "int f$i(int x);"; done
		echo "int main(void) { int sum = 0;"
		for i in $(seq "$1"); do echo "sum += f$i(sum);"; done
		echo "return sum == 42; }"
	} >"many$1.c"
	echo 'int NAME(int x) { return x + 1; }' >library.c
	for i in $(seq "$1"); do
		${CC:-cc} -O1 -shared -fPIC "-DNAME=f$i" -o "many$1/lib$i.so" library.c || exit 1
	done
	# By name, as programs need libraries.
	# shellcheck disable=SC2046 # Options.
	${CC:-cc} -O1 -o "many$1/program" "many$1.c" -L"many$1" -Wl,-rpath,"$PWD/many$1" \
		$(for i in $(seq "$1"); do echo "-l:lib$i.so"; done) || exit 1
}

# bench_start NAME ROUNDS COMMAND…: without a session and without a daemon.
bench_start()
{
	start_name=$1
	start_rounds=$2
	shift 2
	rm -f ./*.t
	for _ in $(seq "$start_rounds"); do
		# env(1) in all: what starts the program shall not be preloaded to as well.
		"$run" bare.t env "$@"
		LTTNG_HOME=/nonexistent "$run" ust.t env LD_PRELOAD=liblttng-ust.so.1 "$@"
		LTTNG_HOME=/nonexistent "$run" idle.t env \
			LD_PRELOAD="$libs/liblttng-ust-codectl-elf.so:$libs/liblttng-ust-codectl-sampler.so:liblttng-ust-fork.so.1" "$@"
	done
	for column in 1 2; do
		printf '%-24s %-5s %10s %10s %10s\n' "$start_name" \
			"$([ $column = 1 ] && echo wall || echo CPU)" "$(least bare.t $column)" \
			"$(least ust.t $column)" "$(least idle.t $column)"
	done
}

echo "$(date +%F), $(nproc) x $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)," \
	"$(uname -r), $(perf --version), $BENCH_ROUNDS rounds, load $(cut -d ' ' -f 1 /proc/loadavg)"
echo
"$(dirname "$run")/bench-sample"
echo
echo "How much longer the same work takes, %: wall | CPU time of its thread"
row program Hz "alone, s" codectl --clock= "perf 8K" "perf 64K" codectl --clock= "perf 8K" "perf 64K" samples --clock=
row "" "" "" "" perf "" "" "" perf "" "" "" perf
bench_rates python3 60 /usr/bin/python3 pieces.py
bench_rates C 60 ./pieces
echo
echo "Bytes per sample"
printf '%-12s %7s %9s %9s %9s %12s\n' program window codectl perf ours/perf "ours/perf 8K"
bench_sizes python3 /usr/bin/python3 work.py
bench_sizes xz xz -6 -k -c big.txt
[ -x "$cc1plus" ] && bench_sizes cc1plus "$cc1plus" -quiet -imultiarch "$(uname -m)-linux-gnu" \
	-D_GNU_SOURCE big.cc -O2 -o /dev/null
echo
echo "Libraries loaded, no session; seconds"
printf '%-24s %-5s %10s %10s %10s\n' program "" alone LTTng-UST codectl
bench_start true 20 true
for count in 10 500; do
	many_libraries $count
	bench_start "$count libraries" 10 "./many$count/program"
done
bench_start "python3" "$BENCH_ROUNDS" /usr/bin/python3 work.py
echo
echo "Recorded, from start to end; seconds"
printf '%-24s %-5s %10s %21s\n' program "" alone codectl
bench_session_start true true
bench_session_start "10 libraries" ./many10/program
bench_session_start "500 libraries" ./many500/program

#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# bench-record.sh: `codectl record` + `codectl export` beside
# `perf record --call-graph dwarf` + `perf script --no-inline`, on the same
# programs, interleaved in one run. Prints a table with ratios.
#
# The rate is below the kernel's tick, so that both take the same number of
# samples: CPU-time timers are as fine as the tick, perf's are not.
set -u
: "${srcdir:=$(dirname "$0")/..}"
: "${top_builddir:=..}"
: "${BENCH_ROUNDS:=3}"
: "${BENCH_HZ:=199}"
codectl=$(cd "$top_builddir/lttng-ust-codectl" && pwd)/codectl
scratch=$(mktemp -d "${TMPDIR:-/tmp}/codectl-bench.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
command -v perf >/dev/null || { echo "bench-record: perf is not installed" >&2; exit 77; }

cat >work.py <<'PYTHON'
import json, re, hashlib, zlib
text = " ".join(str(i) for i in range(20000))
for _ in range(130):
    json.loads(json.dumps({str(i): [i] * 5 for i in range(2000)}))
    sorted(re.findall(r"\d+7", text), key=lambda s: s[::-1])
    hashlib.sha256(text.encode()).hexdigest()
    zlib.compress(text.encode())
PYTHON
awk 'BEGIN { srand(1); for (i = 0; i < 900000; i++) printf "%d %d line\n", i, rand() * 100000 }' >big.txt
awk 'BEGIN { for (i = 0; i < 1200; i++) {
	printf "int f%d(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) { if (p[i] %% %d) s += p[i] * %d; else s ^= p[i] << %d; } return s; }\n", i, i + 3, i, i % 7 } }' >big.c

# inside.sh FILE COMMAND…: what the program itself takes, without starting and
# stopping the recorder around it.
cat >inside.sh <<'SHELL'
#!/bin/bash
file=$1
shift
TIMEFORMAT=%R
{ time "$@" 2>/dev/null >/dev/null; } 2>>"$file"
SHELL
chmod +x inside.sh

now() { date +%s.%N; }

# least FILE: the least of its numbers.
least() { sort -g "$1" | head -n 1; }

# timed FILE COMMAND…: appends the seconds it took to FILE.
timed()
{
	timed_file=$1
	shift
	timed_start=$(now)
	"$@" >/dev/null 2>timed.log || { echo "bench-record: failed: $*" >&2; cat timed.log >&2; exit 1; }
	echo "$(now) $timed_start" | awk '{ printf "%.3f\n", $1 - $2 }' >>"$timed_file"
}

row() { printf '%-34s %12s %12s %9s\n' "$@"; }

# ratio_row NAME OURS PEERS FORMAT
ratio_row()
{
	row "$1" "$2" "$3" "$(awk "BEGIN { if ($2 > 0) printf \"%.2f x\", $3 / $2; else print \"-\" }")"
}

# bench NAME COMMAND…
bench()
{
	name=$1
	shift
	rm -f ./*.t ./*.all
	for _ in $(seq "$BENCH_ROUNDS"); do
		timed bare.all ./inside.sh bare.t "$@"
		timed codectl.all "$codectl" record -F "$BENCH_HZ" -o codectl.data -- ./inside.sh codectl.t "$@"
		cp timed.log codectl.log
		timed perf.all perf record -e cpu-clock -F "$BENCH_HZ" --call-graph dwarf -o perf.data -- \
			./inside.sh perf.t "$@"
	done
	for _ in $(seq "$BENCH_ROUNDS"); do
		timed export.t "$codectl" export --format=folded -o - codectl.data
		timed script.t perf script --no-inline -i perf.data
	done
	samples=$(sed -n 's/.*codectl: \([0-9]*\) samples.*/\1/p' codectl.log)
	perf script --no-inline -i perf.data 2>/dev/null >script.txt
	perf_samples=$(grep -c '^[^[:space:]].*cpu-clock' script.txt)
	bytes=$(du -sb codectl.data | cut -f 1)
	perf_bytes=$(stat -c %s perf.data)
	complete=$("$codectl" report codectl.data 2>/dev/null |
		sed -n 's/^# complete stacks: \([0-9.]*\)%.*/\1/p')
	perf_complete=$(awk 'BEGIN { RS = ""; FS = "\n" }
		/cpu-clock/ { all++; last = $NF; if (last ~ /_start|clone3|__clone|start_thread/) good++ }
		END { printf "%.2f", all ? 100 * good / all : 0 }' script.txt)

	echo
	row "$name" codectl "perf dwarf" "perf/ours"
	row "samples" "$samples" "$perf_samples" ""
	ratio_row "bytes per sample" $((bytes / (samples ? samples : 1))) \
		$((perf_bytes / (perf_samples ? perf_samples : 1)))
	ratio_row "program, s (alone: $(least bare.t))" "$(least codectl.t)" "$(least perf.t)"
	ratio_row "start to end, s" "$(least codectl.all)" "$(least perf.all)"
	ratio_row "analysis, s (folded / script)" "$(least export.t)" "$(least script.t)"
	row "complete stacks, %" "${complete:-?}" "$perf_complete" ""
}

echo "$(date +%F), $(nproc) x $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)," \
	"$(perf --version), $BENCH_HZ Hz, least of $BENCH_ROUNDS rounds"
bench python3 /usr/bin/python3 work.py
bench "xz -T2" xz -T2 --block-size=4MiB -k -c -3 big.txt
bench "gcc -O2 -c" gcc -O2 -c big.c

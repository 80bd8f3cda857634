#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# bench-complete.sh: how many stacks reach their outermost frame, in recordings
# of real programs by `codectl record` and by `perf record --call-graph dwarf`,
# with perf's default of 8 KiB of stack and with all that it can take.
#
# Ours are complete if they end as outermost. Those that are longer than what
# was captured are counted apart. perf does not say why a stack ends, so names
# tell: the last frame is where processes and threads begin, or the C library's
# code that _start calls is the last but one (in stripped programs _start has no
# name). The rate is below the tick, so that both take the same number of samples.
set -u
: "${srcdir:=$(dirname "$0")/..}"
: "${top_builddir:=..}"
: "${BENCH_HZ:=249}"
srcdir=$(cd "$srcdir" && pwd)
codectl=$(cd "$top_builddir/lttng-ust-codectl" && pwd)/codectl
BABELTRACE_PLUGIN_PATH=$(cd "$top_builddir/babeltrace-plugin/.libs" && pwd)
export BABELTRACE_PLUGIN_PATH
scratch=$(mktemp -d "${TMPDIR:-/tmp}/codectl-bench.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
command -v perf >/dev/null || { echo "bench-complete: perf is not installed" >&2; exit 77; }

cat >work.py <<'PYTHON'
import json, re, hashlib, zlib
text = " ".join(str(i) for i in range(20000))
def deeper(n):
    return deeper(n - 1) if n else json.loads(json.dumps({str(i): [i] * 5 for i in range(2000)}))
for _ in range(100):
    deeper(40)
    sorted(re.findall(r"\d+7", text), key=lambda s: s[::-1])
    hashlib.sha256(text.encode()).hexdigest()
    zlib.compress(text.encode())
PYTHON
awk 'BEGIN { srand(1); for (i = 0; i < 200000; i++) printf "%d %d line\n", i, rand() * 100000 }' >big.txt
awk 'BEGIN { print "#include <vector>\n#include <map>\n#include <string>\n#include <algorithm>"
	for (i = 0; i < 60; i++) printf "template<int N> struct t%d { std::map<std::string, std::vector<int>> m; int f(int *p, int n) { std::vector<int> v(p, p + n); std::sort(v.begin(), v.end(), [](int a, int b) { return a %% (N + 3) < b %% (N + 3); }); m[std::to_string(n)] = v; int s = 0; for (auto &e : m) for (int x : e.second) s += x * N; return s; } };\nint f%d(int *p, int n) { t%d<%d> t; return t.f(p, n); }\n", i, i, i, i }' >big.cc
cat >throw.cc <<'CC'
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>
struct guard {
	std::vector<int> values;
	explicit guard(int n) : values(n % 100 + 1, n) {}
	~guard() { total += values.size(); }
	static long total;
};
long guard::total;
__attribute__((noinline)) int fall(int depth, int n)
{
	guard kept(n);

	if (depth == 0)
		throw std::runtime_error("bottom " + std::to_string(n));
	return fall(depth - 1, n + depth) + kept.values[0];
}
int main()
{
	long caught = 0;

	for (int i = 0; i < 400000; i++) {
		try {
			fall(i % 20, i);
		} catch (const std::exception &e) {
			caught += e.what()[0];
		}
	}
	printf("%ld %ld\n", caught, guard::total);
}
CC
cat >work.sql <<'SQL'
create table t(a integer, b text);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 1500000)
	insert into t select i * 7919 % 1500007, hex(i * 31) from n;
create index ti on t(b);
select count(*), sum(length(x.b)) from t x join t y on x.a = y.a + 1 where y.b like '%a%';
select b, group_concat(a) from t group by substr(b, 1, 3) order by 2 desc limit 3;
SQL
cat >speed.sh <<'SH'
for algorithm in "-evp aes-256-gcm" "-evp chacha20-poly1305" sha256 rsa2048 ecdsap256; do
	openssl speed -seconds 1 -bytes 8192 $algorithm
done
SH

# perf_complete FILE: samples, and percent of them that are complete.
perf_complete()
{
	perf script --no-inline --max-stack 4096 -i "$1" 2>/dev/null | awk 'BEGIN { RS = ""; FS = "\n" }
		/cpu-clock/ { all++
			if ($NF ~ /_start|clone3|__clone|start_thread/ ||
				(NF > 2 && $(NF - 1) ~ /__libc_start_main/)) good++ }
		END { printf "%d %.2f\n", all, all ? 100 * good / all : 0 }'
}

row() { printf '%-16s %8s %10s %9s %10s %9s %9s\n' "$@"; }

# bench NAME COMMAND…
bench()
{
	name=$1
	shift
	rm -rf ours.data perf8 perf64
	command -v "$1" >/dev/null || { echo "$name: $1 is not installed"; return; }
	"$codectl" record -F "$BENCH_HZ" -o ours.data -- "$@" >/dev/null 2>log ||
		{ echo "$name: codectl record failed" >&2; cat log >&2; return; }
	perf record -q -e cpu-clock:u -F "$BENCH_HZ" --call-graph dwarf -o perf8 -- "$@" >/dev/null 2>&1
	perf record -q -e cpu-clock:u -F "$BENCH_HZ" --call-graph dwarf,65528 -o perf64 -- "$@" \
		>/dev/null 2>&1
	/usr/bin/python3 "$srcdir/lib/samples.py" ours.data >ours.txt
	read -r all truncated complete < <(awk -F '\t' '{ all++; ends[$4]++ }
		END { whole = all - ends["truncated"]
			printf "%d %d %.3f\n", all, ends["truncated"],
				whole ? 100 * ends["outermost"] / whole : 0 }' ours.txt)
	read -r perf_all perf8_complete < <(perf_complete perf8)
	read -r _ perf64_complete < <(perf_complete perf64)
	row "$name" "$all" "$truncated" "$complete" "$perf_all" "$perf8_complete" "$perf64_complete"
	# What is not complete: innermost and outermost two frames, and their files.
	awk -F '\t' '$4 != "outermost" && $4 != "truncated" {
			count = split($5, f, ";"); split($6, b, ";")
			printf "  %s: %s (%s) <- %s (%s) … %s (%s)\n", $4, f[count], b[count],
				f[count - 1], b[count - 1], f[1], b[1] }' ours.txt |
		sort | uniq -c | sort -rn | head -n 8
}

${CXX:-g++} -O2 -o throw throw.cc || exit 1
echo "$(date +%F), $(nproc) x $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)," \
	"$(perf --version), $BENCH_HZ Hz"
row "" ours "truncated" "complete" perf "8 KiB" "64 KiB"
row "" samples "" "% of rest" samples "complete" "complete"
bench python3 "$(readlink -f /usr/bin/python3)" work.py
bench xz xz -6 -k -c -T1 big.txt
bench cc1plus g++ -O2 -c big.cc -o big.o
bench clang clang++ -O2 -c big.cc -o big.o
bench "openssl speed" bash speed.sh
bench sqlite3 sqlite3 -init work.sql -batch :memory: .exit
bench exceptions ./throw

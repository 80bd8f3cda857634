#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# bench-unwind.sh: bench-compile on large files of this machine, and
# bench-unwind on samples of programs that run on it.
set -u
: "${srcdir:=$(dirname "$0")/..}"
: "${top_builddir:=..}"
: "${BENCH_SAMPLES:=1500}"
bench=$(cd "$top_builddir/tests/bench" && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/codectl-bench.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
python=$(readlink -f /usr/bin/python3)
cc1plus=$(g++ -print-prog-name=cc1plus 2>/dev/null)

cat >work.py <<'PYTHON'
import json, re, hashlib, zlib
text = " ".join(str(i) for i in range(20000))
while True:
    json.loads(json.dumps({str(i): [i] * 5 for i in range(2000)}))
    sorted(re.findall(r"\d+7", text), key=lambda s: s[::-1])
    hashlib.sha256(text.encode()).hexdigest()
    zlib.compress(text.encode())
PYTHON
awk 'BEGIN { srand(1); for (i = 0; i < 900000; i++) printf "%d %d line\n", i, rand() * 100000 }' >big.txt
awk 'BEGIN { print "#include <vector>\n#include <map>\n#include <string>\n#include <algorithm>"
	for (i = 0; i < 150; i++) printf "template<int N> struct t%d { std::map<std::string, std::vector<int>> m; int f(int *p, int n) { std::vector<int> v(p, p + n); std::sort(v.begin(), v.end(), [](int a, int b) { return a %% (N + 3) < b %% (N + 3); }); m[std::to_string(n)] = v; int s = 0; for (auto &e : m) for (int x : e.second) s += x * N; return s; } };\nint f%d(int *p, int n) { t%d<%d> t; return t.f(p, n); }\n", i, i, i, i }' >big.cc
cat >deep.c <<'C'
#include <stdlib.h>
static volatile long sink;
static __attribute__((noinline)) long descend(int depth)
{
	if (!depth) {
		for (long i = 0; i < 20000; i++)
			sink += i;
		return sink;
	}
	return descend(depth - 1) + depth;
}
int main(int argc, char **argv)
{
	for (;;)
		descend(atoi(argv[argc - 1]));
}
C
${CC:-cc} -O1 -fno-optimize-sibling-calls -o deep deep.c || exit 1

echo "$(date +%F), $(nproc) x $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)," \
	"last level of cache $(cat /sys/devices/system/cpu/cpu0/cache/index3/size 2>/dev/null)," \
	"elfutils $(pkg-config --modversion libdw)"
echo
files=()
for name in libc.so.6 libcrypto.so.3 libLLVM-14.so.1; do
	file=$(ldconfig -p | awk -v name="$name" '$1 == name { print $NF; exit }')
	[ -n "$file" ] && files+=("$file")
done
[ -r "$python" ] && files+=("$python")
[ -r "$cc1plus" ] && files+=("$cc1plus")
"$bench/bench-compile" "${files[@]}"
echo

status=0
measure() { "$bench/bench-unwind" -n "$BENCH_SAMPLES" "$@" || status=1; }
"$bench/bench-unwind"
measure deep60 ./deep 60
measure deep400 ./deep 400
[ -x "$python" ] && measure python3 "$python" work.py
command -v xz >/dev/null && measure xz xz -6 -k -c -T1 big.txt
[ -x "$cc1plus" ] && measure -i 4000 cc1plus "$cc1plus" -quiet -imultiarch "$(uname -m)-linux-gnu" \
	-D_GNU_SOURCE big.cc -O2 -o /dev/null
exit $status

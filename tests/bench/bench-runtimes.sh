#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# bench-runtimes.sh: node and Java by themselves, under `codectl record
# --jit=auto`, and recorded in perf's own way, by frame pointers with names from
# their option for perf: --perf-prof of node, and a perf map that Java writes when it
# ends, which costs little, and names wrong what has moved or gone. The same
# work, interleaved in one run. Prints CPU time (user and system, of the program and
# its recorder) and ratios.
set -u
: "${srcdir:=$(dirname "$0")/..}"
: "${top_builddir:=..}"
: "${BENCH_ROUNDS:=5}"
: "${BENCH_HZ:=199}"
srcdir=$(cd "$srcdir" && pwd)
codectl=$(cd "$top_builddir/lttng-ust-codectl" && pwd)/codectl
scratch=$(mktemp -d "${TMPDIR:-/tmp}/codectl-bench.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
for tool in perf node java javac; do
	command -v $tool >/dev/null || { echo "bench-runtimes: $tool is not installed" >&2; exit 77; }
done

# Many functions are compiled, and then run for a while.
cat >work.js <<'JAVASCRIPT'
let sum = 0;
for (let i = 0; i < 400; i++) {
  const f = new Function('n', `let s = ${i}; for (let k = 0; k < n; k++) s = (s * 31 + k) % 1000003; return s`);
  for (let j = 0; j < 30; j++) sum += f(20000);
}
console.log(sum > 0);
JAVASCRIPT
cat >Work.java <<'JAVA'
import java.util.*;
import java.util.stream.*;
public class Work {
	public static void main(String[] a) {
		long sum = 0;
		for (int i = 0; i < 60; i++) {
			List<String> words = IntStream.range(0, 40000).mapToObj(Integer::toString).collect(Collectors.toList());
			Map<Integer, List<String>> by = words.stream().collect(Collectors.groupingBy(String::hashCode));
			sum += by.size() + words.stream().sorted(Comparator.reverseOrder()).limit(100).mapToInt(String::length).sum();
		}
		System.out.println(sum > 0);
	}
}
JAVA
javac Work.java || exit 1

# cpu FILE COMMAND…: appends the CPU seconds it took, children included.
cpu()
{
	cpu_file=$1
	shift
	TIMEFORMAT='%U %S'
	{ time "$@" >/dev/null 2>cpu.log; } 2>cpu.time || { cat cpu.log >&2; exit 1; }
	awk '{ printf "%.3f\n", $1 + $2 }' cpu.time >>"$cpu_file"
}

least() { sort -g "$1" | head -n 1; }

java_flags="-XX:+UseSerialGC -Xmx512m"
for round in $(seq "$BENCH_ROUNDS"); do
	cpu node.alone node work.js
	rm -rf out; cpu node.codectl "$codectl" record --jit=auto -F "$BENCH_HZ" -o out -- node work.js
	cpu node.perf perf record -q -k mono -e cpu-clock:u -F "$BENCH_HZ" -g -o perf.data \
		node --perf-prof --interpreted-frames-native-stack work.js
	# shellcheck disable=SC2086 # Words.
	cpu java.alone java $java_flags Work
	# shellcheck disable=SC2086
	rm -rf out; cpu java.codectl "$codectl" record --jit=auto -F "$BENCH_HZ" -o out -- \
		java $java_flags Work
	# shellcheck disable=SC2086
	cpu java.perf perf record -q -k mono -e cpu-clock:u -F "$BENCH_HZ" -g -o perf.data \
		java $java_flags -XX:+PreserveFramePointer \
		-XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit Work
	rm -f jit-*.dump isolate-*.log perf.data
done
printf '%-6s %12s %16s %16s %14s\n' program "alone, s" "codectl" "perf" "codectl/perf"
for program in node java; do
	echo "$program $(least $program.alone) $(least $program.codectl) $(least $program.perf)" |
		awk '{ printf "%-6s %12.2f %7.2f (%+5.1f%%) %7.2f (%+5.1f%%) %14.2f\n", $1, $2, $3,
			100 * ($3 / $2 - 1), $4, 100 * ($4 / $2 - 1), $3 / $4 }'
done

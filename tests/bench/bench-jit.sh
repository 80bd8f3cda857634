#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# bench-jit.sh: what a JIT compiler pays for names and rows, with and without a
# recording, beside what perf's own ways cost it; see bench-jit.c.
set -u
: "${srcdir:=$(dirname "$0")/..}"
: "${top_builddir:=..}"
codectl=$(cd "$top_builddir/lttng-ust-codectl" && pwd)/codectl
bench=$(cd "$top_builddir/tests/bench" && pwd)/bench-jit
scratch=$(mktemp -d "${TMPDIR:-/tmp}/codectl-bench.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

"$bench" >"$scratch/idle" || exit 1
"$codectl" record --output="$scratch/trace" -- "$bench" >"$scratch/recorded" 2>"$scratch/log" || {
	cat "$scratch/log" >&2
	exit 1
}
join "$scratch/idle" "$scratch/recorded" --nocheck-order | awk '
	function row(name, key, peer) {
		printf "%-46s %10s %10s", name, idle[key], recorded[key]
		if (peer)
			printf "  %5.2f", recorded[key] / recorded[peer]
		print ""
	}
	{ idle[$1] = $2; recorded[$1] = $3 }
	END {
		print "ns of CPU time                                   not recorded   recorded  recorded / perf map"
		row("codectl_jit_symbol()", "symbol", "perf-map")
		row("the same by an adapter (no copy of pointers)", "adapter", "perf-map")
		row("a line in a perf map, buffered", "perf-map", "perf-map")
		row("a record in a jitdump, 256 B of code, buffered", "jitdump", "perf-map")
		row("a row that has appeared", "row")
		row("a look for new rows, 1 live table", "poll-1")
		row("the same, 100 live tables", "poll-100")
		row("the same, 1000 live tables", "poll-1000")
		row("a sample within code with tables, 1 live table", "sample-1")
		row("the same, 1000 live tables", "sample-1000")
	}'

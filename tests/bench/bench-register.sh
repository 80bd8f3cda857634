#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# bench-register.sh: ns of a codectl() call, with and without a session that records
# it, beside what programs with generated code do otherwise. See bench-register.c.
set -u
: "${srcdir:=$(dirname "$0")/..}"
: "${top_builddir:=..}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/lttng.sh"
bench=$(cd "$top_builddir/tests/bench" && pwd)/bench-register
lttng_setup
cd "$lttng_tmp" || exit 1

# table HEADLINE
table()
{
	echo "# $1, ns per call"
	printf '%8s %10s %10s %10s %10s %10s %22s\n' registered codectl+ codectl- frame+ frame- \
		perf-map+ "codectl+- : frame+-"
	for count in 10 1000 10000; do
		"$bench" "$count" | awk '{ printf "%8d %10d %10d %10d %10d %10d %22.2f\n",
			$1, $2, $3, $4, $5, $6, ($2 + $3) / ($4 + $5) }'
	done
}

table "no session daemon"
if ! lttng_start_daemon; then
	echo "bench-register: $lttng_reason" >&2
	exit 77
fi
{
	lttng create bench --output="$lttng_tmp/trace" &&
		lttng enable-channel -u --subbuf-size=8M --num-subbuf=4 big &&
		lttng enable-event -u -c big 'other:*' && lttng start
} >lttng.log 2>&1 || { cat lttng.log >&2; exit 1; }
table "a session that records other events"
lttng enable-event -u -c big 'codectl:*' >>lttng.log 2>&1 || exit 1
table "a session that records them"
lttng destroy >>lttng.log 2>&1
babeltrace2 trace 2>&1 >/dev/null | sed 's/^/# /' | head -n 3

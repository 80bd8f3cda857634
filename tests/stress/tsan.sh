#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# `make tsan`: the recording side's unit tests with threads under ThreadSanitizer,
# all of the provider compiled into the program. Not part of `make check`:
# ThreadSanitizer does not run on every kernel, nor in every container.
: "${srcdir:=$(dirname "$0")/..}" "${CC:=cc}"
. "$srcdir/lib/tap.sh"
srcdir=$(cd "$srcdir" && pwd)
recorder=$srcdir/../lttng-ust-codectl
scratch=$(mktemp -d "${TMPDIR:-/tmp}/codectl-tsan.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

# compile NAME SOURCE…
compile()
{
	compile_name=$1
	shift
	"$CC" -include "$srcdir/stress/tsan.h" -g -O1 -std=gnu11 -D_GNU_SOURCE \
		-DLTTNG_UST_COMPAT_API_VERSION=1 -fsanitize=thread -fvisibility=hidden \
		-I"$recorder" -I"$recorder/include" -I"$srcdir" -o "$scratch/$compile_name" \
		"$@" "$srcdir/lib/tap.c" -lpthread
}

echo 'int main(void) { return 0; }' >"$scratch/empty.c"
if ! "$CC" -fsanitize=thread -o "$scratch/empty" "$scratch/empty.c" 2>"$scratch/log" ||
	! "$scratch/empty" 2>>"$scratch/log"; then
	tap_skip "ThreadSanitizer" "$(head -n 1 "$scratch/log")"
	tap_done
	exit
fi

# LTTng's constructors stand before those of the provider's last unit.
provider=$(find "$recorder/provider" -name '*.c' ! -name tp.c ! -name lifecycle.c | sort)
# shellcheck disable=SC2086 # File names without spaces.
compile codectl "$recorder/provider/tp.c" $provider "$recorder/provider/lifecycle.c" \
	"$recorder"/format/*.c "$srcdir/unit/test-codectl.c" \
	"$srcdir/unit/test-codectl-threads.c" -llttng-ust -llttng-ust-common \
	-llttng-ust-tracepoint -ldl || exit 99
compile registry "$recorder/provider/registry.c" "$srcdir/unit/test-registry.c" || exit 99
compile ring "$recorder/sampler/ring.c" "$srcdir/unit/test-ring.c" || exit 99

# check PROGRAM TEST…: without the harness's fork, which ThreadSanitizer's own thread, and
# those of LTTng-UST, do not live through.
check()
{
	check_program=$1
	shift
	for test; do
		tap_check "$check_program: $test" run "$check_program" "$test"
	done
}

# run PROGRAM TEST: whether it comes to its end without a report. Not what the test itself
# says: without a fork, it counts descriptors that LTTng-UST is just opening.
run()
{
	timeout 300 "$scratch/$1" "$2" >"$scratch/out" 2>&1
	run_status=$?
	grep -v 'descriptors leaked' "$scratch/out"
	[ $run_status -le 1 ] && ! grep -q ThreadSanitizer "$scratch/out"
}

check registry as_a_model_says a_reader_among_writers
check ring two_threads
check codectl threads many_ranges overlaps fork
tap_done

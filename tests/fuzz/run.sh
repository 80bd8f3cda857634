#!/bin/sh
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# run.sh CORPORA FUZZER…: runs each fuzzer for FUZZ_SECONDS, FUZZ_JOBS of them at
# a time, from the committed corpus and what was found in this build before. New
# inputs go to fuzz/found/, what fails to fuzz/crashes/.
: "${FUZZ_SECONDS:=1800}"
: "${FUZZ_JOBS:=$(nproc)}"
export FUZZ_SECONDS corpora
corpora=$1
shift
mkdir -p fuzz/crashes fuzz/logs

# The single quotes are for the shell that xargs starts.
# shellcheck disable=SC2016
printf '%s\n' "$@" | xargs -P "$FUZZ_JOBS" -I '{}' sh -c '
	name=${1##*/fuzz-}
	log=fuzz/logs/$name.log
	mkdir -p "fuzz/found/$name"
	echo "fuzz-$name: running for $FUZZ_SECONDS s, log in tests/$log"
	if "./$1" -max_total_time="$FUZZ_SECONDS" -timeout=10 -rss_limit_mb=2048 -max_len=8192 \
		-print_final_stats=1 -artifact_prefix="fuzz/crashes/$name-" \
		"fuzz/found/$name" "$corpora/$name" >"$log" 2>&1; then
		echo "fuzz-$name: nothing found:$(sed -n "s/^stat::number_of_executed_units://p" "$log")" \
			"runs, $(grep -o "cov: [0-9]*" "$log" | tail -n 1)"
	else
		grep -E "not so|ERROR|runtime error|Test unit written" "$log"
		echo "fuzz-$name: FAILED; run \"$1\" on the file in $PWD/fuzz/crashes/ to see it again"
		exit 1
	fi' sh '{}'

#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# What is kept of a stack. Programs are recorded with --stack=full; thinned as
# the sampler would have done, each sample has the same chain. Stacks of unusual
# kinds are sampled, and nothing beyond their ends. And no data of the program
# is in a trace.
: "${srcdir:=$(dirname "$0")/..}"
: "${top_builddir:=..}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/lttng.sh"
lttng_setup
. "$srcdir/lib/record.sh"
srcdir=$(cd "$srcdir" && pwd)
system_srcdir=$srcdir/system
compare=$(cd "$top_builddir/tests/system" && pwd)/compare-stacks
cd "$lttng_tmp" || exit 99

# record NAME HZ OPTION COMMAND…: fails if that fails.
record()
{
	record_name=$1
	record_hz=$2
	record_option=$3
	shift 3
	if ! "$codectl_command" record -F "$record_hz" "$record_option" -o "$record_name.data" -- "$@" \
		>"$record_name.out" 2>"$record_name.log"; then
		tap_not_ok "$record_name: recorded" "$(cat "$record_name.log")"
		return 1
	fi
}

# compare NAME LEAST-SAMPLES HZ COMMAND…: each sample has the same chain, full and sparse.
compare()
{
	compare_name=$1
	compare_least=$2
	shift 2
	compare_hz=$1
	shift
	if ! command -v "$1" >/dev/null; then
		tap_skip "$compare_name" "$1 is not installed"
		return
	fi
	record "$compare_name" "$compare_hz" --stack=full "$@" || return
	/usr/bin/python3 "$srcdir/lib/full-samples.py" "$compare_name.data" "$compare_name.full" \
		2>>"$compare_name.log"
	compare_output=$("$compare" "$compare_name.full" 2>&1)
	compare_status=$?
	compare_count=$(echo "$compare_output" | sed -n 's/^\([0-9]*\) samples.*/\1/p')
	if [ "$compare_status" = 0 ] && [ "${compare_count:-0}" -ge "$compare_least" ]; then
		tap_ok "$compare_name: $compare_output"
	else
		tap_not_ok "$compare_name: the same chains" "$compare_output
$(cat "$compare_name.log")"
	fi
	rm -rf "$compare_name.data"
}

cat >work.py <<'PYTHON'
import json, re, hashlib, zlib, time
end = time.process_time() + 1
text = " ".join(str(i) for i in range(20000))
while time.process_time() < end:
    json.loads(json.dumps({str(i): [i] * 5 for i in range(2000)}))
    sorted(re.findall(r"\d+7", text), key=lambda s: s[::-1])
    hashlib.sha256(text.encode()).hexdigest()
    zlib.compress(text.encode())
PYTHON
compare python3 20 249 /usr/bin/python3 work.py
awk 'BEGIN { srand(1); for (i = 0; i < 100000; i++) printf "%d %d line\n", i, rand() * 100000 }' >big.txt
compare xz 10 249 xz -6 -k big.txt
awk 'BEGIN { print "#include <vector>\n#include <map>\n#include <string>\n#include <algorithm>"
	for (i = 0; i < 8; i++) printf "int f%d(int *p, int n) { std::map<std::string, std::vector<int>> m; std::vector<int> v(p, p + n); std::sort(v.begin(), v.end(), [](int a, int b) { return a %% %d < b %% %d; }); m[std::to_string(n)] = v; int s = 0; for (auto &e : m) for (int x : e.second) s += x * %d; return s; }\n", i, i + 3, i + 3, i }' >big.cc
compare g++ 20 249 g++ -O2 -c big.cc
compare openssl 8 99 openssl speed -seconds 1 -bytes 256 sha256 aes-256-cbc rsa2048
if command -v g++ >/dev/null; then
	g++ -g -O2 -o exceptions "$system_srcdir/edge-exceptions.cc" || exit 99
	compare exceptions 20 499 ./exceptions 1000
fi
compile signals "$system_srcdir/edge-signals.c"
compare signals 10 249 ./signals 100
compile frames "$system_srcdir/edge-frames.c" "$system_srcdir/edge-frames-asm.S"
compare frames 20 249 ./frames 60
compile no-cfi "$system_srcdir/edge-plain.c" -fno-asynchronous-unwind-tables -fno-unwind-tables \
	-fno-omit-frame-pointer
compare no-cfi 10 249 ./no-cfi 200
if "$CC" -fsplit-stack -g -O2 -o split "$system_srcdir/edge-split.c" -pthread 2>split.log; then
	compare split 5 249 ./split 200
	tap_equal "split stacks: unharmed" "$(cat split.out)" "done"
else
	tap_note "Split stacks: not tested, $(tail -n 1 split.log)"
fi

compile stacks "$system_srcdir/edge-stacks.c" -pthread
compare stacks 20 499 ./stacks 200
# has_forbidden FILE: edge-stacks' number is in a full sample.
has_forbidden()
{
	/usr/bin/python3 -c '
import sys
sys.exit((0x5ec7e75ec7e7ca4a).to_bytes(8, "little") not in open(sys.argv[1], "rb").read())' "$1"
}
tap_equal "nothing behind a stack is examined" "$(has_forbidden stacks.full; echo $?)" 1
# What is in the environment is above the main thread's frames.
if SECRET='very-secret-indeed' record environment 499 --stack=full ./stacks 20; then
	tap_equal "nor the environment" "$(grep -rl very-secret-indeed environment.data | wc -l)" 0
fi

# check_chain NAME FILE LEAST END MARK CHAIN: at least LEAST samples have the function MARK in
# their chain; all of those end with END and have that CHAIN. Regular expressions.
check_chain()
{
	if chain_output=$(awk -F '\t' -v least="$3" -v end="^($4)\$" -v mark="(^|;)($5)(;|\$)" \
		-v chain="^($6)\$" '
		$5 !~ mark { next }
		{ count++ }
		$4 !~ end || $5 !~ chain { if (wrong++ < 3) print "wrong: " $4 " " $5 }
		END { printf "%d samples, %d wrong\n", count, wrong; exit !(count >= least && wrong == 0) }
		' "$2"); then
		tap_ok "$1: $chain_output"
	else
		tap_not_ok "$1" "$chain_output
expected: $4 $6"
	fi
}

if record stacks 499 --stack=sparse ./stacks 200; then
	samples stacks.data >stacks.txt
	tap_equal "stacks of all kinds: unharmed" "$(cat stacks.out)" "done"
	base='(__start_context|-)'
	check_chain "a coroutine" stacks.txt 10 outermost coroutine_middle \
		"$base;coroutine_entry;coroutine_middle(;spin)?"
	check_chain "a thread on a given stack" stacks.txt 5 outermost given_thread \
		"[^;]*clone[^;]*;[^;]*;given_thread(;spin)?"
	check_chain "a stack that grows" stacks.txt 5 'outermost|truncated' grow \
		'(_start;[^;]*;[^;]*;main;phase_grown_stack;grown_stack;)?grow(;grow)*(;spin)?'
	check_chain "the end of a stack" stacks.txt 5 'stack-switch|outermost' spin_at_end \
		'(.*;)?spin_at_end'
fi
# shellcheck disable=SC2016 # For the inner shell.
if record small 499 --stack=sparse sh -c 'ulimit -s 256; exec "$@"' sh ./no-cfi 200; then
	tap_equal "a small stack: unharmed" "$(cat small.out)" "done"
fi
# shellcheck disable=SC2016
if record unlimited 499 --stack=sparse sh -c 'ulimit -s unlimited; exec "$@"' sh ./no-cfi 200; then
	tap_equal "an unlimited stack: unharmed" "$(cat unlimited.out)" "done"
fi

compile secrets "$system_srcdir/edge-secrets.c"
if record secrets 499 --stack=sparse ./secrets 500; then
	samples secrets.data >secrets.txt
	check_chain "secrets" secrets.txt 10 outermost use_secrets '.*;use_secrets(;.*)?'
	tap_equal "no secret is in the trace" \
		"$(/usr/bin/python3 "$srcdir/lib/secrets.py" secrets.data)" "0 of 105"
fi
if record secrets-full 499 --stack=full ./secrets 500; then
	tap_equal "with the full stack, all are" \
		"$(/usr/bin/python3 "$srcdir/lib/secrets.py" secrets-full.data)" "105 of 105"
fi
tap_done

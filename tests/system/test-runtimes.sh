#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# Run times that generate code and do not know us: node, Java, LLVM, PostgreSQL.
# Their functions have names, the right ones at each time, and stacks lead through
# them to the outermost frame.
: "${srcdir:=$(dirname "$0")/..}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/lttng.sh"
lttng_setup
. "$srcdir/lib/record.sh"
srcdir=$(cd "$srcdir" && pwd)
system_srcdir=$srcdir/system
chmod 755 "$lttng_tmp"
cd "$lttng_tmp" || exit 99

# check_names NAME FILE PATTERN LEAST: no sample is named after what ran at another time.
check_names()
{
	if names=$(BABELTRACE_PLUGIN_PATH=$codectl_plugins /usr/bin/python3 \
		"$system_srcdir/runtime-check.py" "$1.data" "$2" "$3" 2>&1) &&
		[ "$(printf '%s\n' "$names" | awk 'END { print $1 }')" -ge "$4" ]; then
		tap_ok "$1: names: $names"
	else
		tap_not_ok "$1: names" "$names"
	fi
}

# check_function NAME PATTERN: some stack leads through a function, and all of those are complete.
check_function()
{
	functions=$(awk -F '\t' -v pattern="$2" '$5 ~ pattern { all++; if ($4 != "outermost") bad++ }
		END { print all + 0, bad + 0 }' "$1.txt")
	if [ "${functions% *}" -gt 0 ] && [ "${functions#* }" = 0 ]; then
		tap_ok "$1: ${functions% *} stacks lead through $2"
	else
		tap_not_ok "$1: stacks through $2" "samples, and those that are not complete: $functions
$(cut -f 4-5 "$1.txt" | sort | uniq -c | sort -rn | head -n 5)"
	fi
}

if command -v node >/dev/null; then
	mkdir node && cd node || exit 99
	if record churn --jit=auto -- node --expose-gc "$system_srcdir/runtime-churn.js" 700 times; then
		tap_equal "node: its output" "$(cat churn.out)" true
		# 99 to 100 % of node 20's. In Debian's node 18, a stack that begins in C++ under a
		# builtin in libnode may end there.
		check_complete "node" churn.txt 90 40
		check_names churn times 'work_[0-9]+' 10
	fi
	tap_equal "node: no file is left behind" \
		"$(ls -d -- * /tmp/perf-"$(cut -f 1 churn.txt | head -n 1)".map 2>/dev/null |
			tr '\n' ' ')" "churn.data churn.log churn.out churn.txt times "
	cd ..
	# Without a perf map nothing in there has a name.
	if record bare -- node --expose-gc "$system_srcdir/runtime-churn.js" 200 times; then
		check_complete "node, not asked to tell" bare.txt 90 20
	fi
else
	tap_skip "node" "it is not installed"
fi

# What V8 maps of its own file once more has no fixed place. The first samples may be taken
# before that is found.
compile copy "$system_srcdir/prog-copy.c" -D_GNU_SOURCE -fPIE -pie -rdynamic
if record copy -- ./copy; then
	cut -f 4-5 copy.txt | tail -n 40 >copy.last
	tap_equal "code of a file that is mapped twice: stacks are exact" \
		"$(grep -vE '^outermost.*;main(;copied_(low|high)(;burn)?)?$' copy.last | head -n 3)" ""
	tap_equal "the same: below its first place, and above" \
		"$(grep -oE 'copied_(low|high)' copy.last | sort -u | tr '\n' ' ')" "copied_high copied_low "
fi

if command -v javac >/dev/null && [ -e "$codectl_libs/libcodectl-jvmti.so" ]; then
	javac -d java "$system_srcdir/RuntimeChurn.java" || exit 99
	if record java --jit=auto -- java -Xmx256m -cp java RuntimeChurn 150 java.times; then
		tap_equal "Java: its output" "$(cat java.out)" true
		check_complete "Java" java.txt 95 40
		check_names java java.times 'Work_[0-9]+' 10
		check_function java 'Work_[0-9]*\.applyAsInt;.*Work_[0-9]*\.inner'
	fi
else
	tap_skip "Java" "there is no JDK"
fi

lli=$(command -v lli-14 || command -v lli)
if [ -n "$lli" ]; then
	for kind in mcjit orc; do
		if record "lli-$kind" -- "$lli" --jit-kind=$kind "$system_srcdir/runtime-chain.ll"; then
			check_complete "LLVM $kind" "lli-$kind.txt" 95 10
			check_function "lli-$kind" 'main;alpha;bravo;charlie$'
		fi
	done
else
	tap_skip "LLVM" "lli is not installed"
fi

# Its server does not run as root.
postgresql=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
as_user=
[ "$(id -u)" != 0 ] || as_user="runuser -u nobody --"
series="SELECT i a, i % 7 b FROM generate_series(1, 400000) i"
query="SELECT sum(a * 3 + b) FROM ($series) s WHERE a % 3 <> b"
# shellcheck disable=SC2086 # A command or none.
if [ -n "$postgresql" ] && [ -e "$postgresql/../lib/llvmjit.so" ]; then
	install -d ${as_user:+-o nobody} server
	$as_user "$postgresql/initdb" -D server/data -A trust -U tester >initdb.log 2>&1 ||
		{ cat initdb.log; exit 99; }
	# Single-user mode: the queries come from standard input.
	printf '%s;\n' "SET jit_above_cost = 0" "SET jit_inline_above_cost = -1" \
		"SET jit_optimize_above_cost = -1" "$query" "$query" "$query" >queries
	if $as_user env LTTNG_HOME="$PWD/server" "$codectl_command" record -F 999 -o server/pg.data \
		-- "$postgresql/postgres" --single -D server/data -c jit=on \
		-c jit_debugging_support=on postgres <queries >pg.out 2>pg.log &&
		samples server/pg.data >pg.txt 2>>pg.log; then
		tap_check "PostgreSQL: the queries have a result" grep -q 'sum = "' pg.out
		check_complete "PostgreSQL" pg.txt 98 40
		check_function pg 'evalexpr_[0-9_]+'
	else
		tap_not_ok "PostgreSQL: recorded" "$(cat pg.log)"
	fi
else
	# Its package starts a server, so it is used only where it is there anyway.
	tap_note "PostgreSQL: not tested, it is not installed, or without LLVM"
fi
tap_done

#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# Generated code: a JIT compiler of our own that adds functions while it is sampled
# and uses its memory again for others, with and without sanitizers, and libtcc. Every
# stack is compared with what the program knows.
: "${srcdir:=$(dirname "$0")/..}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/lttng.sh"
lttng_setup
. "$srcdir/lib/record.sh"
srcdir=$(cd "$srcdir" && pwd)
system_srcdir=$srcdir/system
cd "$lttng_tmp" || exit 99

jit_flags="-D_GNU_SOURCE -I$srcdir -I$srcdir/../lttng-ust-codectl/include -pthread
	-L$codectl_libs -llttng-ust-codectl -Wl,-rpath,$codectl_libs"

# jit_compile OUTPUT OPTION…
jit_compile()
{
	jit_output=$1
	shift
	# shellcheck disable=SC2086 # Lists of words.
	compile "$jit_output" "$system_srcdir/prog-jit.c" "$srcdir/lib/jit-emitter.c" "$@" $jit_flags
}

# record NAME COMMAND…: records the command into NAME.data.
record()
{
	record_name=$1
	shift
	"$codectl_command" record -F 2000 -o "$record_name.data" -- "$@" \
		>"$record_name.out" 2>"$record_name.log"
}

check()
{
	BABELTRACE_PLUGIN_PATH=$codectl_plugins /usr/bin/python3 "$system_srcdir/jit-check.py" "$@"
}

# 4 threads, 1280 chains of 8 functions, regions used again for every 80 of them.
jit_compile jit
if record jit ./jit 4 320 jit.runs; then
	if check jit.data jit.runs >jit.txt 2>&1; then
		tap_ok "stacks in generated code: $(tail -n 1 jit.txt)"
	else
		tap_not_ok "stacks in generated code" "$(tail -n 30 jit.txt)"
	fi
	tap_equal "at least 20 of the samples are in generated code" \
		"$(awk 'END { print ($5 >= 20) }' jit.txt)" 1
else
	tap_not_ok "a program with generated code is recorded" "$(cat jit.log)"
fi

# Rows that were in tables before a fork, and those that come after it.
if record fork ./jit 1 200 fork.runs fork; then
	if check fork.data fork.runs >fork.txt 2>&1; then
		tap_ok "stacks in a child's generated code: $(tail -n 1 fork.txt)"
	else
		tap_not_ok "stacks in a child's generated code" "$(tail -n 30 fork.txt)"
	fi
	tap_equal "both processes are in generated code" \
		"$(awk 'END { print $(NF - 1) }' fork.txt)" 2
else
	tap_not_ok "a program that forks is recorded" "$(cat fork.log)"
fi

# What the program does with its tables and our library is sound. gcc's
# ThreadSanitizer knows nothing of pthread_mutex_clocklock(): it takes what that has
# locked for unlocked.
printf 'mutex:%s\n' codectl_registry_unlock unlock_round destruct >suppressions
TSAN_OPTIONS="suppressions=$PWD/suppressions"
export TSAN_OPTIONS
for sanitizer in address thread; do
	jit_compile "jit-$sanitizer" "-fsanitize=$sanitizer" 2>/dev/null
	tap_check "$sanitizer sanitizer: nothing is recorded" "./jit-$sanitizer" 4 40 "$sanitizer.runs"
done
if lttng_start_daemon; then
	for sanitizer in address thread; do
		lttng create "$sanitizer" --output="$PWD/$sanitizer.data" >lttng.log 2>&1 &&
			lttng enable-event -s "$sanitizer" -u 'codectl:*' >>lttng.log 2>&1 &&
			lttng start "$sanitizer" >>lttng.log 2>&1
		tap_check "$sanitizer sanitizer: rows and symbols are recorded" \
			"./jit-$sanitizer" 4 40 "$sanitizer.runs"
		lttng destroy "$sanitizer" >>lttng.log 2>&1
		babeltrace2 "$sanitizer.data" >"$sanitizer.txt" 2>&1
		tap_equal "$sanitizer sanitizer: all symbols are in the trace" \
			"$(grep -c 'codectl:jit_symbol:' "$sanitizer.txt")" 1280
	done
	# Registrations, rows and symbols that are older than the session.
	mkfifo input
	LD_PRELOAD=$codectl_preload LTTNG_UST_CODECTL_HZ=999 ./jit 1 300 late.runs wait \
		<input >late.out 9>&- &
	late=$!
	exec 8>input
	has_said() { grep -q "$1" late.out || is_gone "$late"; }
	tap_wait 60 has_said ready
	lttng create late --output="$PWD/late.data" >>lttng.log 2>&1
	lttng enable-event -s late -u 'codectl:*' >>lttng.log 2>&1
	lttng start late >>lttng.log 2>&1
	echo >&8
	tap_wait 60 has_said done
	lttng regenerate statedump -s late >>lttng.log 2>&1
	exec 8>&-
	wait "$late"
	lttng destroy late >>lttng.log 2>&1
	if check late.data late.runs >late.txt 2>&1; then
		tap_ok "generated code that is older than the session: $(tail -n 1 late.txt)"
	else
		tap_not_ok "generated code that is older than the session" "$(tail -n 30 late.txt)"
	fi
	tap_equal "at least 10 of its samples are in generated code" \
		"$(awk 'END { print ($5 >= 10) }' late.txt)" 1
	babeltrace2 late.data >late.events 2>&1
	tap_equal "its rows are in the state dump" \
		"$(grep -c 'codectl:jit_rows:.* serial = 0,' late.events | awk '{ print ($1 > 0) }')" 1
	lttng_stop_daemon
else
	tap_skip "sanitizers, recorded; older than the session" "$lttng_reason"
fi

# Each function tells how to unwind it in another way, and has lines and an inlined function.
# shellcheck disable=SC2086 # Lists of words.
compile ext "$system_srcdir/prog-jit-ext.c" "$srcdir/lib/jit-emitter.c" $jit_flags
if record ext ./ext && samples ext.data >ext.txt; then
	grep ';run_ext;' ext.txt >ext.in
	wrong=$(cut -f 4,5 ext.in | grep -vE \
		'^outermost.*;main;run_ext;ext_0(;inner_0|;ext_1(;inner_1|;ext_2(;inner_2|;ext_3(;inner_3|;ext_4(;inner_4|;ext_5(;inner_5)?)?)?)?)?)?$' |
		# By frame pointers, the caller is left out of a prologue.
		grep -vE ';ext_[0-4];ext_5$' | head -n 3)
	tap_equal "all ways to register code: stacks are exact" "$wrong" ""
	tap_equal "the same: at least 20 samples" "$(awk 'END { print (NR >= 20) }' ext.in)" 1
	babeltrace2 --plugin-path="$codectl_plugins" ext.data \
		--component=filter.codectl.debug-info 2>/dev/null >ext.events
	tap_equal "the same: an inlined function, and from where it is called" \
		"$(grep -oE 'func = "inner_3", src = "[^"]*".*' ext.events | head -n 1 |
			grep -oE '(func|src) = "[^"]*"' | sed 's/+0x[0-9a-f]*//' | head -n 5 | tr '\n' ' ')" \
		'func = "inner_3" src = "inner.js:7" func = "ext_3" src = "3.js:13" func = "ext_2" '
else
	tap_not_ok "all ways to register code: recorded" "$(cat ext.log)"
fi

# The headers by themselves, for both languages.
for language in "c -std=c99" "c++ -std=c++11"; do
	# shellcheck disable=SC2086 # Words.
	tap_check "headers: $language" "$CC" -x $language -Wall -Wextra -Werror \
		-fsyntax-only "-I$srcdir/../lttng-ust-codectl/include" \
		-include codectl/ext.h /dev/null
done

# The example of the documentation.
# shellcheck disable=SC2086 # Lists of words.
compile example "$srcdir/../doc/example/jit.c" $jit_flags
if record example ./example && samples example.data >example.txt; then
	tap_equal "the example's functions, and nothing is unknown" \
		"$(cut -f 4,5 example.txt | grep -E 'often|seldom' | sed 's/_start.*;//' | sort -u | tr '\t\n' '  ')" \
		"outermost often outermost seldom "
else
	tap_not_ok "the example is recorded" "$(cat example.log)"
fi

# A compiler that knows nothing of us.
if [ -e /usr/include/libtcc.h ]; then
	# shellcheck disable=SC2086 # Lists of words.
	compile tcc "$system_srcdir/prog-tcc.c" -ltcc -ldl $jit_flags
	for how in rows fp; do
		if record "tcc-$how" ./tcc "$how" && samples "tcc-$how.data" >"tcc-$how.txt"; then
			grep ';run_tcc;' "tcc-$how.txt" >"tcc-$how.in"
			tap_equal "libtcc, $how: stacks are complete" \
				"$(cut -f 4 "tcc-$how.in" | sort -u)" outermost
		else
			tap_not_ok "libtcc, $how: recorded" "$(cat "tcc-$how.log")"
		fi
	done
	wrong=$(cut -f 5 tcc-rows.in | grep -vE \
		';main;run_tcc(;tcc_outer(;tcc_middle(;tcc_inner(;burn)?)?)?)?$' | head -n 3)
	tap_equal "libtcc, rows: stacks are exact" "$wrong" ""
	# In prologues and epilogues the direct caller is left out.
	wrong=$(cut -f 5 tcc-fp.in | grep -vE \
		';main;run_tcc(;tcc_outer)?(;tcc_middle)?(;tcc_inner)?(;burn)?$' | head -n 3)
	tap_equal "libtcc, frame pointers: stacks are as good as they can be" "$wrong" ""
	tap_equal "libtcc: at least 20 samples of each" \
		"$(awk 'FNR > most { most = FNR } FNR == 20 { enough++ } END { print enough + 0 }' \
			tcc-rows.in tcc-fp.in)" 2
else
	tap_skip "libtcc" "libtcc-dev is not installed"
fi
tap_done

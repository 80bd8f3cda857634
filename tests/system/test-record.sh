#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# `codectl record` on programs whose stacks are known.
: "${srcdir:=$(dirname "$0")/..}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/lttng.sh"
lttng_setup
. "$srcdir/lib/record.sh"
daemons_before=$(count_daemons "$(id -u)")
cd "$lttng_tmp" || exit 99
system_srcdir=$(cd "$OLDPWD" && cd "$system_srcdir" && pwd)
srcdir=$(dirname "$system_srcdir")

# The chain of 40 frames: whatever level was sampled, all below it is exact. On
# a busy machine a sample stands for many ticks, so there are fewer.
check_chain()
{
	awk -F '\t' '
	{
		samples++
		n = split($5, frames, ";")
		for (at = 1; at <= n && frames[at] != "level_00"; at++)
			;
		if (at > n) {
			outside++
			next
		}
		inside++
		is_exact = at > 1 && frames[at - 1] == "main"
		for (level = 0; at + level <= n; level++) {
			name = sprintf("level_%02d", level)
			# The helpers called by some levels may be the leaf.
			if (frames[at + level] != name && !(at + level == n && \
				frames[n] == "wide_" (level - 1)))
				is_exact = 0
		}
		if ($4 != "outermost")
			is_exact = 0
		if (!is_exact) {
			wrong++
			if (wrong <= 3)
				print "wrong: " $0
		}
		if (level > deepest)
			deepest = level
	}
	END {
		printf "%d samples, %d in the chain, %d wrong, deepest %d\n", \
			samples, inside, wrong, deepest
		exit !(inside >= 30 && wrong == 0 && deepest == 40 && outside <= samples / 20)
	}' "$1"
}

sh "$system_srcdir/gen-chain.sh" >chain.c
for compiler in gcc clang; do
	for options in "-O0" "-O2" "-O2 -fomit-frame-pointer"; do
		name="chain of 40 frames, $compiler $options"
		if ! command -v "$compiler" >/dev/null; then
			tap_skip "$name" "$compiler is not installed"
			continue
		fi
		# shellcheck disable=SC2086 # Several options.
		$compiler $options -g -fno-optimize-sibling-calls -o chain chain.c || exit 99
		if "$codectl_command" record -F 999 -o chain.data -- ./chain 1.5 >/dev/null 2>record.log &&
			samples chain.data >chain.txt 2>samples.log; then
			tap_check "$name" check_chain chain.txt
		else
			tap_not_ok "$name" "$(cat record.log samples.log)"
		fi
	done
done

# Every thread under its own name, in proportion to its CPU time.
compile threads "$system_srcdir/prog-threads.c" -pthread
tap_check "8 threads: recorded" "$codectl_command" record -F 499 -o threads.data -- ./threads 8 0.5
samples threads.data >threads.txt
check_complete "8 threads: complete stacks" threads.txt 99 100
tap_equal "8 threads: each in its own function, once" "$(
	awk -F '\t' 'match($5, /worker_[0-7]/) {
		worker = substr($5, RSTART, RLENGTH)
		if ($5 !~ "spin_" substr(worker, 8))
			next
		print $2, worker
	}' threads.txt | sort -u | awk '{ print $2 }' | sort | tr '\n' ' ')" \
	"worker_0 worker_1 worker_2 worker_3 worker_4 worker_5 worker_6 worker_7 "
# Once for each state dump: there is a second one where a session is slow to start.
has_images()
{
	image_count=$(babeltrace2 threads.data | grep -c codectl:elf_image)
	dump_count=$(babeltrace2 threads.data | grep -c codectl:statedump_begin)
	echo "$image_count images, $dump_count dumps"
	if grep -q vdso threads.txt; then
		[ "$image_count" -ge 1 ] && [ "$image_count" -le "$dump_count" ]
	else
		[ "$image_count" = 0 ]
	fi
}
tap_check "8 threads: the vDSO's image is there if a sample is in it, once" has_images
tap_equal "one thread alone" "$(
	"$codectl_command" record -F 499 -o one.data -- ./threads 1 0.5 >/dev/null 2>&1
	samples one.data | awk -F '\t' '$5 ~ /worker_0;spin_0/ { n++ } END { print (n > 20) }')" 1

# Two libraries one after the other at the same address: each by its own name.
compile reload "$system_srcdir/prog-reload.c"
compile lib-alpha.so "$system_srcdir/lib-spin-so.c" -shared -fPIC -DNAME=alpha
compile lib-bravo.so "$system_srcdir/lib-spin-so.c" -shared -fPIC -DNAME=bravo
# Unless another thread takes the place in between; not each time.
for _ in 1 2 3; do
	rm -rf reload.data
	"$codectl_command" record -F 499 -o reload.data -- ./reload 0.4 ./lib-alpha.so \
		./lib-bravo.so ./lib-alpha.so >reload.out 2>reload.log
	[ "$(sort -u reload.out | wc -l)" = 1 ] && break
done
tap_equal "dlclose and dlopen again: at the same address" "$(sort -u reload.out | wc -l)" 1
samples reload.data >reload.txt
tap_equal "dlclose and dlopen again: the functions in their order, none mixed" "$(
	awk -F '\t' '$5 ~ /spin/ { n = split($5, f, ";"); m = split($6, b, ";"); \
		for (i = 1; i <= n; i++) if (f[i] == "spin") print f[i + 1], b[i + 1] }' reload.txt |
		uniq -c | awk '$1 >= 10 { print $2, $3 }' | tr '\n' ',')" \
	"alpha lib-alpha.so,bravo lib-bravo.so,alpha lib-alpha.so,"
check_complete "dlclose and dlopen again: complete stacks" reload.txt 99 100
# Samples just after a load and just before an unload, in libraries that the
# helper thread sees too late or not any more.
libraries=$(for _ in 1 2 3 4 5 6 7 8; do printf './lib-alpha.so ./lib-bravo.so '; done)
# shellcheck disable=SC2086 # Several words.
"$codectl_command" record -F 999 -o often.data -- ./reload 0.04 $libraries >/dev/null 2>>reload.log
samples often.data >often.txt
check_complete "loaded and unloaded often" often.txt 100 20

# Before dlopen() returns, and while dlclose() is at it.
compile lib-around.so "$system_srcdir/lib-spin-so.c" -shared -fPIC -DNAME=around -DAROUND=0.3
"$codectl_command" record -F 499 -o around.data -- ./reload 0.1 ./lib-around.so >/dev/null \
	2>>reload.log
samples around.data >around.txt
check_complete "constructors and destructors of libraries" around.txt 99 100
for function in come go; do
	tap_equal "a library's $function(): named, and called by the loader" "$(awk -F '\t' \
		"\$5 ~ /main;.*;$function;around/ && \$6 ~ /libc.so.6;.*;ld-linux.*;lib-around.so;/ { n++ }
		END { print (n >= 20) }" around.txt)" 1
done

# What the program ends with is what the command ends with.
"$codectl_command" record -o status.data -- sh -c 'exit 7' 2>/dev/null
tap_equal "the exit status is the program's" $? 7
("$codectl_command" record -F 499 -o abort.data -- ./chain 0.5 abort >/dev/null 2>abort.log)
tap_equal "a program that ends by a signal: so does the command" $? 134
samples abort.data >abort.txt
tap_check "a program that ends by a signal: its samples are there" check_chain abort.txt
"$codectl_command" record -o none.data -- ./no-such-program 2>none.log
tap_equal "no such program: status 127" $? 127
tap_check "no such program: the message names it" grep -q 'no-such-program: No such file' none.log
tap_check "no such program: nothing is left" test ! -e none.data
# Killed while it is still registering: there is nothing to read, but it can be read.
"$codectl_command" record -o early.data -- ./chain 30 >/dev/null 2>early.log &
recorder=$!
program_runs() { pgrep -P "$recorder" -x chain; }
tap_wait 20 program_runs
kill -TERM "$recorder"
wait "$recorder"
tap_equal "SIGTERM at once ends both" $? 143
tap_check "SIGTERM at once: the trace is readable" babeltrace2 early.data

"$codectl_command" record -F 499 -o term.data -- ./chain 30 >term.out 2>term.log &
recorder=$!
tap_wait 20 grep started term.out
kill -TERM "$recorder"
wait "$recorder"
tap_equal "SIGTERM goes to the program and ends both" $? 143
tap_check "SIGTERM: the trace is readable" samples term.data

# Recording twice keeps the older one; something else is never touched.
mkdir precious && touch precious/thing
"$codectl_command" record -o precious -- true 2>precious.log
tap_equal "a directory that is no recording is refused" "$? $(ls precious)" "1 thing"
"$codectl_command" record -o twice -- true 2>/dev/null
"$codectl_command" record -o twice -- true 2>/dev/null
tap_check "an older recording is kept as .old" test -f twice.old/recording.txt -a -f twice/recording.txt

for options in "-F 0" "-F 10001" "-F x" "--no-such-option" ""; do
	# shellcheck disable=SC2086 # Several words, or none.
	"$codectl_command" record $options ${options:+-- true} >/dev/null 2>usage.log
	tap_equal "bad usage: record $options" "$? $(wc -l <usage.log)" "2 1"
done

tap_equal "no session daemon is left" "$(count_daemons "$(id -u)")" "$daemons_before"
tap_done

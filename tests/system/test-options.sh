#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# What the options of `codectl record` do, each on a program that shows it.
: "${srcdir:=$(dirname "$0")/..}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/lttng.sh"
lttng_setup
. "$srcdir/lib/record.sh"
daemons_before=$(count_daemons "$(id -u)")
system_srcdir=$(cd "$system_srcdir" && pwd)
srcdir=$(dirname "$system_srcdir")
cd "$lttng_tmp" || exit 99

sh "$system_srcdir/gen-chain.sh" >chain.c
compile chain chain.c -fno-optimize-sibling-calls
compile threads "$system_srcdir/prog-threads.c" -pthread
compile tracef "$system_srcdir/prog-tracef.c" -llttng-ust -ldl

record() { "$codectl_command" record "$@" 2>>record.log; }

# Settings of the preloads.
settings() { sed -n 's/^LTTNG_UST_CODECTL_\(CLOCK\|STACK\|STACK_SIZE\|SIGNAL\|HZ\)=/\1 /p' | sort | xargs; }
unset LTTNG_UST_CODECTL_CLOCK LTTNG_UST_CODECTL_STACK LTTNG_UST_CODECTL_STACK_SIZE \
	LTTNG_UST_CODECTL_SIGNAL LTTNG_UST_CODECTL_HZ
tap_equal "without options the preloads have their defaults" \
	"$(record -o env.data -- env | settings)" "HZ 99"
tap_equal "what options set" "$(record -o env.data -F 50 --clock=wall --stack=full --stack-size=16K \
	--signal=SIGPROF -- env | settings)" "CLOCK wall HZ 50 SIGNAL 27 STACK full STACK_SIZE 16384"
tap_equal "signals by number and name" "$(for signal in 10 USR2 RTMIN+3 RTMAX-1 RTMAX; do
	record -o env.data --signal="$signal" -- env | sed -n 's/^LTTNG_UST_CODECTL_SIGNAL=//p'
done | xargs)" "10 12 37 63 64"
tap_equal "a setting of the user stays if no option says otherwise" \
	"$(LTTNG_UST_CODECTL_STACK_SIZE=4096 record -o env.data -- env | settings)" \
	"HZ 99 STACK_SIZE 4096"

record -F 499 --signal=PROF --stack-size=1K --buffer-size=100k -o small.data -- ./chain 0.5 >/dev/null
tap_equal "--signal, --stack-size: samples of 1 KiB" "$(babeltrace2 small.data |
	sed -n 's/.*codectl:sample.* stack_len = \([0-9]*\),.*/\1/p' | sort -n | uniq -c |
	awk '{ count += $1; most = $2 } END { print (count > 20), most <= 1024 }')" "1 1"

# The recording ends, the program does not.
mkfifo go
"$codectl_command" record -F 499 --duration=2 -o short.data -- \
	sh -c './chain 4 >/dev/null; read line <go; exit 3' 2>short.log &
recorder=$!
tap_check "--duration: the recording ends" tap_wait 60 grep -q 'The recording is over' short.log
samples short.data >short.txt 2>>record.log
check_complete "--duration: its stacks are there while the program runs" short.txt 99 10
tap_check "--duration: the program goes on" kill -0 "$recorder"
echo >go
wait "$recorder"
tap_equal "--duration: the exit status is the program's" $? 3
record --duration=1000 -o short.data -- sh -c 'exit 4'
tap_equal "--duration: the program may end before" $? 4

record -F 499 --no-children -o alone.data -- sh -c './threads 2 0.3; exec ./chain 0.5' >/dev/null
samples alone.data >alone.txt 2>>record.log
check_complete "--no-children: the program is recorded" alone.txt 99 30
tap_equal "--no-children: its child is not" "$(grep -c worker alone.txt)" 0

# The program's own events, and the samples among them.
for pattern in 'lttng_ust_tracef:*' 'nothing:here,lttng_ust_tracef:ev*' '*'; do
	record -F 499 --with="$pattern" -o with.data -- ./tracef 100
	babeltrace2 with.data >with.txt 2>>record.log
	tap_equal "--with='$pattern': the program's events, with its pid" "$(
		grep -c 'lttng_ust_tracef:event.*vpid = [0-9]*, vtid = .*round' with.txt)" 100
	tap_equal "--with='$pattern': none of ours comes twice" \
		"$(grep -c 'codectl:statedump_begin' with.txt)" 1
done
tap_equal "--with: samples stand between events" "$(awk '/tracef:event/ { seen = 1 }
	/codectl:sample/ && seen { between = 1 } /tracef:event/ && between { all = 1 }
	END { print all }' with.txt)" 1
record --with='nothing:*' --with='lttng_ust_tracef:event' -o with.data -- ./tracef 3
tap_equal "--with twice" "$(babeltrace2 with.data | grep -c tracef:event)" 3

# Each with its own program, all at once.
for name in chain threads tracef; do
	case $name in
	chain) set -- ./chain 1 ;;
	threads) set -- ./threads 2 0.5 ;;
	tracef) set -- ./tracef 300 ;;
	esac
	"$codectl_command" record -F 499 -o "$name.data" -- "$@" >/dev/null 2>"$name.log" &
done
wait
for name in chain threads tracef; do
	samples "$name.data" >"$name.txt" 2>>record.log
	tap_equal "several at once: $name has its own samples alone" \
		"$(tr ';' '\t' <"$name.txt" | grep -oE 'level_00|worker_0|tracef$' | sort -u |
			sed 's/level_00/chain/; s/worker_0/threads/')" "$name"
done

# Ctrl-C goes to both, and the trace is complete.
# shellcheck disable=SC2016 # For the inner shell.
/usr/bin/python3 "$system_srcdir/ctrl-c.py" started "$codectl_command" record -F 499 -o typed.data -- \
	./chain 30 >typed.log
tap_equal "Ctrl-C ends the program and the recording" "$(tail -n 1 typed.log)" "status -2"
tap_check "Ctrl-C: the summary is there" grep -q 'samples of 1 process' typed.log
tap_check "Ctrl-C: the trace is readable" samples typed.data
/usr/bin/python3 "$system_srcdir/ctrl-c.py" started "$codectl_command" record -o typed.data -- \
	sh -c 'trap "count=\$((count + 1))" INT; echo started; ./chain 0.3 >/dev/null; ./chain 0.3 >/dev/null
	echo "caught $count"; exit 5' >typed.log
tap_equal "Ctrl-C: a program that takes it goes on, and gets it once" \
	"$(grep -c 'caught 1' typed.log) $(tail -n 1 typed.log)" "1 status 5"

# What makes no sense is refused in a line that names the option.
for options in "--frequency=0" "--frequency=10001" "--frequency=9x" "--clock=quartz" "--clock=" \
	"--stack=half" "--stack-size=1" "--stack-size=1M" "--stack-size=8q" "--buffer-size=1K" \
	"--buffer-size=99999999999999999999" "--buffer-size=-1" "--signal=KILL" "--signal=33" \
	"--signal=NOSUCH" "--signal=RTMAX+1" "--duration=0" "--duration=x" "--duration=nan" \
	"--with=" "--with=a:b,,c:d" "--pid=1" "--no-such" "--buffer-size=64K --stack=full"; do
	name=${options%%[ =]*}
	# shellcheck disable=SC2086 # Several words.
	"$codectl_command" record -o refused.data $options -- true 2>refused.log
	tap_equal "refused: $options" \
		"$? $(grep -c -e "^codectl: error: .*$name" refused.log) $(wc -l <refused.log)" "2 1 1"
done
tap_check "refused: nothing was made" test ! -e refused.data
"$codectl_command" record -p 1 2>refused.log
tap_check "-p tells what to do instead" grep -q 'codectl record -- COMMAND.*lttng(1)' refused.log

tap_equal "no session daemon is left" "$(count_daemons "$(id -u)")" "$daemons_before"
tap_done

#!/bin/sh
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# What `codectl` says about words and directories that make no sense.
: "${srcdir:=$(dirname "$0")/..}" "${top_builddir:=$srcdir/..}"
. "$srcdir/lib/tap.sh"
srcdir=$(cd "$srcdir" && pwd)
codectl=$(cd "$top_builddir/lttng-ust-codectl" && pwd)/codectl
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 99

# fails NAME STATUS MESSAGE ARGUMENT…: ends with STATUS, MESSAGE is all that is written.
fails()
{
	fails_name=$1
	fails_status=$2
	fails_message=$3
	shift 3
	"$codectl" "$@" >"$tmp/out" 2>"$tmp/error"
	tap_equal "$fails_name" "$? $(cat "$tmp/out" "$tmp/error")" \
		"$fails_status codectl: error: $fails_message"
}

"$codectl" >"$tmp/out" 2>"$tmp/error"
tap_equal "no command" "$? $(cat "$tmp/out") $(head -n 1 "$tmp/error")" \
	"2  Usage: codectl COMMAND [ARGUMENT...]"
fails "an unknown command" 2 "There is no command recrod; see codectl --help" recrod
fails "help for an unknown command" 2 "There is no command x; see codectl --help" help x
for word in help --help -h; do
	tap_equal "$word" "$("$codectl" $word | sed -n 's/^  \([a-z]*\) .*/\1/p' | tr '\n' ' ')" \
		"record report export archive help version "
done
for command in report export archive; do
	tap_check "help for $command" sh -c "'$codectl' help $command | grep -q -- --target-prefix"
	tap_check "$command --help" sh -c "'$codectl' $command --help | grep -q -- --debuginfod"
done
tap_check "--version" sh -c "'$codectl' --version | grep -q '^codectl (lttng-ust-codectl) [0-9]'"

fails "an unknown option" 2 "--nope: unknown option" report --nope
fails "an option without its value" 2 "--by: missing argument" report --by
fails "an unknown group" 2 "--by is process, thread or none, not cpu" report --by=cpu
fails "an impossible share" 2 "--min-percent is between 0 and 100" report --min-percent=101
fails "a share that is no number" 2 "--min-percent=x: invalid numeric value" report --min-percent=x
fails "an unknown order" 2 "--sort is total or self, not name" report --sort=name
fails "a negative limit" 2 "--limit is not negative" report --limit=-1
fails "two directories to archive" 2 "One directory at a time: b is too much" archive a b
fails "a negative time" 2 "--debuginfod-timeout is not negative" archive --debuginfod-timeout=-1
fails "two directories" 2 "One directory at a time: b is too much" report a b
fails "no format" 2 "Which format? See codectl export --help" export
fails "an unknown format" 2 "--format is folded or flamegraph, not svg" export --format=svg

fails "no recording here" 1 "There is no recording here (codectl-data); make one with codectl \
record, or name another" report
fails "a directory that is not there" 1 "Cannot read nowhere: No such file or directory" \
	report nowhere
: >file
fails "a file" 1 "Cannot read file: Not a directory" report file
mkdir -p empty/sub
ln -s .. empty/sub/loop
fails "a directory without a trace" 1 "There is no trace in empty: no directory below it holds a \
file \`metadata\`" export --format=folded empty
mkdir bad
echo nonsense >bad/metadata
"$codectl" report bad >"$tmp/out" 2>"$tmp/error"
tap_equal "a broken trace" "$? $(cut -c 1-20 "$tmp/error" | head -n 1) $(cat "$tmp/out")" \
	"1 codectl: error: bad: "

# Traces whose samples have names already: the filter lets them through.
if ! /usr/bin/python3 -c 'import bt2' 2>/dev/null; then
	tap_skip "traces" "/usr/bin/python3 has no module bt2"
	tap_done
	exit
fi
/usr/bin/python3 "$srcdir/plugin/annotated.py" other --ctf "$tmp/other/trace"
fails "a trace without samples" 1 "other: There are no samples in the trace" report other
fails "… to archive" 1 "other: There are no samples, or none of their files was found" \
	archive -o archived other
CODECTL_PLUGIN_PATH=$tmp/empty
export CODECTL_PLUGIN_PATH
fails "a plugin that is not there" 1 "The Babeltrace plugin babeltrace-plugin-codectl.so is not \
where it belongs; set CODECTL_PLUGIN_PATH to its directory" report other
unset CODECTL_PLUGIN_PATH

mkdir codectl-data
/usr/bin/python3 "$srcdir/plugin/annotated.py" basic --ctf "$tmp/codectl-data/ust/uid/0"
tap_equal "the default directory" "$("$codectl" report --limit=1 2>&1 | grep -v '^#')" "
  total %    self %     total      self   total s    self s  function [binary]
   75.00%    12.50%         6         1     0.045     0.007  main  [app]"
tap_equal "sorted by self" "$("$codectl" report --sort=self --limit=1 2>&1 | tail -n 2 | head -n 1)" \
	"   50.00%    50.00%         4         4     0.030     0.030  work  [libw.so]"
/usr/bin/python3 "$srcdir/plugin/annotated.py" basic --ctf "$tmp/codectl-data/ust/uid/1"
"$codectl" export --format=folded -o stacks --by=thread codectl-data >"$tmp/out" 2>&1
tap_equal "two traces in one directory" "$? $(cat "$tmp/out")
$(cat stacks)" "0 
[unknown]-20/20;main;[unknown];a;b 2
app-10/10;_start;main 2
app-10/10;_start;main;[libw.so] 2
app-10/10;_start;main;work 6
app-10/10;_start;main;work;work 2
worker-10/11;thread;operator+ 2"
"$codectl" export --format=flamegraph --title='A & B' -o page codectl-data >"$tmp/out" 2>&1
tap_equal "a flame graph" "$? $(cat "$tmp/out") $(grep -c '<title>A &amp; B</title>' page)" "0  1"
fails "an output that cannot be" 1 \
	"codectl-data: Cannot write to \"none/x\": No such file or directory." \
	export --format=folded -o none/x
tap_equal "report to head" "$("$codectl" report 2>&1 | head -n 1)" \
	"# samples: 12, weight 16, 3 threads of 2 processes"

# Interrupted while it waits for a reader that never comes: ends by that signal.
mkfifo fifo
"$codectl" export --format=folded -o fifo codectl-data >"$tmp/out" 2>&1 &
child=$!
# The handler is there when bit 14 (SIGTERM is 15) is among the caught signals.
is_ready()
{
	[ $((0x$(sed -n 's/^SigCgt:.*\(........\)$/\1/p' "/proc/$child/status") >> 14 & 1)) = 1 ]
}
tap_wait 30 is_ready
kill -TERM "$child"
wait "$child"
tap_equal "an interrupt ends it by the signal" "$? $(cat "$tmp/out")" "143 "

tap_done

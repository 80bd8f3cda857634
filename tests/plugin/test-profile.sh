#!/bin/sh
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# sink.codectl.profile on events like those of the filter.
: "${srcdir:=$(dirname "$0")/..}" "${top_builddir:=..}" "${CC:=cc}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/graph.sh"
graph_setup

# profile SCENARIO NAME=VALUE…
profile()
{
	LD_PRELOAD=$graph_preload ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 \
		/usr/bin/python3 "$srcdir/plugin/annotated.py" "$@"
}

tap_equal "folded" "$(profile basic format=folded 2>&1)" \
"[unknown];main;[unknown];a;b 1
app;_start;main 1
app;_start;main;[libw.so] 1
app;_start;main;work 3
app;_start;main;work;work 1
worker;thread;operator+ 1"

tap_equal "folded by process" "$(profile basic format=folded by=process 2>&1)" \
"[unknown]-20;main;[unknown];a;b 1
app-10;_start;main 1
app-10;_start;main;[libw.so] 1
app-10;_start;main;work 3
app-10;_start;main;work;work 1
app-10;thread;operator+ 1"

tap_equal "report, the default" "$(profile basic title=T limit=3 min-percent=20.5 2>&1)" \
"# T
# samples: 6, weight 8, 3 threads of 2 processes
# lost: 2 samples by full rings; discarded by the tracer: 7 events, 0 packets
# CPU time: about 0.060 s, 7.500 ms per sample
# complete stacks: 83.33% (5 of 6)
#   ended by no-rule: 16.67% (1)

  total %    self %     total      self   total s    self s  function [binary]
   75.00%    12.50%         6         1     0.045     0.007  main  [app]
   75.00%     0.00%         6         0     0.045     0.000  _start  [app]
   50.00%    50.00%         4         4     0.030     0.030  work  [libw.so]
# 7 more functions are not shown"

tap_equal "progress ends with a summary" \
	"$(profile basic format=folded output="$tmp/unused" progress=yes 2>&1)" \
	"6 samples, 2 lost, 83.3% of the stacks complete"

# refused NAME MESSAGE SCENARIO NAME=VALUE…: fails with MESSAGE and writes nothing.
refused()
{
	refused_name=$1
	refused_message=$2
	shift 2
	if profile "$@" >"$tmp/out" 2>"$tmp/error"; then
		tap_not_ok "$refused_name" "it did not fail"
	elif [ -s "$tmp/out" ]; then
		tap_not_ok "$refused_name" "it failed, but wrote: $(cat "$tmp/out")"
	else
		tap_equal "$refused_name" "$(cat "$tmp/error")" "$refused_message"
	fi
}

refused "an unknown parameter" "There is no parameter \`formt\`." basic formt=folded
refused "an unknown format" \
	'Parameter `format` must be "report", "folded" or "flamegraph".' basic format=perf
refused "an unknown group" \
	'Parameter `by` must be "none", "process" or "thread".' basic by=cpu
refused "a parameter of another type" 'Parameter `title` must be a string.' basic title=1
refused "a negative number" 'Parameter `limit` must be a whole number from 0.' basic limit=-1
refused "a flag that is none" 'Parameter `progress` must be yes or no.' basic progress=1
refused "a percentage that is none" \
	'Parameter `min-percent` must be a number from 0.' basic min-percent=few
refused "a directory that is not there" \
	"Cannot write to \"$tmp/none/x\": No such file or directory." basic output="$tmp/none/x"
refused "a directory as the output" "Cannot write to \"$tmp\": Is a directory." \
	basic output="$tmp"
refused "no samples" "There are no samples in the trace" no-samples
refused "samples without frames" \
	"The samples have no frames: filter.codectl.debug-info must come before this component" raw
tap_equal "a full disk" "$(profile basic 2>&1 >/dev/full; echo $?)" \
	'Cannot write "-": No space left on device
1'

# A file is there whole or not at all.
mkdir "$tmp/dir"
echo old >"$tmp/dir/file"
profile no-samples output="$tmp/dir/file" 2>/dev/null
tap_equal "a failed run leaves the old file and no other" \
	"$(cat "$tmp/dir/file"; ls "$tmp/dir")" "old
file"
(umask 027 && profile basic format=folded output="$tmp/dir/new")
chmod 604 "$tmp/dir/file"
ln -s file "$tmp/dir/link"
profile basic format=folded output="$tmp/dir/link"
tap_equal "files: modes, links, content" \
	"$(stat -c '%n %a %F' "$tmp/dir/new" "$tmp/dir/file" "$tmp/dir/link" | sed 's|.*/||'
	cmp "$tmp/dir/new" "$tmp/dir/file"; ls "$tmp/dir" | wc -l)" \
"new 640 regular file
file 604 regular file
link 777 symbolic link
3"
mkfifo "$tmp/fifo"
cat "$tmp/fifo" >"$tmp/from-fifo" &
profile basic format=folded output="$tmp/fifo"
wait
tap_equal "a pipe with a name stays one" "$(cmp "$tmp/dir/new" "$tmp/from-fifo" 2>&1)" ""

# A reader that has seen enough is no failure, signal or not.
(trap '' PIPE; profile hostile format=flamegraph; echo $? >"$tmp/status") 2>"$tmp/error" | head -n 1 \
	>/dev/null
tap_equal "a closed pipe" "$(cat "$tmp/status" "$tmp/error")" 0

tap_done

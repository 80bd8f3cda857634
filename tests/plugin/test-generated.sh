#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# filter.codectl.debug-info on generated code: rows, frame pointers, a section,
# symbols with lines and inlined functions, and what makes no sense.
: "${srcdir:=$(dirname "$0")/..}"
: "${top_builddir:=..}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/graph.sh"
graph_setup

filter=filter.codectl.debug-info

# stacks: of pretty output, a line for each sample: BIN|FUNC|SRC|VIA of each frame, then the end.
stacks()
{
	sed -n 's/.*codectl:sample: .*frames = \[ \?\(.*\) }$/\1/p' |
		sed -E 's/\{ pc = 0x[0-9A-F]+, bin = "([^"]*)", func = "([^"]*)", src = "([^"]*)", via = "([^"]*)" \}/\1|\2|\3|\4/g; s/\[[0-9]+\] = //g; s/ ?\], stack_end = "(.*)"/ \1/; s/, / /g'
}

# stat NAME: a number of the statistics in the log.
stat()
{
	sed -n "s/.*[ (]$1=\\([0-9]*\\).*/\\1/p" "$tmp/log"
}

CODECTL_TEST_LOG_LEVEL=INFO graph generated $filter sink.text.pretty >"$tmp/out"
stacks <"$tmp/out" >"$tmp/stacks"
check_stack()
{
	tap_equal "$1" "$(sed -n "${2}p" "$tmp/stacks")" "$3"
}

check_stack "rows and symbols" 1 '[jit]|inner+0x10||regs [jit]|outer+0x20||jit outermost'
check_stack "rows that came later, of the same registration" 2 \
	'[jit]|inner+0x10||regs [jit]|late+0x5||jit outermost'
check_stack "other functions at the same addresses" 3 \
	'[jit]|second+0x10||regs [jit]|second+0x130||jit outermost'
check_stack "lines and inlined functions" 4 \
	'[jit]|deep|c.js:30|inline [jit]|shallow|b.js:20|inline [jit]|lined+0x18|a.js:10|regs no-rule'
check_stack "a return address is of the line before" 5 \
	'[jit]|||regs [jit]|lined+0x10|a.js:1|jit outermost'
check_stack "a region with frame pointers, without names" 6 '[jit]|||regs [jit]|||jit outermost'
check_stack "a symbol without a registration" 7 '[jit]|alone+0x4||regs no-rule'
check_stack "a section of .eh_frame in parts" 8 '[jit]|framed+0x4||regs [jit]|base+0x20||jit outermost'
tap_equal "nothing makes no sense" "$(grep -c 'makes no sense' "$tmp/log")" 0

graph generated "$filter:{\"inlines\": false, \"full-path\": true}" sink.text.pretty >"$tmp/out"
stacks <"$tmp/out" >"$tmp/stacks"
check_stack "without inlined functions, with whole paths" 4 \
	'[jit]|lined+0x18|/src/c.js:30|regs no-rule'
graph generated "$filter:{\"unwind\": \"fp\"}" sink.text.pretty >"$tmp/out"
stacks <"$tmp/out" >"$tmp/stacks"
check_stack "by frame pointers alone: rows are not asked" 1 '[jit]|inner+0x10||regs no-rule'

CODECTL_TEST_LOG_LEVEL=INFO graph generated-malformed $filter sink.text.pretty >"$tmp/out"
stacks <"$tmp/out" >"$tmp/stacks"
check_stack "malformed: what is sound is used" 1 \
	'[jit]|inner+0x10||regs [jit]|outer+0x20||jit outermost'
tap_equal "malformed: rows of unknown code are counted" "$(stat of-unknown-code)" 2
tap_equal "malformed: bad rows are counted" "$(stat bad-rows)" 3
tap_equal "malformed: parts of sections are counted" "$(stat bad-parts)" 3
tap_equal "malformed: a section that is none is counted" "$(stat bad-sections)" 1
tap_equal "malformed: events of symbols are counted" "$(stat bad-events)" 4
tap_equal "malformed: columns that are not equally long" "$(stat events-with-bad-values)" 4
tap_check "malformed: reported" grep -q 'generated code makes no sense' "$tmp/log"
for seed in 1 2 3 4 5; do
	tap_check "random events, seed $seed" graph "generated-random:{\"seed\": $seed}" $filter \
		sink.utils.dummy
done
tap_done

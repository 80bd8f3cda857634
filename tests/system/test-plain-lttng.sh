#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# The same with LTTng's and Babeltrace's own tools: lttng create, enable-event,
# start, a preloaded program, stop, babeltrace2.
: "${srcdir:=$(dirname "$0")/..}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/lttng.sh"
lttng_setup
. "$srcdir/lib/record.sh"
system_srcdir=$(cd "$system_srcdir" && pwd)
srcdir=$(dirname "$system_srcdir")
cd "$lttng_tmp" || exit 99

if ! lttng_start_daemon; then
	tap_skip "plain LTTng" "$lttng_reason"
	tap_done
	exit
fi

quietly() { "$@" >>lttng.log 2>&1; }

# create_session NAME
create_session()
{
	quietly lttng create "$1" --output="$lttng_tmp/$1" &&
		quietly lttng enable-event -s "$1" -u 'codectl:*'
}

# end_session NAME
end_session()
{
	quietly lttng stop "$1" && quietly lttng destroy "$1"
}

sh "$system_srcdir/gen-chain.sh" >chain.c
compile chain chain.c -fno-optimize-sibling-calls

# 1. As the README has it.
create_session plain && quietly lttng start plain
LD_PRELOAD=$codectl_preload ./chain 1 >/dev/null
end_session plain
babeltrace2 --plugin-path="$codectl_plugins" plain --component=filter.codectl.debug-info \
	>plain.txt 2>plain.err
tap_equal "babeltrace2 with the filter prints named frames" \
	"$(grep -c 'codectl:sample.*func = "level_20+0x.*func = "main+0x.*stack_end = "outermost"' \
		plain.txt | awk '{ print ($1 > 50) }')" 1
tap_equal "babeltrace2 says nothing on stderr" "$(cat plain.err)" ""
tap_equal "no raw stack is left in the output" "$(grep -c 'stack_map' plain.txt)" 0
babeltrace2 --plugin-path="$codectl_plugins" plain \
	--component=filter.codectl.debug-info --params='keep-raw-stack=yes' >raw.txt
tap_equal "keep-raw-stack=yes keeps it" "$(grep -c 'stack_map' raw.txt | awk '{ print ($1 > 50) }')" 1
babeltrace2 plain | grep -v codectl:sample >before.txt
grep -v codectl:sample plain.txt >after.txt
tap_check "all other events come out unchanged" cmp before.txt after.txt

# 2. A session that starts when the program runs already.
mkfifo go
# shellcheck disable=SC2016 # For the inner shell.
LD_PRELOAD=$codectl_preload sh -c 'read -r line <go; ./chain 2' >/dev/null 2>late.err &
program=$!
tap_wait 20 sh -c "lttng list -u 2>/dev/null | grep -q codectl:sample"
create_session late && quietly lttng start late
echo >go
wait "$program"
end_session late
samples late >late.txt 2>>lttng.log
check_complete "a session that starts late has the whole map" late.txt 99 30

# 3. Started before the session, still running: one process, no exec in between.
LD_PRELOAD=$codectl_preload ./chain 4 >/dev/null &
program=$!
tap_wait 20 sh -c "lttng list -u 2>/dev/null | grep -q codectl:sample"
create_session running && quietly lttng start running
# 4. A second session joins, and sees the map too.
create_session second && quietly lttng start second
wait "$program"
end_session running
end_session second
samples running >running.txt 2>>lttng.log
samples second >second.txt 2>>lttng.log
check_complete "attached to a running program" running.txt 99 30
check_complete "two sessions at once" second.txt 99 30
tap_equal "a session gets one dump of a process" \
	"$(babeltrace2 running second | grep -c "codectl:statedump_begin.* vpid = $program,")" 2

# 5. Events enabled after the start.
quietly lttng create after --output="$lttng_tmp/after"
quietly lttng enable-event -u other:event
quietly lttng start after
LD_PRELOAD=$codectl_preload ./chain 3 >/dev/null &
program=$!
tap_wait 20 sh -c "lttng list -u 2>/dev/null | grep -q codectl:sample"
quietly lttng enable-event -s after -u 'codectl:*'
wait "$program"
end_session after
samples after >after-start.txt 2>>lttng.log
check_complete "events enabled after the start" after-start.txt 99 30
tap_done

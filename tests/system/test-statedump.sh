#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# State dumps: on demand, when part of the map was lost, and for what is read
# alone: snapshots and the chunks of a rotated session.
: "${srcdir:=$(dirname "$0")/..}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/lttng.sh"
lttng_setup
. "$srcdir/lib/record.sh"
system_srcdir=$(cd "$system_srcdir" && pwd)
srcdir=$(dirname "$system_srcdir")
cd "$lttng_tmp" || exit 99

if ! lttng_start_daemon; then
	tap_skip "state dumps" "$lttng_reason"
	tap_done
	exit
fi

quietly() { "$@" >>lttng.log 2>&1; }
# dumps DIRECTORY: complete dumps of the program.
dumps() { babeltrace2 "$1" 2>>lttng.log | grep -c "codectl:statedump_end.* vpid = $program,"; }
has_dumps() { [ "$(dumps "$1")" -ge "$2" ]; }
program_is_known() { lttng list -u 2>/dev/null | grep -q codectl:sample; }
# missing DIRECTORY: how many samples the filter says to be without some registration.
missing()
{
	babeltrace2 --plugin-path="$codectl_plugins" "$1" --component=filter.codectl.debug-info \
		2>&1 >/dev/null | sed -n 's/.*Registrations are missing.*samples=//p' | grep . || echo 0
}
# Until killed.
start_chain()
{
	LD_PRELOAD=$codectl_preload LTTNG_UST_CODECTL_HZ=499 ./chain 1000 >/dev/null &
	program=$!
	tap_wait 20 program_is_known
}
end_chain()
{
	kill "$program"
	wait "$program" 2>/dev/null
}

sh "$system_srcdir/gen-chain.sh" >chain.c
compile chain chain.c -fno-optimize-sibling-calls
compile loader "$system_srcdir/prog-flood.c" -ldl
compile lib-alpha.so "$system_srcdir/lib-spin-so.c" -shared -fPIC -DNAME=alpha
compile lib-bravo.so "$system_srcdir/lib-spin-so.c" -shared -fPIC -DNAME=bravo

# 1. Again on demand, to the session that asks alone.
start_chain
for name in asks other; do
	quietly lttng create "$name" --output="$lttng_tmp/$name"
	quietly lttng enable-channel -s "$name" -u --switch-timer=100000 all
	quietly lttng enable-event -s "$name" -u -c all 'codectl:*'
	quietly lttng start "$name"
done
tap_wait 20 has_dumps asks 1
quietly lttng regenerate statedump -s asks
tap_wait 20 has_dumps asks 2
quietly lttng destroy asks
quietly lttng destroy other
end_chain
tap_equal "lttng regenerate statedump: one more dump, to that session" \
	"$(dumps asks) $(dumps other)" "2 1"

# 2. One small channel, and nobody reads it for a while: registrations find no
# room. The program loads and unloads 40 times meanwhile, and then on and on.
quietly lttng create flood --output="$lttng_tmp/flood"
quietly lttng enable-channel -s flood -u --subbuf-size=8K --num-subbuf=2 --switch-timer=100000 all
quietly lttng enable-event -s flood -u -c all 'codectl:*'
quietly lttng start flood
mkfifo commands
LD_PRELOAD=$codectl_preload LTTNG_UST_CODECTL_HZ=999 ./loader ./lib-alpha.so ./lib-bravo.so \
	<commands >loader.out &
program=$!
exec 8>commands
echo 5 >&8
tap_wait 20 grep -q 'done 1' loader.out
for consumer in $(pgrep -P "$lttng_daemon" lttng-consumerd); do
	kill -STOP "$consumer"
done
echo 40 >&8
tap_wait 60 grep -q 'done 2' loader.out
for consumer in $(pgrep -P "$lttng_daemon" lttng-consumerd); do
	kill -CONT "$consumer"
done
# A second is the longest that a dump waits for its next try.
echo 100 >&8
tap_wait 60 grep -q 'done 3' loader.out
exec 8>&-
wait "$program"
quietly lttng destroy flood
babeltrace2 flood 2>&1 >flood.txt | grep -q -i discarded
tap_equal "a flood: events were lost" $? 0
tap_equal "a flood: registrations among them" "$(
	grep -oE 'codectl:(register_elf|unregister):.* serial = [0-9]+' flood.txt |
		sed 's/.* //' | sort -un | awk 'NR > 1 && $1 != last + 1 { gaps++ } { last = $1 }
			END { print (gaps > 0) }')" 1
tap_check "a flood: the session gets the map again" has_dumps flood 2
samples flood >flood.samples 2>>lttng.log
# Those of the time when there was no hope of a dump are told of.
tap_check "a flood: from then on no sample without its map" \
	test "$(missing flood)" -le $(($(wc -l <flood.samples) - 50))
check_complete "a flood" flood.samples 99 30
tap_equal "a flood: each library under its own name" "$(awk -F '\t' '
	{ n = split($5, f, ";"); m = split($6, b, ";")
	for (i = 1; i < n; i++) if (f[i] == "spin") print f[i + 1], b[i + 1] }' flood.samples |
	sort -u | xargs)" "alpha lib-alpha.so bravo lib-bravo.so"

# 3. A snapshot is a trace of its own. With registrations in a channel of their
# own they stay, whatever samples come.
start_chain
quietly lttng create snap --snapshot --output="$lttng_tmp/snap"
quietly lttng enable-channel -s snap -u --overwrite --subbuf-size=256K --num-subbuf=4 map
quietly lttng enable-channel -s snap -u --overwrite --subbuf-size=16K --num-subbuf=2 samples
quietly lttng enable-event -s snap -u -c map 'codectl:*' --exclude=sample
quietly lttng enable-event -s snap -u -c samples codectl:sample
quietly lttng start snap
# Samples until the first are overwritten.
enough_samples()
{
	rm -rf snap
	quietly lttng snapshot record -s snap
	babeltrace2 snap 2>/dev/null | grep -q codectl:sample
}
tap_wait 20 enough_samples
tap_equal "a snapshot: no sample without its map" "$(missing snap)" 0
samples snap >snap.samples 2>>lttng.log
check_complete "a snapshot" snap.samples 99 1
quietly lttng destroy snap

# 4. With one channel for all, a dump before each snapshot.
quietly lttng create snap2 --snapshot --output="$lttng_tmp/snap2"
quietly lttng enable-channel -s snap2 -u --overwrite --subbuf-size=64K --num-subbuf=4 all
quietly lttng enable-event -s snap2 -u -c all 'codectl:*'
quietly lttng start snap2
quietly lttng regenerate statedump -s snap2
enough_samples_behind()
{
	rm -rf snap2
	quietly lttng snapshot record -s snap2
	[ "$(babeltrace2 snap2 2>/dev/null | sed -n '/statedump_end/,$p' | grep -c codectl:sample)" -ge 5 ]
}
tap_wait 20 enough_samples_behind
samples snap2 2>>lttng.log | sed -n '/outermost/,$p' >snap2.samples
check_complete "a snapshot after lttng regenerate statedump" snap2.samples 99 5
quietly lttng destroy snap2

# 5. The chunks of a rotated session: read together, or alone if each has a dump.
quietly lttng create rotate --output="$lttng_tmp/rotate"
quietly lttng enable-channel -s rotate -u --switch-timer=100000 all
quietly lttng enable-event -s rotate -u -c all 'codectl:*'
quietly lttng start rotate
tap_wait 20 has_dumps rotate 1
quietly lttng rotate rotate
quietly lttng regenerate statedump -s rotate
chunk_has_samples()
{
	[ "$(babeltrace2 rotate/ust 2>/dev/null | grep -c codectl:sample)" -ge 50 ] &&
		has_dumps rotate/ust 1
}
tap_wait 20 chunk_has_samples
quietly lttng rotate rotate
quietly lttng destroy rotate
end_chain
second=$(find rotate/archives -mindepth 1 -maxdepth 1 | sort | sed -n 2p)
samples rotate >rotate.samples 2>>lttng.log
check_complete "a rotated session as a whole" rotate.samples 99 50
tap_equal "a rotated session as a whole: no sample without its map" "$(missing rotate/archives)" 0
samples "$second" >second.samples 2>>lttng.log
# What was sampled between the rotation and the dump has no map there.
sed -n '/outermost/,$p' second.samples >behind.samples
check_complete "the chunk of a rotated session from its dump on" behind.samples 99 20
lttng_stop_daemon
tap_done

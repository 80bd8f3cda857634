#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# filter.codectl.debug-info on recordings of LTTng-UST alone, beside
# filter.lttng-utils.debug-info: what that knows we say as well, and where a
# library came in place of another one, we are right.
: "${srcdir:=$(dirname "$0")/..}"
: "${CC:=cc}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/lttng.sh"
lttng_setup
srcdir=$(cd "$srcdir" && pwd)
cd "$lttng_tmp" || exit 99

if ! lttng_start_daemon; then
	tap_skip "recordings of LTTng-UST" "$lttng_reason"
	tap_done
	exit
fi

quietly() { "$@" >>lttng.log 2>&1; }

build() { "$CC" -g -O1 -I "$srcdir/system" "$@" -llttng-ust -ldl || exit 99; }
build -rdynamic -o traced "$srcdir/system/prog-traced.c"
build -shared -fPIC -DFUNCTION=alpha -DNUMBER=10 -o alpha.so "$srcdir/system/lib-traced-so.c"
build -shared -fPIC -DFUNCTION=bravo -DNUMBER=20 -o bravo.so "$srcdir/system/lib-traced-so.c"

# record NAME PROGRAM…: a session with all that LTTng-UST tells.
record()
{
	record_name=$1
	shift
	quietly lttng create "$record_name" --output="$lttng_tmp/$record_name" &&
		quietly lttng enable-event -s "$record_name" -u 'traced:*,lttng_ust_*' &&
		quietly lttng add-context -s "$record_name" -u -t vpid -t vtid -t ip &&
		quietly lttng start "$record_name"
	LD_PRELOAD=liblttng-ust-dl.so "$@" >"$record_name.out" 2>>lttng.log
	quietly lttng stop "$record_name" && quietly lttng destroy "$record_name"
}

# show NAME FILTER [PARAMETERS]
show()
{
	babeltrace2 --plugin-path="$codectl_plugins" "$1" --component="$2" ${3:+--params="$3"} \
		2>>lttng.log
}

record plain ./traced
show plain filter.lttng-utils.debug-info >theirs.txt
show plain filter.codectl.debug-info >ours.txt
/usr/bin/python3 "$srcdir/plugin/agrees.py" theirs.txt ours.txt >agreed.txt
tap_equal "a program: what they know we say" "$(grep -v '^same' agreed.txt)" ""
tap_equal "… which is something" "$(grep -c 'traced:work.*func = "[^"].*src = "[^"]' ours.txt)" 9
sed 's/, debug_info = {[^}]*}//' theirs.txt >theirs.rest
sed 's/, debug_info = {[^}]*}//' ours.txt >ours.rest
babeltrace2 plain >plain.txt
tap_check "… all else is as theirs" cmp theirs.rest ours.rest
tap_check "… and as without a filter" cmp plain.txt ours.rest

record reload ./traced ./alpha.so ./bravo.so
show reload filter.codectl.debug-info >ours.txt
tap_equal "two libraries, one after the other" \
	"$(sed -n 's/.*bin = "\(.*\)+.*", func = "\(.*\)+.*", src = "\(.*\):.*" } }, { where = \([12][01]\) }/\1 \2 \3 \4/p' ours.txt)" \
	"alpha.so alpha lib-traced-so.c 10
alpha.so fire lib-traced-so.c 11
bravo.so bravo lib-traced-so.c 20
bravo.so fire lib-traced-so.c 21"
tap_check "… at the same address" test "$(sort -u reload.out | wc -l)" = 1
tap_done

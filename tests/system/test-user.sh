#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# An unprivileged user records with an installed copy, with a session daemon of
# root beside and without; both leave no daemon behind.
: "${srcdir:=$(dirname "$0")/..}"
: "${top_builddir:=..}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/lttng.sh"
lttng_setup
. "$srcdir/lib/record.sh"
system_srcdir=$(cd "$system_srcdir" && pwd)

if [ "$(id -u)" != 0 ]; then
	# Then all the other tests are this one.
	tap_ok "the tests run as an unprivileged user anyway"
	tap_done
	exit
fi

user=nobody
daemons_before=$(count_daemons root)
chmod 755 "$lttng_tmp"
make -s -C "$top_builddir" install DESTDIR="$lttng_tmp/root" >"$lttng_tmp/install.log" 2>&1 ||
	{ cat "$lttng_tmp/install.log"; exit 99; }
command=$(find "$lttng_tmp/root" -path '*/bin/codectl')
tap_check "make install puts the command into place" test -x "$command"
cd "$lttng_tmp" || exit 99
sh "$system_srcdir/gen-chain.sh" >chain.c
compile chain chain.c -fno-optimize-sibling-calls
install -d -o "$user" work

as_user()
{
	runuser -u "$user" -- env -u LTTNG_HOME -u LD_PRELOAD HOME="$user_home" "$@"
}

user_home=/nonexistent

# record_as_user NAME DAEMONS-LEFT
record_as_user()
{
	(cd work && as_user "$command" record -F 499 -o "$1" -- ../chain 1) >"$1.log" 2>&1
	tap_equal "$1: the exit status" $? 0
	(cd work && as_user "$command" export --format=folded "$1") >"$1.folded" 2>>"$1.log"
	tap_check "$1: its stacks" grep -q 'main;level_00;level_01;.*;level_39 ' "$1.folded"
	tap_equal "$1: daemons of the user that are left" "$(count_daemons "$user")" "$2"
	grep -q 'main;level_00' "$1.folded" || tap_note "$(cat "$1.log")"
}

record_as_user alone 0

# The user's own daemon is taken, and left.
user_home=$lttng_tmp/user-home
install -d -o "$user" "$user_home"
as_user lttng-sessiond --no-kernel --background --pidfile="$user_home/pid" >daemon.log 2>&1
running=$(count_daemons "$user")
record_as_user "with-daemon" "$running"
tap_check "with-daemon: it is the one that was there" kill -0 "$(cat "$user_home/pid")"
tap_equal "with-daemon: no session is left in it" \
	"$(as_user lttng --no-sessiond list | grep -c codectl)" 0
kill "$(cat "$user_home/pid")"
user_daemon_is_gone() { [ "$(count_daemons "$user")" = 0 ]; }
tap_wait 20 user_daemon_is_gone
user_home=/nonexistent

if lttng_start_daemon; then
	record_as_user "beside-root" 0
	# Root records with the daemon that is there, and leaves it.
	"$command" record -F 499 -o work/root -- ./chain 1 >root.log 2>&1
	tap_equal "root with a daemon already there: the exit status" $? 0
	tap_check "root with a daemon already there: it is left alone" kill -0 "$lttng_daemon"
	"$command" export --format=folded work/root >root.folded 2>>root.log
	tap_check "root with a daemon already there: its stacks" \
		grep -q 'main;level_00;level_01;.*;level_39 ' root.folded
	lttng_stop_daemon
else
	tap_skip "beside a daemon of root" "$lttng_reason"
fi
tap_equal "no daemon of root is left" "$(count_daemons root)" "$daemons_before"
tap_done

# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# tests/lib/lttng.sh: a session daemon for a test, and the build tree's
# libraries; to be sourced after tap.sh. A user's daemon lives in a LTTNG_HOME
# of its own. Root's is machine-wide (LTTng-UST fixes its socket), so the tests
# that need one take turns by a lock, and refuse to touch one they did not start.

: "${top_builddir:=..}"
codectl_libs=$(cd "$top_builddir/lttng-ust-codectl/.libs" && pwd)
codectl_plugins=$(cd "$top_builddir/babeltrace-plugin/.libs" 2>/dev/null && pwd || :)
codectl_command=$(cd "$top_builddir/lttng-ust-codectl" && pwd)/codectl
# shellcheck disable=SC2034 # For the tests that source this file.
codectl_preload=$codectl_libs/liblttng-ust-codectl-elf.so:$codectl_libs/liblttng-ust-codectl-sampler.so

lttng_tmp=
lttng_daemon=
lttng_reason=

# Makes a scratch directory ($lttng_tmp), removed at exit with the daemon.
lttng_setup()
{
	lttng_tmp=$(mktemp -d "${TMPDIR:-/tmp}/codectl-test.XXXXXX")
	LTTNG_HOME=$lttng_tmp/home
	mkdir -p "$LTTNG_HOME"
	export LTTNG_HOME
	trap 'lttng_teardown' EXIT
	trap 'exit 130' INT TERM HUP
}

# Starts a daemon and sets $lttng_daemon; or fails and sets $lttng_reason. Not in a
# subshell: the lock and the daemon's pid would be lost with it.
lttng_start_daemon()
{
	if [ "$(id -u)" = 0 ]; then
		mkdir -p /run/lttng
		exec 9>/run/lttng/codectl-tests.lock
		if ! flock -w 300 9; then
			lttng_reason="another test holds root's session daemon"
			return 1
		fi
		if lttng --no-sessiond list >/dev/null 2>&1; then
			lttng_reason="a session daemon of root is running already"
			return 1
		fi
	fi
	if ! lttng-sessiond --no-kernel --background --pidfile="$lttng_tmp/sessiond.pid" \
		>"$lttng_tmp/sessiond.log" 2>&1 9>&-; then
		lttng_reason=$(cat "$lttng_tmp/sessiond.log")
		return 1
	fi
	lttng_daemon=$(cat "$lttng_tmp/sessiond.pid")
}

# is_gone PID: it has ended, whether somebody waited for it or not.
is_gone()
{
	case $(ps -o stat= -p "$1" 2>/dev/null) in
	'' | Z*) return 0 ;;
	esac
	return 1
}

# count_daemons USER: session daemons that run.
count_daemons()
{
	ps -u "$1" -o stat=,comm= | awk '$2 ~ /^lttng-sessiond/ && $1 !~ /^Z/' | wc -l
}

lttng_stop_daemon()
{
	[ -n "$lttng_daemon" ] || return 0
	kill "$lttng_daemon" 2>/dev/null
	lttng_daemon_is_gone() { is_gone "$lttng_daemon"; }
	tap_wait 20 lttng_daemon_is_gone || kill -9 "$lttng_daemon" 2>/dev/null
	lttng_daemon=
	if [ "$(id -u)" = 0 ]; then
		exec 9>&-
	fi
}

# lttng_trace NAME COMMAND…: runs it with the preloads in a session of its own, and
# makes NAME.trace and babeltrace2's text of it, NAME.txt. Returns its status.
lttng_trace()
{
	lttng_name=$1
	shift
	{
		lttng create "$lttng_name" --output="$lttng_tmp/$lttng_name.trace" &&
			lttng enable-event -s "$lttng_name" -u 'codectl:*' && lttng start "$lttng_name"
	} >>"$lttng_tmp/lttng.log" 2>&1
	LD_PRELOAD=$codectl_preload:liblttng-ust-fd.so.1:liblttng-ust-fork.so.1 "$@" 9>&-
	lttng_traced_status=$?
	# A program that was killed while it wrote a record would be waited for forever.
	timeout 60 lttng destroy "$lttng_name" >>"$lttng_tmp/lttng.log" 2>&1 ||
		lttng destroy --no-wait "$lttng_name" >>"$lttng_tmp/lttng.log" 2>&1
	babeltrace2 --no-delta "$lttng_tmp/$lttng_name.trace" \
		>"$lttng_tmp/$lttng_name.txt" 2>>"$lttng_tmp/lttng.log"
	return "$lttng_traced_status"
}

# Of such a text: its samples, their weights added up, and a field of the last
# statistics of each thread of each image added up: sum_stats FIELD FILE.
count_samples() { grep -c 'codectl:sample: ' "$1"; }
sum_weights()
{
	grep -o 'codectl:sample: .* weight = [0-9]*' "$1" |
		awk '{ sum += $NF } END { print sum + 0 }'
}
sum_stats()
{
	sed -n "s/.*codectl:thread_stats: .* start_time = \([0-9]*\).* vtid = \([0-9]*\).* $1 = \([0-9]*\).*/\1-\2 \3/p" "$2" |
		awk '{ last[$1] = $2 } END { for (thread in last) sum += last[thread]; print sum + 0 }'
}

lttng_teardown()
{
	lttng_status=$?
	lttng_stop_daemon
	[ -z "$lttng_tmp" ] || rm -rf "$lttng_tmp"
	exit "$lttng_status"
}

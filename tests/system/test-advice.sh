#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# What `codectl record` says of what is missing in a recording, and why.
: "${srcdir:=$(dirname "$0")/..}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/lttng.sh"
lttng_setup
. "$srcdir/lib/record.sh"
system_srcdir=$(cd "$system_srcdir" && pwd)
cd "$lttng_tmp" || exit 99

# said COMMAND…: what is said while it is recorded.
said() { "$codectl_command" record -F 500 -o data "$@" 2>&1 >/dev/null; }

# check_said NAME PATTERN TEXT
check_said()
{
	if printf '%s\n' "$3" | grep -q "$2"; then
		tap_ok "$1"
	else
		tap_not_ok "$1" "said: $3"
	fi
}

compile host "$system_srcdir/prog-host.c" -D_GNU_SOURCE -pthread
check_said "a thread that blocks all signals is named" \
	'Thread [0-9]* (host) of process [0-9]* used 0.[2-9] s of CPU time, but' \
	"$(said -- ./host block-directly)"
tap_equal "one that can be sampled is not" \
	"$(said -- ./host spin | grep -c 'but its samples')" 0

echo 'int main(void) { return 0; }' >nothing.c
compile static nothing.c -static
check_said "a static program" './static is static' "$(said -- ./static)"
printf '#!./static\n' >script
chmod +x script
check_said "a script of a static program" 'what interprets ./script, ./static, is static' "$(said -- ./script)"
if [ "$(id -u)" = 0 ] || ! [ -u "$(command -v su)" ]; then
	tap_ok "a set-user-ID program: raises no rights here"
else
	check_said "a set-user-ID program" 'set-user-ID or the like' "$(said -- su --help)"
fi
musl=$(command -v musl-gcc)
if [ -n "$musl" ]; then
	"$musl" -o musl nothing.c || exit 99
	check_said "a program of musl" 'another C library than glibc,' \
		"$(said -- ./musl)"
else
	tap_skip "a program of musl" "musl-gcc is not installed"
fi

# Children to which nothing can be preloaded.
cp nothing.c other.c
compile other other.c -static
cat >starts.py <<'PYTHON'
import os, subprocess, sys
os.environ["PATH"] += ":" + os.getcwd()
subprocess.run(["./static"])
os.waitpid(os.posix_spawn("./static", ["static"], os.environ), 0)
os.waitpid(os.posix_spawnp("other", ["other"], os.environ), 0)
if os.fork() == 0:
    os.execvp("./static", ["static"])
os.wait()
subprocess.run(["true"], env={})
try:
    os.posix_spawn("./missing", ["missing"], os.environ)
    sys.exit("started what is not there")
except FileNotFoundError:
    pass
PYTHON
report=$(said -- sh -c './script; ./static; /usr/bin/python3 starts.py')
check_said "programs that cannot be recorded are counted" '^codectl: 7 times a program was' "$report"
check_said "… by exec, posix_spawn, vfork, fork, and as interpreter" "  5 x ./static (static)$" "$report"
check_said "… by posix_spawnp" "  1 x $PWD/other (static)\$" "$report"
check_said "… and what is started without our libraries" \
	'  1 x .*/bin/true (started without LD_PRELOAD)$' "$report"
tap_equal "who starts all others is told nothing" "$(said -- sh -c 'true; ls' | grep -c 'cannot be')" 0
if [ "$(id -u)" = 0 ]; then
	cp "$(type -P true)" raised
	chown nobody raised
	chmod u+s raised
	raised=./raised
else
	raised='su --version'
fi
report=$("$codectl_command" record -o data -- sh -c "$raised; true" 2>&1)
check_said "a child that raises its rights" ' 1 x .* (set-user-ID or the like)$' "$report"
tap_equal "… says no more than without us" "$(echo "$report" | grep -v '^codectl: ')" "$($raised 2>&1)"
tap_equal "one process alone: what others become does not matter" \
	"$(said --no-children -- sh -c './static; true' | grep -c 'cannot be')" 0
check_said "… but what it becomes itself does" ' 1 x ./static (static)' \
	"$(said --no-children -- sh -c './static; exec ./static')"

tap_equal "the wall clock needs nothing" "$(said --clock=wall -- true | grep -ci perf)" 0
"$codectl_command" record --clock=wall -o wall.data -- sleep 0.5 >/dev/null 2>&1
check_said "a report tells that it is of real time" '^# clock: real time' \
	"$("$codectl_command" report wall.data 2>&1)"
tap_equal "the recording tells its clock" "$(grep ^clock: wall.data/recording.txt)" "clock: wall"
tap_done

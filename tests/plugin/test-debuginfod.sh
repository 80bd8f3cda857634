#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# Files from debuginfod servers: a real one, and those that do not do what they
# should. Whatever they do, the analysis goes on, in time, and says why.
: "${srcdir:=$(dirname "$0")/..}"
: "${top_builddir:=..}"
: "${CC:=cc}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/graph.sh"
. "$srcdir/lib/stack.sh"
graph_setup
if ! grep -q '^#define HAVE_LIBDEBUGINFOD 1' "$top_builddir/config.h"; then
	tap_skip "debuginfod" "built without it"
	tap_done
	exit
fi
codectl=$(cd "$top_builddir/lttng-ust-codectl" && pwd)/codectl
filter=filter.codectl.debug-info
servers=
stop_servers()
{
	# shellcheck disable=SC2086 # A list of numbers.
	[ -z "$servers" ] || kill $servers 2>/dev/null
	servers=
}
trap 'stop_servers; rm -rf "$tmp"' EXIT

# Nothing but this test's servers and caches.
unset http_proxy HTTP_PROXY all_proxy ALL_PROXY DEBUGINFOD_URLS DEBUGINFOD_TIMEOUT DEBUGINFOD_MAXTIME
export DEBUGINFOD_CACHE_PATH="$tmp/cache"

mkdir "$tmp/served" "$tmp/other"
"$CC" -g -shared -nostdlib -Wl,--build-id -o "$tmp/served/lib-stack.so" \
	"$srcdir/plugin/lib-stack-so.S" || exit 99
"$CC" -g -shared -nostdlib -Wl,--build-id -Wl,-soname,other -o "$tmp/other/lib-stack.so" \
	"$srcdir/plugin/lib-stack-so.S" || exit 99
use "$tmp/served/lib-stack.so" 0x7F0000000000 0
# The server has the file and what was stripped from it; this machine has neither.
objcopy --only-keep-debug "$file" "$tmp/served/lib-stack.debug" || exit 99
cp "$file" "$tmp/whole.so"
trace=$(stack_trace /nowhere/lib-stack.so "$build_id")
strip "$file"
graph "$trace" "sink.ctf.fs:{\"path\": \"$tmp/recording\", \"quiet\": true}"

# functions [PARAMETERS]: those of the stack, by the filter.
functions()
{
	CODECTL_TEST_LOG_LEVEL=INFO graph "$trace" \
		"$filter:{\"debug-info-dir\": \"$tmp/empty\", ${1-\"debuginfod\": true}}" \
		sink.text.pretty >"$tmp/out"
	grep -oE '(func|stack_end) = "[^"]*"' "$tmp/out" | sed 's/.*"\(.*\)"/\1/' | tr '\n' ' '
}

stat() { sed -n "s/.*debuginfod: .*$1=\\([0-9]*\\).*/\\1/p" "$tmp/log"; }

# warnings: the texts of warnings, without what comes before.
warnings() { sed -n 's/.* W FLT.CODECTL.DEBUG-INFO .*\] //p' "$tmp/log"; }

# says NAME PATTERN: the log has such a line; if not, it is shown.
says()
{
	if grep -q "$2" "$tmp/log"; then
		tap_ok "$1"
	else
		tap_not_ok "$1" "no \"$2\" in: $(cat "$tmp/log")"
	fi
}

all="stack_leaf+0 stack_middle+0x9 stack_outermost+0x5 outermost "
nothing=" no-rule "
no_file="Cannot use the file of an object: path=\"/nowhere/lib-stack.so\", build-id=$build_id: no such file"
no_server="Cannot use a debuginfod server: object=\"/nowhere/lib-stack.so\", file=\"\":"

# start MODE [FILE]: a wrong server, whose URL is the only one.
start()
{
	# Not what an earlier one wrote.
	rm -f "$tmp/requests"
	/usr/bin/python3 "$srcdir/plugin/debuginfod-server.py" "$@" >"$tmp/requests" 2>&1 &
	servers="$servers $!"
	tap_wait 30 grep -q . "$tmp/requests" || exit 99
	DEBUGINFOD_URLS=http://127.0.0.1:$(head -n 1 "$tmp/requests")
	export DEBUGINFOD_URLS
}

forget() { rm -rf "$tmp/cache"; }
requests() { tail -n +2 "$tmp/requests" | grep -c .; }

tap_equal "nobody is asked who was not named" "$(functions)" "$nothing"
tap_equal "… and that is said" "$(warnings)" "$no_server DEBUGINFOD_URLS names no servers
$no_file"
start none
tap_equal "nobody is asked without the parameter" "$(functions '"full-path": false') $(requests)" "$nothing 0"
tap_equal "servers that do not have it" "$(functions) $(requests)" "$nothing 2"
tap_equal "… are no reason to warn" "$(warnings) $(stat asked) $(stat missing)" "$no_file 2 2"
stop_servers
forget

start file "$tmp/other/lib-stack.so"
tap_equal "servers that send another file: it is not used" "$(functions)" "$nothing"
says "… and that is said" \
	"Cannot use a debuginfod server: .*\"/nowhere/lib-stack.so\", .*: its build-id differs"
tap_equal "… and the cache of libdebuginfod does not keep it" \
	"$(find "$tmp/cache" -type f -size +4k | wc -l)" 0
stop_servers
forget

echo '<html><body>Please log in</body></html>' >"$tmp/page"
start file "$tmp/page"
tap_equal "servers that send a page: it is not used" "$(functions)" "$nothing"
says "… and that is said" "Cannot use a debuginfod server: .*: not an ELF file"
stop_servers
forget

# The default of libdebuginfod is to wait for 90 seconds, twice.
start hang
tap_equal "servers that hang: it goes on" \
	"$(functions '"debuginfod": true, "debuginfod-timeout": 1')" "$nothing"
tap_equal "… and that is said" "$(warnings)" "$no_server no answer in time
$no_file"
tap_equal "… two questions are enough" "$(stat asked) $(stat failed)" "2 2"
tap_check "… it took less than libdebuginfod would wait" [ "$(stat milliseconds)" -lt 60000 ]
functions '"debuginfod": true, "debuginfod-total-timeout": 1' >/dev/null
tap_equal "the time for all files is bounded too" "$(warnings) $(stat asked)" \
	"$no_server the time for all downloads is over
$no_file 1"
"$codectl" report --debuginfod --debuginfod-timeout=1 --debug-info-dir="$tmp/empty" \
	"$tmp/recording" >"$tmp/out" 2>"$tmp/log"
tap_equal "codectl report goes on" "$? $(grep -c 'no answer in time' "$tmp/log") \
$(grep -c '100.00%.*\[lib-stack.so\]' "$tmp/out")" "0 1 1"
# Somebody who does not want to wait can say so.
"$codectl" report --debuginfod --debuginfod-timeout=600 --debuginfod-total-timeout=600 \
	--debug-info-dir="$tmp/empty" "$tmp/recording" >"$tmp/out" 2>&1 &
child=$!
before=$(requests)
has_asked() { [ "$(requests)" -gt "$before" ]; }
tap_wait 30 has_asked
kill -TERM "$child"
wait "$child"
tap_equal "an interrupt ends the waiting" "$?" 143
tap_equal "an end of the waiting is no answer to remember" "$(find "$tmp/cache" -type f -path '*/e*')" ""
stop_servers
forget

start drip
tap_equal "servers that never come to an end: it goes on" \
	"$(functions '"debuginfod": true, "debuginfod-timeout": 2, "debuginfod-total-timeout": 2,
		"debuginfod-progress": true')" "$nothing"
says "… progress is shown" 'debuginfod: lib-stack.so, 0.0 of 1073.7 MB'
stop_servers
forget

# Nobody listens at the port of a server that has gone.
functions >/dev/null
tap_equal "servers that are down" "$(warnings)" "$no_server the servers refuse connections
$no_file"
forget

# --- A real server ----------------------------------------------------------------

if ! command -v debuginfod >/dev/null; then
	tap_skip "a real server" "debuginfod is not installed"
	tap_done
	exit
fi
port=$(/usr/bin/python3 -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])')
debuginfod -d "$tmp/server.db" -p "$port" -F "$tmp/served" >"$tmp/server.log" 2>&1 &
servers=$!
DEBUGINFOD_URLS=http://127.0.0.1:$port
is_served()
{
	/usr/bin/python3 -c 'import sys, urllib.request
for kind in "debuginfo", "executable":
	urllib.request.urlopen(f"{sys.argv[1]}/buildid/{sys.argv[2]}/{kind}").read()' \
		"$DEBUGINFOD_URLS" "$build_id"
}
if ! tap_wait 60 is_served; then
	tap_not_ok "a real server" "$(tail -n 20 "$tmp/server.log")"
	tap_done
	exit
fi
tap_equal "a real server: code and names arrive" "$(functions)" "$all"
tap_equal "… with lines" "$(grep -c 'src = "lib-stack-so.S:[0-9]' "$tmp/out")" 1
tap_equal "… and nothing to say" "$(warnings) $(stat found)" " 2"
"$codectl" export --format=folded --debuginfod --debug-info-dir="$tmp/empty" "$tmp/recording" \
	>"$tmp/out" 2>"$tmp/log"
tap_equal "codectl export --debuginfod" "$(cut -d ' ' -f 1 "$tmp/out") $(cat "$tmp/log")" \
	"[unknown];stack_outermost;stack_middle;stack_leaf "
"$codectl" archive --debuginfod --debug-info-dir="$tmp/empty" -o "$tmp/archive" "$tmp/recording" \
	>"$tmp/out" 2>&1
tap_equal "codectl archive --debuginfod" "$(sed 's/,.*//' "$tmp/out")" "codectl: 2 files"
stop_servers
tap_equal "what came is kept" "$(functions)" "$all"
forget
unset DEBUGINFOD_URLS
tap_equal "… and the archive has it, without servers" \
	"$(functions "\"archive\": \"$tmp/archive\"")" "$all"
tap_done

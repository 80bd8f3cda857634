# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# tests/lib/graph.sh: graphs over generated traces (see plugin/graph.py), with
# the build tree's plugin; to be sourced after tap.sh.

# Makes a scratch directory ($tmp), removed at exit. Ends the test, skipped,
# without Babeltrace's Python bindings.
graph_setup()
{
	if ! /usr/bin/python3 -c 'import bt2' 2>/dev/null; then
		tap_skip "generated traces" "python3-bt2 is not installed"
		tap_done
		exit
	fi
	tmp=$(mktemp -d "${TMPDIR:-/tmp}/codectl-test.XXXXXX")
	trap 'rm -rf "$tmp"' EXIT
	trap 'exit 130' INT TERM HUP
	BABELTRACE_PLUGIN_PATH=$(cd "$top_builddir/babeltrace-plugin/.libs" && pwd)
	PYTHONDONTWRITEBYTECODE=1
	export BABELTRACE_PLUGIN_PATH PYTHONDONTWRITEBYTECODE
	# The host program has no sanitizer, so its runtime must be there first.
	graph_preload=
	if nm -D "$BABELTRACE_PLUGIN_PATH/babeltrace-plugin-codectl.so" | grep -q __asan_init; then
		# Of the compiler that built it: clang has its own, gcc does not know its name.
		graph_preload=$("$CC" -print-file-name="libclang_rt.asan-$(uname -m).so")
		[ -e "$graph_preload" ] || graph_preload=$("$CC" -print-file-name=libasan.so)
	fi
}

# graph SOURCE COMPONENT…: standard error goes to $tmp/log; a crash is shown.
graph()
{
	# Python keeps its memory; the leaks of the plugin are looked for elsewhere.
	LD_PRELOAD=$graph_preload ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 \
		/usr/bin/python3 "$srcdir/plugin/graph.py" "$@" 2>"$tmp/log"
	graph_status=$?
	if [ "$graph_status" -gt 1 ]; then
		tap_not_ok "graph $*" "status $graph_status:
$(tail -n 40 "$tmp/log")"
	fi
	return "$graph_status"
}

# graph_newer_mip_versions: the versions of the protocol after 0 that Babeltrace has.
graph_newer_mip_versions()
{
	/usr/bin/python3 -c 'import bt2; print(*range(1, bt2.get_maximal_mip_version() + 1))'
}

# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# tests/lib/tap.sh: TAP for shell tests; to be sourced. The plan is printed by
# tap_done. A skip is a failure where CODECTL_TESTS_REQUIRE_ALL=1.

tap_count=0
tap_failed=0

# tap_ok NAME / tap_not_ok NAME [WHY]
tap_ok()
{
	tap_count=$((tap_count + 1))
	printf 'ok %d - %s\n' "$tap_count" "$1"
}

tap_not_ok()
{
	tap_count=$((tap_count + 1))
	tap_failed=$((tap_failed + 1))
	printf 'not ok %d - %s\n' "$tap_count" "$1"
	if [ $# -gt 1 ]; then
		tap_note "$2"
	fi
}

# tap_skip NAME WHY
tap_skip()
{
	if [ "${CODECTL_TESTS_REQUIRE_ALL:-0}" = 1 ]; then
		tap_not_ok "$1" "skipped, but everything is required here: $2"
	else
		tap_count=$((tap_count + 1))
		printf 'ok %d - %s # SKIP %s\n' "$tap_count" "$1" "$2"
	fi
}

# tap_note TEXT: a diagnostic; lines of TEXT are kept apart.
tap_note()
{
	printf '%s\n' "$1" | sed 's/^/# /'
}

# tap_check NAME COMMAND…: passes if the command succeeds; shows its output if not.
tap_check()
{
	tap_name=$1
	shift
	if tap_output=$("$@" 2>&1); then
		tap_ok "$tap_name"
	else
		tap_not_ok "$tap_name" "failed: $*"
		[ -z "$tap_output" ] || tap_note "$(printf '%s' "$tap_output" | tail -n 30)"
	fi
}

# tap_equal NAME ACTUAL EXPECTED
tap_equal()
{
	if [ "$2" = "$3" ]; then
		tap_ok "$1"
	else
		tap_not_ok "$1" "got: $2
expected: $3"
	fi
}

# tap_wait SECONDS COMMAND…: until the command succeeds; fails after SECONDS.
tap_wait()
{
	tap_deadline=$(($(date +%s) + $1))
	shift
	until "$@" >/dev/null 2>&1; do
		[ "$(date +%s)" -lt "$tap_deadline" ] || return 1
		sleep 0.05
	done
}

tap_done()
{
	printf '1..%d\n' "$tap_count"
	[ "$tap_failed" -eq 0 ]
}

# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# tests/lib/record.sh: records programs with the build tree's command and looks
# at the samples; to be sourced after tap.sh and lttng.sh, and lttng_setup.

: "${CC:=cc}"
system_srcdir=${srcdir:-.}/system

# compile OUTPUT SOURCE OPTION…
compile()
{
	compile_output=$1
	compile_source=$2
	shift 2
	"$CC" -g -O2 -o "$compile_output" "$compile_source" "$@" || exit 99
}

# samples DIRECTORY: one sample a line; see samples.py.
samples()
{
	BABELTRACE_PLUGIN_PATH=$codectl_plugins /usr/bin/python3 "$srcdir/lib/samples.py" "$1"
}

# record NAME [OPTION…] -- COMMAND…: makes NAME.txt of its samples, NAME.out of its output. Returns
# whether it could be recorded; if not, that is a failed test.
record()
{
	record_name=$1
	shift
	if "$codectl_command" record -F 999 -o "$record_name.data" "$@" \
		>"$record_name.out" 2>"$record_name.log" &&
		samples "$record_name.data" >"$record_name.txt" 2>>"$record_name.log"; then
		return 0
	fi
	tap_not_ok "$record_name: recorded" "$(cat "$record_name.log")"
	return 1
}

# complete_share FILE: percent of the samples (by lines) that end outermost.
complete_share()
{
	awk -F '\t' '{ all++ } $4 == "outermost" { good++ }
		END { printf "%.2f", all ? 100 * good / all : 0 }' "$1"
}

# check_complete NAME FILE LEAST-PERCENT LEAST-COUNT: enough samples, nearly all complete. One
# of 20 or more may be taken at a moment that no rule is for, whatever the percentage.
check_complete()
{
	check_count=$(wc -l <"$2")
	check_share=$(complete_share "$2")
	check_others=$(awk -F '\t' '$4 != "outermost" { print $4, $5, $6 }' "$2" | head -n 5)
	check_bad=$(awk -F '\t' '$4 != "outermost" { bad++ } END { print bad + 0 }' "$2")
	if [ "$check_count" -ge "$4" ] && { awk "BEGIN { exit !($check_share >= $3) }" ||
		{ [ "$check_bad" = 1 ] && [ "$check_count" -ge 20 ]; }; }; then
		tap_ok "$1: $check_share % of $check_count samples are complete"
		[ -z "$check_others" ] || tap_note "$check_others"
	else
		tap_not_ok "$1" "$check_share % of $check_count samples are complete; the others end:
$(cut -f 4 "$2" | sort | uniq -c)
$check_others"
	fi
}

# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# Of the output of sink.text.details, all but the last member of event common contexts if
# it is debug_info; how many members these have is left out in any case.

# How far a line is indented.
function depth(line)
{
	match(line, /^ */)
	return RLENGTH
}

/^ *debug_info:/ {
	skipped = depth($0)
	is_skipping = 1
	next
}

is_skipping && depth($0) > skipped && $0 != "" { next }

{
	is_skipping = 0
	if ($0 ~ /^ *Event common context field class: Structure /)
		sub(/\([0-9]+ members?\)/, "(members)")
	print
}

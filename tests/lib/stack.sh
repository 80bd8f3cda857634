# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# tests/lib/stack.sh: the scenario with a sample in code of plugin/lib-stack-so.S;
# to be sourced after graph.sh.

# use FILE BASE START: the file that has the code, where it is mapped, and what that is in it.
use()
{
	file=$1
	base=$(($2))
	bias=$(($2 - $3))
	build_id=$(readelf -n "$file" | sed -n 's/.*Build ID: //p')
}

symbol() { nm "$file" | awk -v name="$1" '$3 == name { print "0x" $1 }'; }
pc() { printf '%d' $(($(symbol "$1") + bias)); }

# stack_trace PATH BUILD-ID [SCENARIO]: a scenario with a sample in the file.
stack_trace()
{
	printf '%s:{"path": "%s", "build-id": "%s", "base": %d, "size": 20480, "leaf": %d,
		"middle-return": %d, "outermost-return": %d}' "${3-stack}" "$1" "$2" "$base" \
		"$(pc stack_leaf)" "$(pc stack_middle_return)" "$(pc stack_outermost_return)"
}

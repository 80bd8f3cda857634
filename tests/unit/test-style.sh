#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# What the conventions say of the tree itself: formatting, licences, the
# direction of includes, and manual pages that list what --help lists.
: "${srcdir:=$(dirname "$0")/..}"
: "${top_builddir:=..}"
. "$srcdir/lib/tap.sh"
top_builddir=$(cd "$top_builddir" && pwd)
cd "$srcdir/.." || exit 99

if command -v git >/dev/null && [ -e .git ] && git rev-parse --git-dir >/dev/null 2>&1; then
	sources() { git ls-files '*.c' '*.h'; }
else
	sources() { find . -name '*.[ch]' -not -path '*/build*' -not -name config.h; }
fi

if [ ! -e .git ]; then
	tap_skip "formatting" "not a checkout"
	tap_skip "licences" "not a checkout"
else
	format=$(command -v clang-format-14 || command -v clang-format)
	if [ -n "$format" ]; then
		# shellcheck disable=SC2046 # File names without spaces.
		tap_check "formatting" "$format" --dry-run -Werror $(sources)
	else
		tap_skip "formatting" "clang-format is not installed"
	fi
	if command -v reuse >/dev/null; then
		tap_check "licences" reuse lint
	else
		tap_skip "licences" "reuse is not installed"
	fi
fi

# includes WHAT FOLDER…: who includes a pattern, outside of those folders.
includes()
{
	includes_what=$1
	shift
	includes_files=$(sources | grep -vE "^(\./)?($(echo "$@" | tr ' ' '|'))")
	# shellcheck disable=SC2086 # File names without spaces.
	grep -nE "#include [<\"]$includes_what" $includes_files /dev/null
}

tap_equal "Babeltrace: in comp/, trace-ir/ and the command alone" "$(includes 'babeltrace2/' \
	babeltrace-plugin/plugin.c babeltrace-plugin/comp/ babeltrace-plugin/trace-ir/ \
	lttng-ust-codectl/cli/ tests/)" ""
tap_equal "libdw and libelf: in symbolize/ alone" \
	"$(includes '(elfutils/|dwarf\.h|libelf|gelf)' babeltrace-plugin/symbolize/ tests/)" ""
tap_equal "LTTng: in the recording half alone" \
	"$(includes 'lttng/' lttng-ust-codectl/provider/ lttng-ust-codectl/cli/ tests/)" ""
for room in unwind symbolize space profile trace-ir; do
	others=$(for other in unwind symbolize space profile trace-ir comp; do
		[ "$other" = "$room" ] || printf '%s|' "$other"
	done)
	# shellcheck disable=SC2046 # File names without spaces.
	tap_equal "$room/ includes no other room" "$(
		grep -nE "#include \"(${others%|})/" $(sources | grep "babeltrace-plugin/$room/") /dev/null)" ""
done
# Each ends the process in a graph of the other version.
of_one_version='array_dynamic_create|(option|variant)[a-z_]*_create|borrow_[a-z]+_field_(path|location)_const
bt_(trace|clock_class)_[gs]et_uuid|bt_clock_class_get_precision|bt_field_blob_|_[gs]et_(namespace|uid)\('
# shellcheck disable=SC2046 # File names without spaces.
tap_equal "what one version of MIP has: in trace-ir/mip*.c alone" "$(
	grep -nE "$(echo "$of_one_version" | tr '\n' '|' | sed 's/|$//')" \
		$(sources | grep '^babeltrace-plugin/\(comp\|trace-ir\)/' |
			grep -v 'trace-ir/mip[01]*\.c$') /dev/null)" ""
# shellcheck disable=SC2046 # File names without spaces.
tap_equal "format/ includes nothing of the rest" "$(
	grep -nE '#include "' $(sources | grep lttng-ust-codectl/format/) /dev/null |
		grep -v '#include "format/')" ""

# options: the long options in a text, one a line.
options() { grep -oE -e '--[a-z][a-z-]+' | sort -u | grep -vxE -e '--(component|usage)'; }

codectl=$top_builddir/lttng-ust-codectl/codectl
for command in record report export archive; do
	tap_equal "codectl-$command(1) lists the options of --help" \
		"$(sed -n '/^== Options/,/^== [A-NP-Z]/p' "doc/man/codectl-$command.1.adoc" |
			grep '::$' | tr -d '*' | options)" \
		"$("$codectl" "$command" --help 2>&1 | options)"
done
tap_done

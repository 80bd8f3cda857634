#!/bin/sh
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# inside.sh MAKE-ARGUMENTS: the part of matrix.sh in the other distribution. Leaves what
# automake's tests left in results/, a folder for each run.
set -eu
cd "$(dirname "$0")/../.."
top=$PWD
export DEBIAN_FRONTEND=noninteractive
./bootstrap deps
mkdir -p build
cd build
"$top/configure" --enable-Werror
make -s -j "$(nproc)"

# check NAME ARGUMENT…: one run of the tests.
status=0
check()
{
	folder=$top/results/$1
	shift
	make -s check "$@" || status=1
	mkdir -p "$folder"
	(cd tests && find . \( -name '*.trs' -o -name '*.log' \) ! -name test-suite.log -print |
		tar -cf - -T -) | tar -C "$folder" -xf -
	find tests -name '*.trs' -delete
}

# shellcheck disable=SC2086 # A list of words.
check default $1

# The tests of graphs once more, in the newer versions of Babeltrace's protocol.
for version in $(/usr/bin/python3 -c 'import bt2; print(*range(1, bt2.get_maximal_mip_version() + 1))'); do
	CODECTL_TEST_MIP=$version
	export CODECTL_TEST_MIP
	check "mip-$version" TESTS='plugin/test-callstacks.sh plugin/test-debug-info.sh
		plugin/test-filter.sh plugin/test-generated.sh'
done
exit "$status"

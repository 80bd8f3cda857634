#!/bin/sh
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# regen.sh VERSION [RUN]: makes the sections of this folder anew, those of the
# .sframe version that these binutils write: 1 (2.40), 2 (2.41 to 2.45) or 3
# (from 2.46 on). RUN, if given, is put before each of their commands, to run
# those of another system. The texts are what readelf of these binutils says.
set -e
version=$1
run=$2
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# section NAME SOURCE TOOLS ABI OPTION: links the source, and takes .sframe out.
section()
{
	if ! $run "$3-as" $5 --gsframe "$2" -o "$work/o"; then
		echo "$1: no such .sframe"
		return
	fi
	$run "$3-ld" $5 -shared -o "$work/so" "$work/o"
	$run "$3-readelf" -SW "$work/so" | sed -n 's/.* \.sframe  *[^ ]*  *[^ ]* \([^ ]*\) \([^ ]*\).*/\1 \2/p' |
		(read -r offset size && tail -c +$((0x$offset + 1)) "$work/so" |
			head -c $((0x$size)) >"v$version-$1.sframe")
	$run "$3-readelf" --sframe=.sframe "$work/so" | ./from-readelf.py "$4" >"v$version-$1.txt"
}

section amd64 amd64.s x86_64-linux-gnu 3
section aarch64 aarch64.s aarch64-linux-gnu 2
section aarch64-be aarch64.s aarch64-linux-gnu 1 -EB
section s390x s390x.s s390x-linux-gnu 4

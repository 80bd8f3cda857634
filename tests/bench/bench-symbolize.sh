#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# bench-symbolize.sh: naming 10 000 distinct addresses of a file of 20 000
# functions and of the C library, by our symbolizer and by eu-addr2line.
set -u
: "${srcdir:=$(dirname "$0")/..}"
: "${top_builddir:=..}"
bench=$(cd "$top_builddir/tests/bench" && pwd)/bench-symbolize
scratch=$(mktemp -d "${TMPDIR:-/tmp}/codectl-bench.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
command -v eu-addr2line >/dev/null || { echo "bench-symbolize: no eu-addr2line" >&2; exit 77; }

# The answers of eu-addr2line that are waited for; each may take milliseconds.
SAMPLE=200

awk 'BEGIN { print "volatile int sink;"
	for (i = 0; i < 20000; i++)
		printf "static inline int step%d(int x)\n{\n\treturn x * %d + sink;\n}\nint f%d(int x)\n{\n\tfor (int i = 0; i < x; i++)\n\t\tsink += step%d(i);\n\treturn x + sink;\n}\n", i, i, i, i
	print "int main(int argc, char **argv)\n{\n\treturn f7(argc) + !argv;\n}" }' >many.c
echo "compiling 20 000 functions …" >&2
${CC:-cc} -g -O1 many.c -o many || exit 1
libc=$(ldd /bin/sh | awk '/libc\.so/ { print $3 }')

# addresses FILE: 10 000 addresses of its .text, always the same.
addresses()
{
	readelf -SW "$1" | sed 's/^ *\[ *[0-9]*\]//' | awk '$1 == ".text" { print $3, $5 }' | {
		read -r start size
		awk -v start=$((16#$start)) -v size=$((16#$size)) 'BEGIN { srand(1)
			while (n < 10000) { at = start + int(rand() * size)
				if (!seen[at]++) { n++; printf "0x%x\n", at } } }'
	}
}

# seconds COMMAND…: the CPU time it takes.
seconds()
{
	local TIMEFORMAT='%U %S'

	{ time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }'
}

printf '%-10s %14s %14s %14s %14s %14s %8s %10s\n' file "first us" "eu first us" "next us" \
	"eu next us" "again us" "ratio" "peak KiB"
for file in many "$libc"; do
	addresses "$file" >all
	head -n 1 all >one
	head -n $((SAMPLE + 1)) all >sample
	read -r first next again _ _ peak < <("$bench" "$file" <all)
	eu_one=$(seconds eu-addr2line -f -e "$file" <one)
	eu_sample=$(seconds eu-addr2line -f -e "$file" <sample)
	awk -v name="$(basename "$file")" -v first="$first" -v next_="$next" -v again="$again" \
		-v peak="$peak" -v one="$eu_one" -v sample="$eu_sample" -v count="$SAMPLE" 'BEGIN {
		eu = (sample - one) * 1e6 / count
		printf "%-10s %14d %14d %14.2f %14.0f %14.3f %8.0f %10d\n", name, first, one * 1e6,
			next_, eu, again, eu / next_, peak }'
done

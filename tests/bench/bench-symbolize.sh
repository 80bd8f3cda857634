#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# bench-symbolize.sh: naming 10 000 distinct addresses, with the functions inlined
# there, of a file of 20 000 functions, of the C library, and of a file with half
# a gigabyte of debug information: by our symbolizer, and by calls of libdw for
# each address. CODECTL_BENCH_LARGE=no leaves out the large one.
set -u
: "${srcdir:=$(dirname "$0")/..}"
: "${top_builddir:=..}"
bench=$(cd "$top_builddir/tests/bench" && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/codectl-bench.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

awk 'BEGIN { print "volatile int sink;"
	for (i = 0; i < 20000; i++)
		printf "static inline int step%d(int x)\n{\n\treturn x * %d + sink;\n}\nint f%d(int x)\n{\n\tfor (int i = 0; i < x; i++)\n\t\tsink += step%d(i);\n\treturn x + sink;\n}\n", i, i, i, i
	}' >many.c
echo "compiling 20 000 functions …" >&2
${CC:-cc} -g -O1 -fPIC -c many.c && ${CC:-cc} -shared -o many many.o || exit 1
libc=$(ldd /bin/sh | awk '/libc\.so/ { print $3 }')

# make_large: many.o again and again, with other names, until there is enough.
make_large()
{
	size=$(stat -c %s many.o)
	objects=
	for ((i = 0; i * size < 540 << 20; i++)); do
		objcopy --prefix-symbols="p${i}_" many.o "part$i.o" || return 1
		objects="$objects part$i.o"
	done
	# shellcheck disable=SC2086 # A list of words.
	${CC:-cc} -shared -fuse-ld=lld -o large $objects && rm -f $objects
}

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

# compare FILE COUNT: libdw is waited for COUNT answers; each may take milliseconds.
compare()
{
	addresses "$1" >all
	read -r first next again _ _ inlined peak real < <("$bench/bench-symbolize" "$1" <all)
	read -r libdw_first libdw _ _ libdw_peak < <("$bench/bench-libdw" "$1" "$2" <all)
	printf '%-10s %10d %10d %10d %10.2f %10.0f %10.3f %6.0f× %8d %10d %10d\n' \
		"$(basename "$1")" "$first" "$real" "$libdw_first" "$next" "$libdw" "$again" \
		"$(awk "BEGIN { print $libdw / $next }")" "$inlined" "$peak" "$libdw_peak"
}

printf '%-10s %10s %10s %10s %10s %10s %10s %7s %8s %10s %10s\n' file "first us" "… real us" \
	"libdw" "next us" "libdw" "again us" ratio inlined "peak KiB" libdw
compare many 300
compare "$libc" 10000
if [ "${CODECTL_BENCH_LARGE:-yes}" != no ] && command -v ld.lld >/dev/null && make_large; then
	compare large 100
fi

#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# bench-symbolize.sh: naming 10 000 distinct addresses, with the functions inlined
# there, of a file of 20 000 functions, of the C library, and of a file with half
# a gigabyte of debug information: by our symbolizer, and by calls of libdw for
# each address (dwarf_getscopes, as eu-addr2line -i). Then the same addresses in
# a trace, by what filter.codectl.debug-info and filter.lttng-utils.debug-info add
# to decoding it; the latter names no inlined functions. Times are CPU time but
# for those that say `real`: the first answer with the file in the page cache, and
# read from the disk. CODECTL_BENCH_LARGE=no leaves out the large one.
set -u
: "${srcdir:=$(dirname "$0")/..}"
: "${top_builddir:=..}"
srcdir=$(cd "$srcdir" && pwd)
bench=$(cd "$top_builddir/tests/bench" && pwd)
plugins=$(cd "$top_builddir/babeltrace-plugin/.libs" && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/codectl-bench.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

awk 'BEGIN { print "volatile int sink;"
	for (i = 0; i < 20000; i++)
		printf "static inline int step%d(int x)\n{\n\treturn x * %d + sink;\n}\nint f%d(int x)\n{\n\tfor (int i = 0; i < x; i++)\n\t\tsink += step%d(i);\n\treturn x + sink;\n}\n", i, i, i, i
	}' >many.c
echo "compiling 20 000 functions …" >&2
${CC:-cc} -g -O1 -fPIC -c many.c && ${CC:-cc} -shared -Wl,--build-id -o many many.o || exit 1
libc=$(ldd /bin/sh | awk '/libc\.so/ { print $3 }')

# make_large: many.o again and again, with other names, until there is enough.
make_large()
{
	size=$(stat -c %s many)
	objects=
	for ((i = 0; i * size < 520 << 20; i++)); do
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

# cold FILE: the time that passes until the first answer, without the file in the page cache.
cold()
{
	local real

	sync "$1"
	dd if="$1" iflag=nocache count=0 status=none
	read -r _ _ _ _ _ _ _ real < <(head -n 2 all | "$bench/bench-symbolize" "$1")
	echo "$real"
}

# least COMMAND…: what it prints, with the least time for following answers of three runs.
least() { for _ in 1 2 3; do "$@" <all; done | sort -n -k 2,2 | head -n 1; }

# compare FILE COUNT: libdw is waited for COUNT answers; each may take milliseconds.
compare()
{
	local first next again inlined peak real libdw_first libdw libdw_peak

	read -r first next again _ _ inlined peak real < <(least "$bench/bench-symbolize" "$1")
	read -r libdw_first libdw _ _ libdw_peak < <(least "$bench/bench-libdw" "$1" "$2")
	printf '%-10s %9d %9d %9d %9d %9.2f %9.0f %6.0f× %9.3f %8d %9d %9d\n' \
		"$(basename "$1")" "$first" "$real" "$(cold "$1")" "$libdw_first" "$next" "$libdw" \
		"$(awk "BEGIN { print $libdw / $next }")" "$again" "$inlined" "$peak" "$libdw_peak"
}

# run TRACE FILTER: CPU microseconds and peak of memory in KiB; FILTER "" is decoding alone.
run()
{
	/usr/bin/python3 - babeltrace2 --plugin-path="$plugins" "$1" ${2:+--component="$2"} \
		--component=sink.utils.dummy <<-'END'
		import resource, subprocess, sys
		subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
		usage = resource.getrusage(resource.RUSAGE_CHILDREN)
		print((usage.ru_utime + usage.ru_stime) * 1e6, usage.ru_maxrss)
	END
}

# compare_filters FILE COUNT: the state dump has the build-id, so that both find debug files.
compare_filters()
{
	local none ours peak theirs their_peak

	addresses "$1" | head -n "$2" >some
	rm -rf trace
	/usr/bin/python3 "$srcdir/bench/ctf-trace.py" trace "$2" 0x7f0000000000 0x40000000 \
		"$(realpath "$1")" some "$(readelf -n "$1" | awk '/Build ID/ { print $3 }')"
	read -r none _ < <(run trace "")
	read -r ours peak < <(run trace filter.codectl.debug-info)
	read -r theirs their_peak < <(run trace filter.lttng-utils.debug-info)
	awk -v name="$(basename "$1")" -v count="$2" -v none="$none" -v ours="$ours" \
		-v theirs="$theirs" -v peak="$peak" -v their_peak="$their_peak" 'BEGIN {
		printf "%-10s %9d %9.2f %9.0f %6.0f× %9d %9d\n", name, count, (ours - none) / count,
			(theirs - none) / count, (theirs - none) / (ours - none), peak, their_peak }'
}

printf '%-10s %9s %9s %9s %9s %9s %9s %7s %9s %8s %9s %9s\n' file "first us" "real" "real cold" \
	libdw "next us" "libdw" ratio "again us" inlined "peak KiB" libdw
addresses many >all
compare many 300
addresses "$libc" >all
compare "$libc" 10000
if [ "${CODECTL_BENCH_LARGE:-yes}" != no ] && command -v ld.lld >/dev/null && make_large; then
	# From one unit to the next: all of its 66 at once are more than may be kept.
	addresses large | sort >all
	compare large 100
fi
printf '\n%-10s %9s %9s %9s %7s %9s %9s\n' "in a trace" addresses "each us" lttng-utils ratio \
	"peak KiB" lttng-utils
# The other filter takes milliseconds for each, and tens of them for the C library.
compare_filters many 1000
compare_filters "$libc" 1000

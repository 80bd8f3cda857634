#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# `codectl archive`: with a recording and its archive alone, the analysis comes to
# the same, byte for byte. The files are of all kinds: stripped with a debug link,
# split DWARF, without a build-id, and what the distribution has.
: "${srcdir:=$(dirname "$0")/..}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/lttng.sh"
lttng_setup
. "$srcdir/lib/record.sh"
cd "$lttng_tmp" || exit 99

mkdir build empty
cat >build/lib.c <<'EOF'
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
static volatile unsigned long sink;
static inline __attribute__((always_inline)) void inner(unsigned long i) { sink += i * i; }
__attribute__((noinline)) void PASTE(work_, NAME)(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		inner(i);
}
EOF
cat >build/prog.c <<'EOF'
#include <stdlib.h>
#include <string.h>
#include <time.h>
void work_split(unsigned long n);
void work_plain(unsigned long n);
static int compare(const void *a, const void *b)
{
	work_split(200);
	work_plain(200);
	return memcmp(a, b, sizeof(int));
}
int main(void)
{
	static int numbers[512];
	struct timespec start, now;

	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		for (int i = 0; i < 512; i++)
			numbers[i] = rand();
		qsort(numbers, 512, sizeof(int), compare);
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000 < 1500);
	return 0;
}
EOF
(
	cd build || exit 99
	# The .dwo file stays where it is made, with a path that leaves a directory again.
	mkdir split && cd split &&
		gcc -g -O2 -fPIC -gsplit-dwarf -gdwarf-5 -DNAME=split -c -o ../split/lib.o ../lib.c &&
		gcc -shared -Wl,--build-id -o ../libsplit.so lib.o && cd .. &&
		gcc -g -O2 -fPIC -shared -Wl,--build-id=none -DNAME=plain -o libplain.so lib.c &&
		objcopy --only-keep-debug libplain.so libplain.so.debug && strip libplain.so &&
		objcopy --add-gnu-debuglink=libplain.so.debug libplain.so &&
		gcc -g -O2 -Wl,--build-id -o prog prog.c -L. -lsplit -lplain -Wl,-rpath,"$PWD" &&
		objcopy --only-keep-debug prog prog.debug && strip prog &&
		objcopy --add-gnu-debuglink=prog.debug prog
) || exit 99

if ! "$codectl_command" record -F 199 -o recording -- build/prog >log 2>&1; then
	tap_not_ok "recording" "$(cat log)"
	tap_done
	exit
fi

# analyse FILE OPTION…: all that the command tells, and the raw frames.
analyse()
{
	analyse_file=$1
	shift
	"$codectl_command" export --format=folded "$@" recording >"$analyse_file.folded" 2>"$analyse_file.log"
	"$codectl_command" report "$@" recording >"$analyse_file.report" 2>>"$analyse_file.log"
	sort "$analyse_file.folded" -o "$analyse_file.folded"
}

analyse before
tap_check "the program and its libraries have names" grep -q \
	'main;.*compare;work_split;inner' before.folded
tap_check "… also those without a build-id" grep -q 'compare;work_plain;inner' before.folded
tap_check "… and libc" grep -qE 'main;.*(sort|msort)' before.folded

tap_check "archive" "$codectl_command" archive -o files recording
tap_equal "… says what it did" "$("$codectl_command" archive -o files recording 2>&1 |
	sed 's/[0-9][0-9.]* MB/N MB/; s/[0-9]* files/N files/')" "codectl: N files, N MB in files"
tap_equal "… has what is needed, and no more" "$(find files -type f | sed 's|.*/lib\.dwo|lib.dwo|;
	s|.*/lib-*lib\.dwo|lib.dwo|' | grep -vE '^files/.build-id' | sed 's|.*/||' | sort | tr '\n' ' ')" \
	"lib.dwo libplain.so libplain.so.debug "
tap_check "… has a link at the path of an object" test -L "files/$PWD/build/prog"
tap_check "archive as a file for tar" "$codectl_command" archive --output=files.tar.gz recording
mkdir untarred
tar -xf files.tar.gz -C untarred
tap_check "… has the same files" diff -r files untarred
tap_equal "… and nothing else is left" "$(ls -d files* | tr '\n' ' ')" "files files.tar.gz "

# Another machine: none of the files is where it was, and no debug files are known.
mv build elsewhere
analyse without --target-prefix="$PWD/empty" --debug-info-dir="$PWD/empty"
tap_check "without the files there are no names" sh -c '! grep -q "work_" without.folded'
tap_check "… and that is said" grep -q "Cannot use the file of an object: .*/build/prog" without.log
analyse after --archive="$PWD/files" --target-prefix="$PWD/empty" --debug-info-dir="$PWD/empty"
tap_check "with the archive: the same stacks" diff before.folded after.folded
tap_check "… the same report" diff before.report after.report
tap_equal "… and nothing to say" "$(cat after.log)" "$(cat before.log)"
tap_check "an archive can be made of an archive" "$codectl_command" archive --archive="$PWD/files" \
	--target-prefix="$PWD/empty" --debug-info-dir="$PWD/empty" -o again recording
tap_check "… with the same files" diff -r files again

mkdir closed
chmod a-w closed
if [ "$(id -u)" = 0 ]; then
	tap_ok "a directory that cannot be written (root can)"
else
	tap_check "a directory that cannot be written" sh -c "! '$codectl_command' archive -o closed \
		--archive=files recording 2>error && grep -q 'Permission denied' error"
fi
tap_done

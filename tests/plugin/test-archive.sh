#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# `codectl archive` of generated traces: whatever paths they have, and whatever
# becomes of the disk.
: "${srcdir:=$(dirname "$0")/..}"
: "${top_builddir:=..}"
: "${CC:=cc}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/graph.sh"
. "$srcdir/lib/stack.sh"
graph_setup
codectl=$(cd "$top_builddir/lttng-ust-codectl" && pwd)/codectl
srcdir=$(cd "$srcdir" && pwd)
tmp=$(cd "$tmp" && pwd -P)

mkdir "$tmp/dir"
"$CC" -g -shared -nostdlib -Wl,--build-id -o "$tmp/dir/lib.so" "$srcdir/plugin/lib-stack-so.S" &&
	"$CC" -g -shared -nostdlib -Wl,--build-id=none -o "$tmp/dir/plain.so" \
		"$srcdir/plugin/lib-stack-so.S" || exit 99
use "$tmp/dir/lib.so" 0x7F0000000000 0
id=${build_id:0:2}/${build_id:2}

# record NAME PATH BUILD-ID: a trace $tmp/NAME.
record()
{
	graph "$(stack_trace "$2" "$3")" "sink.ctf.fs:{\"path\": \"$tmp/$1\", \"quiet\": true}"
}
record usual "$tmp/dir/lib.so" "$build_id"
record odd "$tmp/dir/../../../../../..$tmp/./dir//lib.so" "$build_id"
record plain "$tmp/dir/plain.so" ""

# tree DIRECTORY: what is in there, links with where they lead.
tree() { (cd "$1" && find . ! -type d -printf '%P %l\n' | sed 's/ $//' | LC_ALL=C sort); }

"$codectl" archive -o "$tmp/a" "$tmp/usual" >"$tmp/out" 2>&1
tap_equal "by build-id, and a link at the path" "$? $(tree "$tmp/a")" "0 .build-id/$id
${tmp#/}/dir/lib.so $(echo "${tmp#/}/dir/" | sed 's|[^/]*/|../|g').build-id/$id"
tap_check "… which leads there" cmp "$tmp/a$tmp/dir/lib.so" "$tmp/dir/lib.so"
"$codectl" archive -o "$tmp/b" "$tmp/odd" >"$tmp/out" 2>&1
tap_check "a path that goes to and fro stays in the archive" diff -r "$tmp/a" "$tmp/b"
"$codectl" archive -o "$tmp/c" "$tmp/plain" >"$tmp/out" 2>&1
tap_equal "without a build-id: at the path" "$(tree "$tmp/c")" "${tmp#/}/dir/plain.so"

mkdir "$tmp/outside" "$tmp/d"
ln -s "$tmp/outside" "$tmp/d/.build-id"
"$codectl" archive -o "$tmp/d" "$tmp/usual" >"$tmp/out" 2>&1
tap_equal "links in the directory are not followed" "$? $(ls -A "$tmp/outside")" "1 "
tap_check "… but reported" grep -q "Cannot write to the archive \"$tmp/d\"" "$tmp/out"
(
	trap '' XFSZ
	ulimit -f 1
	"$codectl" archive -o "$tmp/e" "$tmp/usual" >"$tmp/out" 2>&1
)
tap_equal "no room: reported, and no half of a file" "$? $(tree "$tmp/e")" "1 "
tap_check "… with the reason" grep -q "Cannot write to the archive .*: File too large" "$tmp/out"
"$codectl" archive -o "$tmp/dir/lib.so" "$tmp/usual" >"$tmp/out" 2>&1
tap_equal "the directory is a file" "$? $(sed 's/.*: Cannot/Cannot/' "$tmp/out")" \
	"1 Cannot make the directory \"$tmp/dir/lib.so\": Not a directory"
"$codectl" archive -o "$tmp/none/f.tar" "$tmp/usual" >"$tmp/out" 2>&1
tap_equal "no place for a file for tar" "$? $(cat "$tmp/out")" \
	"1 codectl: error: Cannot make a directory beside $tmp/none/f.tar: No such file or directory"
rm "$tmp/dir/lib.so"
"$codectl" archive -o "$tmp/g" "$tmp/usual" >"$tmp/out" 2>&1
tap_equal "the file is gone" "$? $(grep -c "Cannot use the file of an object: .*: no such file" "$tmp/out") \
$(tail -n 1 "$tmp/out")" "1 1 codectl: error: $tmp/usual: There are no samples, or none of their files was found"
# Another file where it was is not taken, nor does it get the place of the right one.
cp "$tmp/dir/plain.so" "$tmp/dir/lib.so"
"$codectl" archive -o "$tmp/g" "$tmp/usual" >"$tmp/out" 2>&1
tap_equal "another file is at its path" "$? $(tree "$tmp/g")" "1 "
tap_equal "an archive of the archive" "$("$codectl" archive --archive="$tmp/a" -o "$tmp/h" \
	"$tmp/usual" 2>&1 | sed 's/,.*in /, in /') $(diff -r "$tmp/a" "$tmp/h")" "codectl: 1 files, in $tmp/h "
tap_done

#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# Real programs that nobody prepared: at least 99 % of the samples of each end
# at the outermost frame.
: "${srcdir:=$(dirname "$0")/..}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/lttng.sh"
lttng_setup
. "$srcdir/lib/record.sh"
srcdir=$(cd "$srcdir" && pwd)
cd "$lttng_tmp" || exit 99

# record_program NAME LEAST-SAMPLES COMMAND…
record_program()
{
	program_name=$1
	program_least=$2
	shift 2
	if ! command -v "$1" >/dev/null; then
		tap_skip "$program_name" "$1 is not installed"
		return
	fi
	if "$codectl_command" record -F 999 -o "$program_name.data" -- "$@" >record.log 2>&1; then
		samples "$program_name.data" >"$program_name.txt"
		check_complete "$program_name" "$program_name.txt" 99 "$program_least"
	else
		tap_not_ok "$program_name" "$(tail -n 20 record.log)"
	fi
}

cat >work.py <<'PYTHON'
import json, re, hashlib, zlib, time
end = time.process_time() + 3
text = " ".join(str(i) for i in range(20000))
while time.process_time() < end:
    json.loads(json.dumps({str(i): [i] * 5 for i in range(2000)}))
    sorted(re.findall(r"\d+7", text), key=lambda s: s[::-1])
    hashlib.sha256(text.encode()).hexdigest()
    zlib.compress(text.encode())
PYTHON
record_program python3 100 /usr/bin/python3 work.py

awk 'BEGIN { srand(1); for (i = 0; i < 300000; i++) printf "%d %d line\n", i, rand() * 100000 }' >big.txt
record_program xz 40 xz -T2 --block-size=512KiB -k -3 big.txt
tap_equal "xz: both of its worker threads" \
	"$(awk -F '\t' '$6 ~ /liblzma/ { print $2 }' xz.txt | sort | uniq -c | awk '$1 >= 10' | wc -l)" 2

awk 'BEGIN { for (i = 0; i < 2500; i++) {
	printf "int f%d(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) { if (p[i] %% %d) s += p[i] * %d; else s ^= p[i] << %d; } return s; }\n", i, i + 3, i, i % 7 } }' >big.c
record_program gcc 200 gcc -O2 -c big.c
as=$(basename "$(readlink -f "$(command -v as)")")
tap_equal "gcc: its children are recorded, each a process of its own" "$(
	awk -F '\t' -v as="$as" '{ n = split($6, b, ";"); for (i = 1; i <= n; i++) \
		if (b[i] == "cc1" || b[i] == as) print b[i], $1 }' gcc.txt |
		sort -u | cut -d ' ' -f 1 | tr '\n' ' ')" "cc1 $as "
tap_done

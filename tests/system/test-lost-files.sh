#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# Programs whose files are deleted, replaced, or never were: their stacks are
# complete and named nonetheless, out of the trace.
: "${srcdir:=$(dirname "$0")/..}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/lttng.sh"
. "$srcdir/lib/record.sh"
lttng_setup
cd "$lttng_tmp" || exit 99

# Only spin() is exported: alpha() and bravo() are in .symtab alone.
echo '{ global: spin; local: *; };' >exports
compile lost "$system_srcdir/prog-lost.c" -D_GNU_SOURCE
for name in alpha bravo; do
	for id in sha1 none; do
		compile "lib-$name-$id.so" "$system_srcdir/lib-spin-so.c" -shared -fPIC \
			-DNAME=$name -Wl,--build-id=$id -Wl,--version-script=exports
		strip -o "lib-$name-$id-stripped.so" "lib-$name-$id.so" || exit 99
	done
done
# Which names there are in a library that the kernel gives to root alone.
if [ "$(id -u)" = 0 ] && [ -r /proc/self/map_files ]; then
	inner=alpha
else
	inner=-
fi

# record HOW VARIANT [SECONDS]: records ./lost HOW with copies of the libraries of that
# variant; sets $events, and leaves HOW.txt with the samples.
record()
{
	rm -rf "$1.data" lib.so other.so
	cp "lib-alpha-$2.so" lib.so && cp "lib-bravo-$2.so" other.so && cp lost program || exit 99
	if ! "$codectl_command" record -F 499 -o "$1.data" -- ./program "$1" "${3-0.3}" ./lib.so \
		./other.so >"$1.out" 2>"$1.log"; then
		sed 's/^/# /' "$1.log"
		return 1
	fi
	events=$(babeltrace2 "$1.data" 2>>babeltrace.log | grep codectl:)
	samples "$1.data" >"$1.txt"
}

# image_starts: of how many objects but the vDSO images are in $events; a second state
# dump brings a second one.
image_starts()
{
	vdso=$(sed -n 's/.*register_elf:.* text_start = \([^,]*\), text_end = \([^,]*\),.*\[vdso\].*/\1 \2/p' \
		<<<"$events" | head -n 1)
	sed -n 's/.*elf_image:.* address = \(0x[0-9A-F]*\), offset = 0,.*/\1/p' <<<"$events" |
		while read -r address; do
			if [ -z "$vdso" ] || [ $((address)) -lt $((${vdso% *})) ] ||
				[ $((address)) -ge $((${vdso#* })) ]; then
				echo "$address"
			fi
		done | sort -u | wc -l
}

# calls HOW: what was called most often, from main() on, with the binaries.
calls()
{
	awk -F '\t' '$5 ~ /main;/ { sub(/.*;main;/, "main;", $5); n = split($5, f, ";")
			m = split($6, b, ";"); print $5, b[m] }' "$1.txt" |
		sort | uniq -c | sort -rn | awk 'NR == 1 { print $2, $3 }'
}

record keep sha1 || exit 99
tap_equal "a file that stays where it is has no image" "$(image_starts)" 0
tap_equal "… and is named" "$(calls keep)" "main;spin;alpha lib.so"

for variant in sha1 none-stripped; do
	case $variant in
	*-stripped) name=- ;;
	*) name=$inner ;;
	esac
	for how in delete replace memfd forbid; do
		if [ "$how" = forbid ] && [ "$(id -u)" = 0 ]; then
			continue
		fi
		[ "$how" = memfd ] && binary=memfd:copy || binary=lib.so
		record "$how" "$variant" || exit 99
		check_complete "$how, $variant" "$how.txt" 95 20
		tap_equal "$how, $variant: the names that can be had" "$(calls "$how")" \
			"main;spin;$name $binary"
		tap_equal "$how, $variant: one image" "$(image_starts)" 1
	done
done

# The program itself: /proc/self/exe leads to it, for everybody.
record self sha1 || exit 99
check_complete "a program that deletes itself" self.txt 95 20
tap_equal "a program that deletes itself: the names of its symbol table" "$(calls self)" \
	"main;spin;alpha lib.so"

# Replaced when the samples are taken already: found a second later, at the latest.
record late sha1 3 || exit 99
tail -n 100 late.txt >last.txt
"$codectl_command" report late.data >late.report 2>late.err
check_complete "replaced later" last.txt 96 100
tap_check "replaced later: why the first samples lack names" \
	grep -q 'lib.so.*its build-id differs' late.err
# Without build-ids they differ in the names alone.
record replace none || exit 99
tap_equal "another file at the path, of the same code" "$(calls replace)" "main;spin;$inner lib.so"
record late none 3 || exit 99
"$codectl_command" report late.data >late.report 2>late.err
tap_equal "replaced later, without build-ids: the right function in the end" \
	"$(tail -n 100 late.txt | grep -c bravo)" 0
tap_check "replaced later, without build-ids: a warning" grep -q 'was taken for' late.err
tap_done

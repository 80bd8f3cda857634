#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# Stacks that are hard to unwind, sampled for real. Every sample within them
# must have exactly the expected chain of functions and end as expected.
: "${srcdir:=$(dirname "$0")/..}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/lttng.sh"
lttng_setup
. "$srcdir/lib/record.sh"
srcdir=$(cd "$srcdir" && pwd)
system_srcdir=$srcdir/system
cd "$lttng_tmp" || exit 99

# What is above main() in every stack.
main='_start;[^;]*;[^;]*;main'
# The end of a chain that goes on into spin(), at whatever depth it was sampled.
spin='(;spin)?'

# check_chain NAME FILE LEAST END MARK CHAIN [OTHER]: at least LEAST samples have the function
# MARK in their chain, and each of those has the CHAIN and ends with END, or is OTHER: an
# end, a blank and a chain. All are regular expressions.
check_chain()
{
	if chain_output=$(awk -F '\t' -v least="$3" -v end="^($4)\$" -v mark="(^|;)($5)(;|\$)" \
		-v chain="^($6)\$" -v other="^(${7:-none})\$" '
		$5 !~ mark { next }
		{ count++ }
		($4 " " $5) ~ other { next }
		$4 !~ end || $5 !~ chain {
			if (wrong++ < 3)
				print "wrong: " $4 " " $5
		}
		END {
			printf "%d samples, %d wrong\n", count, wrong
			exit !(count >= least && wrong == 0)
		}' "$2"); then
		tap_ok "$1: $chain_output"
	else
		tap_not_ok "$1" "$chain_output
expected: $4 $6"
	fi
}

# Signals: across their frames, at whatever instruction they came.
compile signals "$system_srcdir/edge-signals.c"
signal='(__restore_rt|-)' # The C library's trampoline: only debug files name it.
if record signals -- ./signals 200; then
	check_chain "a fault at a function's first instruction" signals.txt 4 outermost first \
		"$main;phase_first;first(;fault_first(;$signal(;on_fault$spin)?)?)?"
	check_chain "a signal within the handler of another" signals.txt 4 outermost nested \
		"$main;phase_nested;nested(;fault_outer(;$signal;on_fault(;second_level(;fault_inner(;$signal(;on_fault$spin)?)?)?)?)?)?"
	check_chain "a signal in a system call" signals.txt 4 outermost on_raise \
		"$main;phase_raised;raised;.*raise;([^;]*kill[^;]*;)*$signal;on_raise$spin"
	check_chain "a call through a null pointer" signals.txt 4 outermost on_null \
		"$main;phase_call_null;call_null;-;$signal;on_null(;spin|;[^;]*longjmp(;.*)?)?"
	check_chain "vfork" signals.txt 4 outermost forked \
		"$main;phase_forked;forked(;[^;]*vfork|;[^;]*wait[^;]*(;.*)?)?"
	check_chain "a handler on a stack of its own" signals.txt 4 stack-switch on_alternate \
		"fault_alternate;$signal;on_alternate(;on_fault$spin)?"
	tap_equal "vfork: the child on its parent's stack is not taken for the parent" \
		"$(cut -f 1 signals.txt | sort -u | wc -l)" 1
fi

# Frames of unusual shape.
compile frames "$system_srcdir/edge-frames.c" "$system_srcdir/edge-frames-asm.S"
if record frames -- ./frames 200; then
	for name in cfa_in_rbx cfa_in_r12; do
		check_chain "$name" frames.txt 4 outermost $name "$main;phase_$name;$name$spin"
	done
	for name in cfa_in_r10 leaf_without_cfi pushing_leaf_without_cfi; do
		check_chain "$name" frames.txt 4 outermost $name "$main;phase_$name;$name"
	done
	check_chain "prologues and epilogues" frames.txt 4 outermost "pushes_.*" \
		"$main;phase_prologues;prologues;pushes_(and_pops|without_fp)"
	check_chain "a call at a function's end" frames.txt 4 outermost ends_with_call \
		"$main;phase_no_return;no_return;ends_with_call(;spin_and_leave(;spin|;.*longjmp.*)?)?"
	check_chain "a realigned frame" frames.txt 4 outermost realigned \
		"$main;phase_calls_realigned;calls_realigned;realigned$spin"
	check_chain "a realigned frame that has been left" frames.txt 4 outermost left_frames \
		"$main;phase_left_frames;left_frames(;calls_with_fp(;realigned_and_left)?)?"
	check_chain "a frame of variable size" frames.txt 4 outermost variable \
		"$main;phase_calls_variable;calls_variable;variable$spin"
	check_chain "a corrupted frame pointer" frames.txt 4 outermost corrupted_fp \
		"$main;phase_corrupted_fp;corrupted_fp$spin"
	# The frame that it names as its caller looks like any other.
	check_chain "a frame pointer that leads to itself" frames.txt 4 outermost endless_fp \
		"$main;phase_endless_fp;endless_fp(;endless_fp)?$spin"
	check_chain "a stack deeper than what is captured" frames.txt 4 truncated deep \
		"deep;deep;deep;deep;deep(;deep)*$spin" \
		"outermost $main;phase_calls_deep;calls_deep(;deep)*"
fi

# Calls through lazy stubs, resolved anew each time.
compile lib-lazy.so "$system_srcdir/edge-lib-lazy-so.c" -shared -fPIC
compile lazy "$system_srcdir/edge-lazy.c" -Wl,-z,lazy -L. -l:lib-lazy.so -Wl,-rpath,"$PWD"
if record lazy -- env LD_BIND_NOT=1 ./lazy 500; then
	check_chain "lazy stubs of the PLT" lazy.txt 10 outermost calls_lazily \
		"$main;phase_calls_lazily;calls_lazily(;.*)?"
	check_chain "the resolver of lazy stubs" lazy.txt 4 outermost "_dl_runtime_resolve.*" \
		"$main;phase_calls_lazily;calls_lazily;_dl_runtime_resolve[^;]*(;_dl_[^;]*(;.*)?)?"
fi

# plain NAME OPTION…: compiles edge-plain, three calls deep, as NAME.
plain_names=
plain()
{
	plain_name=$1
	shift
	compile "$plain_name" "$system_srcdir/edge-plain.c" "$@"
	plain_names="$plain_names $plain_name"
}

plain fp-without-cfi -fno-asynchronous-unwind-tables -fno-unwind-tables -fno-omit-frame-pointer -g0
plain debug-frame -fno-asynchronous-unwind-tables -fno-unwind-tables -fomit-frame-pointer
objcopy --only-keep-debug debug-frame separate-debug-frame.debug
objcopy --strip-all --add-gnu-debuglink=separate-debug-frame.debug debug-frame separate-debug-frame
plain no-pie -no-pie
plain no-eh-frame-hdr -Wl,--no-eh-frame-hdr
for linker in gold lld mold; do
	if command -v "ld.$linker" >/dev/null; then
		plain "$linker" -fuse-ld="$linker"
	else
		tap_skip "$linker" "the linker is not installed"
	fi
done
# The dynamic symbols still name all functions but one.
plain stripped -rdynamic -s
cat >drop-section-headers.py <<'PYTHON'
import struct, sys
image = bytearray(open(sys.argv[1], "rb").read())
sections = struct.unpack_from("<Q", image, 0x28)[0]
struct.pack_into("<Q", image, 0x28, 0)
struct.pack_into("<HHH", image, 0x3a, 0, 0, 0)
open(sys.argv[2], "wb").write(image[:sections])
PYTHON
/usr/bin/python3 drop-section-headers.py stripped no-section-headers
chmod +x no-section-headers
plain_names="$plain_names separate-debug-frame no-section-headers"
# All in one recording: each is a process of its own.
# shellcheck disable=SC2016,SC2086 # For the inner shell; several words.
if record plain -- sh -c 'for program; do "./$program" 250 || exit; done' sh $plain_names; then
	tap_equal "edge-plain: all of its kinds do their work" \
		"$(grep -c '^done$' plain.out)" "$(echo $plain_names | wc -w)"
	for name in $plain_names; do
		awk -F '\t' -v program="(^|;)$name(;|\$)" '$6 ~ program' plain.txt >"$name.txt"
		check_chain "$name" "$name.txt" 5 outermost spin \
			"$main;(phase_alpha|-);alpha;bravo;charlie;spin"
	done
fi

# unharmed NAME: a program that nothing can be preloaded into does its work; the command says so.
unharmed()
{
	"$codectl_command" record -F 999 -o "$1.data" -- "./$1" 10 >"$1.out" 2>"$1.log"
	tap_equal "$1: unharmed" "$? $(cat "$1.out")" "0 done"
	tap_check "$1: the command says why there are no samples" \
		grep -q -E 'No program registered: .*(is static|another C library)' "$1.log"
	tap_equal "$1: nothing else is said" "$(grep -vc '^codectl: ' "$1.log")" 0
}

for kind in static static-pie; do
	compile "$kind" "$system_srcdir/edge-plain.c" "-$kind"
	unharmed "$kind"
done
if command -v musl-gcc >/dev/null; then
	musl-gcc -O2 -g -o musl "$system_srcdir/edge-plain.c" || exit 99
	unharmed musl
else
	tap_skip "musl" "musl-gcc is not installed"
fi

# Exceptions thrown and caught all the time: the unwinder's own frames.
if command -v g++ >/dev/null; then
	g++ -g -O2 -o exceptions "$system_srcdir/edge-exceptions.cc" || exit 99
	if record exceptions -- ./exceptions 1000; then
		# While libgcc copies the registers of the frame that catches over those that its own
		# frame has saved, that frame is neither the old nor the new one: the chain leads
		# nowhere, or to a zero, which looks like an end.
		between='(no-map|outermost) .*;_Unwind_[A-Z][A-Za-z_]*(;(-|uw_install_context_1))?'
		# And before main() our own libraries begin, and end behind it.
		around='_dl_start_user;_dl_init;.*|_start;[^;]*(;call_init.*|;[^;]*(;[^;]*exit(;.*)?)?)?'
		check_chain "C++ exceptions" exceptions.txt 40 outermost '.*' "$main(;.*)?" \
			"$between|outermost ($around)"
		check_complete "C++ exceptions" exceptions.txt 95 40
		check_chain "C++ exceptions: from main() to the throw" exceptions.txt 10 outermost \
			"_Unwind_RaiseException" \
			"$main;(catcher[^;]*;)?(thrower[^;]*;)+__cxa_throw;_Unwind_RaiseException(;.*)?" \
			"$between"
	fi
else
	tap_skip "C++ exceptions" "g++ is not installed"
fi

# Assembler in quantity.
if command -v openssl >/dev/null; then
	if record openssl -- openssl speed -seconds 1 -bytes 256 sha256 aes-256-cbc rsa2048; then
		check_complete "openssl speed" openssl.txt 99 40
	fi
else
	tap_skip "openssl" "openssl is not installed"
fi
if command -v sqlite3 >/dev/null; then
	if record sqlite3 -- sqlite3 :memory: "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL
		SELECT i + 1 FROM n WHERE i < 1500000) SELECT sum(i * 7 % 13), count(DISTINCT i % 997)
		FROM n WHERE printf('%d', i) LIKE '%7%';"; then
		check_complete "sqlite3" sqlite3.txt 99.9 30
	fi
else
	tap_skip "sqlite3" "sqlite3 is not installed"
fi

# Other languages, where their compilers happen to be: too large to ask for, so no skips.
if command -v rustc >/dev/null && rustc -O -o rust "$system_srcdir/edge-rust.rs" 2>rustc.log; then
	if record rust -- ./rust; then
		check_chain "Rust" rust.txt 5 outermost '.*::alpha.*' \
			"$main;.*::main(::h[0-9a-f]*)?;[^;]*::alpha[^;]*(;[^;]*::bravo[^;]*(;[^;]*::charlie[^;]*)?)?"
	fi
else
	tap_note "Rust: not tested, $(tail -n 1 rustc.log 2>/dev/null || echo rustc is not installed)"
fi
# A Go program without cgo is a static one. Below charlie() may be the call into C with what
# the run time does around it, a preemption, or the handler of one.
if command -v go >/dev/null &&
	GOCACHE=$PWD/go-cache go build -o go "$system_srcdir/edge-go.go" 2>go.log; then
	if record go -- ./go; then
		check_chain "Go" go.txt 5 outermost 'main\\.charlie' \
			'runtime\\.goexit[^;]*;runtime\\.main;main\\.main;main\\.alpha;main\\.bravo;main\\.charlie(;(runtime|main\\._Cfunc_two)\\..*)?'
	fi
else
	tap_note "Go: not tested, $(tail -n 1 go.log 2>/dev/null || echo go is not installed)"
fi
tap_done

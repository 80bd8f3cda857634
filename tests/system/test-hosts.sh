#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# Large programs do the same under the recorder as without: the same output, the
# same files, the same exit status; as the user who runs this, and as nobody too
# if that is root. CODECTL_HOSTS=all (`make hosts`) takes programs for some hours,
# otherwise what takes seconds. What is not installed is left out: these are too
# large to ask for.
: "${srcdir:=$(dirname "$0")/..}"
: "${top_builddir:=..}"
: "${CODECTL_HOSTS:=short}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/lttng.sh"
lttng_setup
. "$srcdir/lib/record.sh"
srcdir=$(cd "$srcdir" && pwd)
system_srcdir=$srcdir/system
top_builddir=$(cd "$top_builddir" && pwd)
cd "$lttng_tmp" || exit 99
# Others must be able to reach the command and its libraries.
chmod 755 "$lttng_tmp"
command=$codectl_command
users=self
if [ "$(id -u)" = 0 ]; then
	users='self nobody'
	make -s -C "$top_builddir" install DESTDIR="$lttng_tmp/root" >install.log 2>&1 ||
		{ cat install.log; exit 99; }
	command=$(find "$lttng_tmp/root" -path '*/bin/codectl')
fi

# as USER COMMAND…: in the directory work/, with a home of its own.
as()
{
	as_user=$1
	shift
	as_home=$lttng_tmp/home-$as_user
	if [ "$as_user" = self ]; then
		(cd work && env HOME="$as_home" LTTNG_HOME="$as_home" "$@")
	else
		(cd work && runuser -u "$as_user" -- env HOME="$as_home" LTTNG_HOME="$as_home" "$@")
	fi
}

for user in $users; do
	mkdir -p "home-$user"
	[ "$user" = self ] || chown "$user" "home-$user"
done

# run USER RESULT COMMAND…: does it in an empty directory, always of the same name. RESULT gets
# what is compared: the status, the output as the function `plain` leaves it, and sums of files.
run()
{
	run_user=$1
	run_result=$2
	shift 2
	rm -rf work
	mkdir work
	[ "$run_user" = self ] || chown "$run_user" work
	as "$run_user" "$@" <"$host_input" >run.out 2>run.err
	{
		echo "status $?"
		plain <run.out
		(cd work && set -f && find . -type f \( $host_files \) -exec sha256sum {} + | sort -k 2)
	} >"$run_result"
}

# host NAME SCRIPT [FILES]: unless CODECTL_HOSTS_ONLY names others, compares what the shell
# script does alone and recorded. FILES are tests of find(1) for files whose contents count.
# $host_needs is a command without which a user is left out.
host()
{
	host_name=$1
	host_script=$2
	host_files=${3:--false}
	for host_user in $users; do
		case $host_name in
		*"${CODECTL_HOSTS_ONLY:-}"*) ;;
		*) continue ;;
		esac
		if [ -n "$host_needs" ] && ! (mkdir -p work && as "$host_user" sh -c "command -v $host_needs" >/dev/null); then
			tap_note "$host_name: $host_user has no $host_needs, not tested"
			continue
		fi
		host_input=/dev/null
		run "$host_user" alone.txt sh -c "$host_script"
		run "$host_user" recorded.txt "$command" record -F 997 -o "$lttng_tmp/home-$host_user/data" \
			-- sh -c "$host_script"
		host_samples=$(sed -n 's/^codectl: \([0-9]*\) samples.*/\1/p' run.err)
		if cmp -s alone.txt recorded.txt && [ "${host_samples:-0}" -ge "$host_least" ]; then
			tap_ok "$host_name, as $host_user: $(head -n 1 alone.txt), $(grep -c . alone.txt) lines, $host_samples samples"
		else
			tap_not_ok "$host_name, as $host_user" "${host_samples:-no} samples
$(diff alone.txt recorded.txt | head -n 20)
$(tail -n 5 run.err)"
		fi
		rm -rf "$lttng_tmp/home-$host_user/data" "$lttng_tmp/home-$host_user/data.old"
	done
	host_least=1
	host_needs=
	plain() { cat; }
}
host_least=1
host_needs=
plain() { cat; }

# has COMMAND: whether it is there; if not, tells.
has()
{
	command -v "$1" >/dev/null && return
	tap_note "$1: not installed, not tested"
	return 1
}

# What takes a second.
host "sh and its children" 'seq 20000 | sort -R --random-source=/bin/sh | sort -n | md5sum
	for i in 1 2 3 4 5 6 7 8 9 10; do echo $i | sed s/1/2/ | (read a; echo $((a + 1))); done; exit 3'
if has python3; then
	host "python3" '/usr/bin/python3 -c "
import subprocess, threading, hashlib, os, signal
def work(n, out): out[n] = hashlib.sha256(bytes(range(256)) * 20000).hexdigest()
out = {}
threads = [threading.Thread(target=work, args=(n, out)) for n in range(8)]
[t.start() for t in threads]; [t.join() for t in threads]
print(sorted(out.items()))
print(subprocess.run([\"sort\"], input=b\"b\na\n\", capture_output=True).stdout)
pid = os.fork()
if pid == 0: os.kill(os.getpid(), signal.SIGTERM)
print(os.waitpid(pid, 0)[1])"'
fi
if has perl; then
	host "perl" 'perl -e "\$_ = join q(,), map { \$_ * 7 % 1000 } 1 .. 200000; \$n = () = /99/g; print qq(\$n\n);
		alarm 1; \$SIG{ALRM} = sub { print qq(alarm\n); exit 5 }; 1 while 1"'
fi
if has openssl; then
	plain() { grep -c '^sha256\|^aes-128-cbc'; }
	host "openssl speed" 'openssl speed -seconds 1 -bytes 256 sha256 aes-128-cbc 2>/dev/null'
fi
if has busybox; then
	host_least=0
	host "busybox, static" 'busybox seq 100000 | busybox md5sum; busybox sh -c "exit 4"'
fi
if has go; then
	cp "$system_srcdir/edge-go.go" go.go
	if GOCACHE=$PWD/go-cache go build -o go-program go.go 2>go.log; then
		plain() { sed 's/[0-9][0-9]*/N/g'; }
		host "a Go program" "$PWD/go-program"
	else
		tap_note "Go: $(tail -n 1 go.log)"
	fi
fi
if has rustc && rustc -O -o rust-program "$system_srcdir/edge-rust.rs" 2>rust.log; then
	host "a Rust program" "$PWD/rust-program"
fi
if has node; then
	host "node" 'node -e "
const { Worker, isMainThread, parentPort } = require(\"worker_threads\");
const hash = s => require(\"crypto\").createHash(\"sha256\").update(s).digest(\"hex\");
let text = \"\"; for (let i = 0; i < 200000; i++) text += JSON.stringify({ i });
console.log(hash(text));
const worker = new Worker(\"require(\\\"worker_threads\\\").parentPort.postMessage([...Array(1e6).keys()].reduce((a, b) => a + b))\", { eval: true });
worker.on(\"message\", m => console.log(m)); worker.on(\"exit\", c => process.exit(c + 6));"'
fi
if [ "$CODECTL_HOSTS" != all ]; then
	tap_done
	exit
fi

# What takes minutes.
if /usr/bin/python3 -c 'import test.test_threading' 2>/dev/null; then
	# Without the durations.
	plain() { grep -E 'tests? (OK|failed|skipped)|Tests result|^ +test_'; }
	host "python3's tests" '/usr/bin/python3 -m test --timeout 300 \
		test_array test_ast test_asyncgen test_bisect test_bytes test_bz2 test_class test_cmath \
		test_codecs test_collections test_compile test_complex test_concurrent_futures test_context \
		test_contextlib test_copy test_coroutines test_ctypes test_datetime test_decimal test_deque \
		test_descr test_dict test_difflib test_docxmlrpc test_enum test_exceptions test_faulthandler \
		test_float test_fork1 test_format test_fractions test_functools test_gc test_generators test_grammar \
		test_hashlib test_heapq test_hmac test_io test_itertools test_json test_list test_long test_lzma \
		test_math test_mmap test_multiprocessing_fork test_operator test_os test_pickle test_poll test_posix \
		test_pty test_queue test_random test_re test_sched test_select test_selectors test_set test_shutil \
		test_signal test_socket test_socketserver test_sort test_sqlite3 test_ssl test_statistics test_struct \
		test_subprocess test_sys test_tempfile test_thread test_threadedtempfile test_threading test_time \
		test_traceback test_tracemalloc test_tuple test_unicode test_userdict test_uuid test_wait3 test_wait4 \
		test_weakref test_zipfile test_zlib 2>&1'
	# All others too, but those of desktops and of python's own sources; and one that counts
	# the files which a process has open: LTTng-UST has some of its own.
	users_before=$users
	[ "$users" = self ] || users=nobody
	plain() { grep -E 'tests? (OK|failed|skipped)|Tests result|^ +test_'; }
	host "all of python3's tests" '/usr/bin/python3 -m test --timeout 600 -i test_pass_fds_redirected \
		-x test_lib2to3 test_tools test_idle test_tcl test_tk test_ttk_guionly test_ttk_textonly \
		test_peg_generator test_c_analyzer test_unparse 2>&1'
	users=$users_before
fi
if has go; then
	host_least=0
	host "the Go compiler" "GOCACHE=\$PWD/cache go build -trimpath -o program $PWD/go.go; echo \$?" '-name program'
fi
if has cargo; then
	mkdir -p crate/src
	printf '[package]\nname = "crate"\nversion = "0.1.0"\nedition = "2021"\n' >crate/Cargo.toml
	awk 'BEGIN { print "use std::collections::BTreeMap;"
		for (i = 0; i < 60; i++) printf "fn f%d(v: &[u64]) -> BTreeMap<u64, Vec<String>> { let mut m = BTreeMap::new(); for x in v { m.entry(x %% %d).or_insert_with(Vec::new).push(format!(\"{:x}\", x * %d)); } m }\n", i, i + 2, i
		print "fn main() { let v: Vec<u64> = (0..5000).collect(); let mut n = 0;"
		for (i = 0; i < 60; i++) printf "n += f%d(&v).values().map(|s| s.concat().len()).sum::<usize>();\n", i
		print "println!(\"{n}\"); }" }' >crate/src/main.rs
	chmod -R a+rX crate
	# Where rustup keeps the compilers, if it does.
	host_needs=cargo
	host "Rust: cargo, the compiler, and what it makes" "export RUSTUP_HOME=${RUSTUP_HOME:-$HOME/.rustup}
		cp -r $PWD/crate . && cd crate && cargo build -q --release --offline && target/release/crate" \
		'-path ./crate/target/release/crate'
fi
if has tsc; then
	awk 'BEGIN { for (i = 0; i < 300; i++) printf "export class C%d<T> { constructor(private values: T[]) {} map<U>(f: (value: T) => U): C%d<U> { return new C%d(this.values.map(f)); } total(): number { return this.values.length + %d; } }\n", i, i, i, i }' >big.ts
	host "node: the TypeScript compiler" "tsc --declaration --outDir out --target es2020 $PWD/big.ts" '-path ./out/*'
fi
if has npm; then
	plain() { grep -vE '^npm (notice|WARN)'; }
	host "node: npm" 'mkdir p && cd p && npm init -y >/dev/null && echo "module.exports = 1" >index.js &&
		npm pack --offline --silent && tar -xOf *.tgz package/index.js && npm ls --offline --json'
fi
if has javac; then
	mkdir -p java
	for i in $(seq 60); do
		echo "import java.util.*; import java.util.stream.*; public class J$i { Map<String, List<Integer>> map = new TreeMap<>(); int f(int n) { for (int i = 0; i < n; i++) map.computeIfAbsent(\"k\" + i % 7, k -> new ArrayList<>()).add(i); return map.values().stream().flatMap(List::stream).mapToInt(x -> x * $i).sum(); } public static void main(String[] a) { System.out.println(new J$i().f(20000)); } }" >"java/J$i.java"
	done
	chmod -R a+rX java
	host "javac and java" "javac -d . $PWD/java/*.java && java -cp . J7 && java -Xint -cp . J8" '-name *.class'
fi
postgres=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
if [ -n "$postgres" ] && [ "$(id -u)" = 0 ]; then
	# It refuses to run as root.
	users_before=$users
	users=nobody
	plain() { grep -E 'transactions actually processed|failed transactions|^sum|^status'; }
	host "PostgreSQL: initdb and pgbench" "export PATH=$postgres:\$PATH
		initdb -D \$PWD/db --no-sync -A trust -U me >/dev/null &&
		pg_ctl -D \$PWD/db -s -w -o \"-k \$PWD -h ''\" -l log start &&
		pgbench -h \$PWD -U me -i -s 5 -q postgres && pgbench -h \$PWD -U me -c 8 -j 4 -t 500 postgres 2>&1
		echo status \$?
		psql -h \$PWD -U me -Atc \"select 'sum', count(*), sum(abalance) = (select sum(delta) from pgbench_history) from pgbench_accounts\" postgres
		pg_ctl -D \$PWD/db -s -m fast stop" -false
	users=$users_before
elif [ -z "$postgres" ]; then
	tap_note "PostgreSQL: not installed, not tested"
fi
if [ -d "$srcdir/../.git" ] && has gcc; then
	git -C "$srcdir/.." -c safe.directory='*' archive --format=tar HEAD >source.tar
	mkdir source
	tar -C source -xf source.tar
	(cd source && autoreconf -i >autoreconf.log 2>&1) || tap_note "$(tail -n 5 source/autoreconf.log)"
	chmod -R a+rX source
	plain() { grep -E '^(status|made)'; }
	host "gcc: this project, make -j2" "$PWD/source/configure -q && make -s -j2 && echo made" '-name *.o'
fi
tap_done

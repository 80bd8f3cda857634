#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# `make matrix`: builds the release tarball in other distributions, and runs all tests
# there. Each is a root directory made by debootstrap, which is kept. For root. All
# that is started and mounted is in namespaces of its own, which end with this script.
#
#   MATRIX_TARBALL        what to build
#   MATRIX_DISTRIBUTIONS  their code names (bookworm trixie)
#   MATRIX_CACHE          where the root directories and logs are
#   MATRIX_MIRRORS        where they come from; by default, where apt has its packages from
#   MATRIX_MAKE           arguments of `make check`, like SYSTEM_TESTS= for no recordings
#
# A distribution that no mirror has is told, and left out.
: "${srcdir:=$(dirname "$0")/..}"
: "${MATRIX_DISTRIBUTIONS:=bookworm trixie}" "${MATRIX_MAKE:=}"
: "${MATRIX_CACHE:=${XDG_CACHE_HOME:-${HOME:-/var}/.cache}/lttng-ust-codectl-matrix}"
: "${MATRIX_MIRRORS:=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | sort -u)}"
set -u
srcdir=$(cd "$srcdir" && pwd) || exit 99
tarball=$(readlink -f "${MATRIX_TARBALL:?}") || exit 99

if [ "$(id -u)" != 0 ]; then
	echo "matrix: only root can make other distributions' roots" >&2
	exit 1
fi
for tool in debootstrap unshare; do
	if ! command -v $tool >/dev/null; then
		echo "matrix: $tool is not installed" >&2
		exit 1
	fi
done
mkdir -p "$MATRIX_CACHE" || exit 1

# find_mirror NAME: the first mirror that has the distribution. apt knows how to get there.
find_mirror()
{
	for mirror in $MATRIX_MIRRORS; do
		if /usr/lib/apt/apt-helper download-file "${mirror%/}/dists/$1/Release" \
			"$MATRIX_CACHE/Release" >/dev/null 2>&1; then
			rm -f "$MATRIX_CACHE/Release"
			echo "$mirror"
			return 0
		fi
	done
	return 1
}

# make_root NAME MIRROR: whole, or not at all.
make_root()
{
	make_root=$MATRIX_CACHE/$1
	[ ! -d "$make_root" ] || return 0
	rm -rf "$make_root.new"
	debootstrap --variant=minbase "$1" "$make_root.new" "$2" && mv "$make_root.new" "$make_root"
}

# prepare_root NAME MIRROR: what changes from run to run.
prepare_root()
{
	prepare_root=$MATRIX_CACHE/$1
	components=main
	# Where Ubuntu has most of what tests need.
	[ ! -e "$prepare_root/usr/share/keyrings/ubuntu-archive-keyring.gpg" ] ||
		components="main universe"
	echo "deb $2 $1 $components" >"$prepare_root/etc/apt/sources.list"
	# How this machine reaches its mirrors, and whether it believes their dates.
	apt-config dump Acquire | grep -E '^Acquire::(http|https|ForceIPv4|Check-|Retries)' \
		>"$prepare_root/etc/apt/apt.conf.d/99matrix"
	cp -L /etc/resolv.conf /etc/hosts "$prepare_root/etc/"
	rm -rf "$prepare_root/matrix"
	mkdir "$prepare_root/matrix"
	tar -C "$prepare_root/matrix" --strip-components=1 --no-same-owner -xf "$tarball"
}

# What is entered; unshare waits with signals blocked, and only its end ends all.
entered=
stop()
{
	[ -z "$entered" ] || kill -KILL "$entered"
	echo "matrix: interrupted" >&2
	exit 130
}
trap stop INT TERM HUP

# enter NAME COMMAND…: in the root, in namespaces for mounts and processes.
enter()
{
	enter_root=$MATRIX_CACHE/$1
	shift
	# shellcheck disable=SC2016 # For the inner shell.
	unshare --mount --pid --ipc --fork --kill-child --propagation private sh -c '
		mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" &&
			mount --rbind /sys "$0/sys" && mount -t tmpfs tmpfs "$0/dev/shm" &&
			mount -t tmpfs -o mode=755 tmpfs "$0/run" &&
			mount -t tmpfs -o mode=1777 tmpfs "$0/tmp" || exit 99
		exec chroot "$0" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
		' "$enter_root" "$@" &
	entered=$!
	wait "$entered"
	enter_status=$?
	entered=
	return "$enter_status"
}

# run NAME: prints what came out. Fails if anything did.
run()
{
	log=$MATRIX_CACHE/$1.log
	if ! mirror=$(find_mirror "$1"); then
		echo "$1: no mirror has it"
		return 0
	fi
	echo "matrix: $1, see $log" >&2
	status=0
	{ make_root "$1" "$mirror" && prepare_root "$1" "$mirror" &&
		enter "$1" sh /matrix/tests/matrix/inside.sh "$MATRIX_MAKE"; } >"$log" 2>&1 || status=1
	results=$MATRIX_CACHE/$1/matrix/results
	if [ -d "$results" ]; then
		find "$results" -name '*.log' -exec awk -f "$srcdir/failures.awk" {} + >&2
		summary=$(find "$results" -name '*.trs' -exec cat {} + |
			awk -v status="$status" -f "$srcdir/summary.awk")
	else
		tail -n 20 "$log" >&2
		summary="0 passed, 1 failed, 0 skipped"
	fi
	rm -rf "$MATRIX_CACHE/$1/matrix"
	echo "$1: $summary"
	return "$status"
}

failed=0
for distribution in $MATRIX_DISTRIBUTIONS; do
	run "$distribution" || failed=1
done
exit "$failed"

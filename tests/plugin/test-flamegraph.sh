#!/bin/sh
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# The flame graph in a real browser: what it draws and how it answers.
: "${srcdir:=$(dirname "$0")/..}" "${top_builddir:=..}" "${CC:=cc}"
. "$srcdir/lib/tap.sh"
. "$srcdir/lib/graph.sh"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -z "$browser" ]; then
	tap_skip "the flame graph in a browser" "chromium is not installed"
	tap_done
	exit
fi
graph_setup

# make_page SCENARIO FILE: without a screen there may be no frames to draw in,
# so the page is given timers instead.
make_page()
{
	LD_PRELOAD=$graph_preload ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 \
		/usr/bin/python3 "$srcdir/plugin/annotated.py" "$1" format=flamegraph >"$2.full"
	sed '/^<script id="data"/i <script>requestAnimationFrame = draw => setTimeout(draw);</script>' \
		"$2.full" >"$2"
}

# browse ADDRESS: the document after its scripts have run.
browse()
{
	HOME=$tmp timeout 120 "$browser" --headless --no-sandbox --disable-gpu \
		--disable-background-networking --disable-dev-shm-usage \
		--user-data-dir="$tmp/profile" --window-size=1200,700 \
		--virtual-time-budget=5000 --dump-dom "$1" 2>"$tmp/browser-log"
}

# attribute NAME: of the body of $tmp/dom.
attribute()
{
	sed -n '/^<body/{s/.* '"$1"'="\([^"]*\)".*/\1/p;q}' "$tmp/dom"
}

make_page basic "$tmp/basic.html"
cat "$tmp/basic.html" "$srcdir/plugin/flamegraph-driver.html" >"$tmp/driven.html"
browse "file://$tmp/driven.html" >"$tmp/dom"
if [ "$(attribute test-done)" != yes ]; then
	tap_not_ok "the page runs" "$(grep '^<body' "$tmp/dom"; tail -n 20 "$tmp/browser-log")"
	tap_done
	exit
fi
tap_equal "no script fails" "$(attribute test-errors)" ""
tap_equal "a tooltip" "$(attribute test-tip)" \
	"work libw.so total 4 50.00 % 30.0 ms self 3 37.50 % 22.5 ms"
tap_equal "the frame below the mouse is marked" "$(attribute test-hover)" "0.25,0.50,4.00"
tap_equal "search counts what matches" "$(attribute test-matched)" "matched 62.50 %"
tap_equal "search highlights that and nothing else" "$(attribute test-highlighted)" \
	"true,false,true"
tap_equal "search by pattern" "$(attribute test-matched-pattern)" "matched 50.00 %"
tap_equal "search for what is no pattern" "$(attribute test-matched-text)" "matched 0.00 %"
tap_equal "search by binary" "$(attribute test-matched-binary)" "matched 62.50 %"
tap_equal "a click zooms" "$(attribute test-click)" \
	"work [libw.so]: total 4 (50.00 %), self 3 (37.50 %), about 30.0 ms — zoomed into work"
tap_equal "the address keeps the view" "$(attribute test-click-hash)" "#zoom=10&amp;search=libw.so"
tap_equal "search is of the view" "$(attribute test-matched-below)" "matched 100.00 %"
tap_equal "Backspace zooms out by one" "$(attribute test-backspace)" \
	"main [app]: total 6 (75.00 %), self 1 (12.50 %), about 45.0 ms — zoomed into main"
tap_equal "Escape resets" "$(attribute test-escape)" \
	"all: total 8 (100.00 %), self 0 (0.00 %), about 60.0 ms"
tap_equal "arrows go up along the largest" "$(attribute test-arrows)" \
	"main [app]: total 6 (75.00 %), self 1 (12.50 %), about 45.0 ms"
tap_equal "arrows go back" "$(attribute test-arrows-back)" \
	"_start [app]: total 6 (75.00 %), self 0 (0.00 %), about 45.0 ms"
tap_equal "Enter zooms" "$(attribute test-enter)" \
	"_start [app]: total 6 (75.00 %), self 0 (0.00 %), about 45.0 ms — zoomed into _start"
tap_equal "the button resets" "$(attribute test-reset)" \
	"all: total 8 (100.00 %), self 0 (0.00 %), about 60.0 ms"
tap_equal "the slash goes to the search" "$(attribute test-focus)" search
tap_equal "upside down" "$(attribute test-flip)" "#flip=1"
tap_equal "the browser's way back" "$(attribute test-history)" \
	"_start [app]: total 6 (75.00 %), self 0 (0.00 %), about 45.0 ms — zoomed into _start"

browse "file://$tmp/basic.html#zoom=10&search=work" >"$tmp/dom"
tap_equal "an address opens its view" \
	"$(attribute data-zoom) $(sed -n 's/.*<output id="matched"[^>]*>\([^<]*\)<.*/\1/p' "$tmp/dom")" \
	"10 matched 100.00 %"

make_page hostile "$tmp/hostile.html"
browse "file://$tmp/hostile.html" >"$tmp/dom"
tap_equal "hostile names are only text" \
	"$(attribute data-ready) $(grep -c '<script' "$tmp/dom") $(attribute data-drawn)" "yes 3 7"

make_page wide "$tmp/wide.html"
browse "file://$tmp/wide.html" >"$tmp/dom"
tap_equal "of many nodes the visible ones are drawn" \
	"$(attribute data-ready) $(attribute data-nodes) $(attribute data-drawn)" "yes 30001 1502"

tap_done

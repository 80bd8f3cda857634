# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# tests/failures.awk: of the logs of TAP tests, what failed and what the tests
# say about it, so that it stands at the end of a long output, where the readers
# of a continuous integration's log look first. A test which ended without its
# plan is shown by its last lines.
function flush_file(    i)
{
	if (name == "" || planned)
		return
	print name ": ended early, after"
	for (i = total > 8 ? total - 8 : 0; i < total; i++)
		print "    " substr(last[i % 8], 1, 300)
}

FNR == 1 {
	flush_file()
	name = FILENAME
	planned = shown = lines = total = 0
}
/^(not )?ok / { shown = 0 }
/^not ok / && !/# (TODO|SKIP)/ {
	print name ": " $0
	shown = 1
	lines = 0
}
/^#/ && shown && lines++ < 30 { print "    " substr($0, 1, 300) }
/^1\.\.[0-9]+/ || /^Bail out!/ { planned = 1 }
{ last[total++ % 8] = $0 }
END { flush_file() }

# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# text-to-c.awk: makes a C file with flamegraph.html as a string.
BEGIN {
	print "/* Generated from flamegraph.html by text-to-c.awk; do not edit. */"
	print "#include \"profile/flamegraph-template.h\"\n"
	print "const char codectl_flamegraph_template[] ="
}
{
	gsub(/\\/, "&&")
	gsub(/"/, "\\\"")
	print "\t\"" $0 "\\n\""
}
END {
	print "\t;"
}

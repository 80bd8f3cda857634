# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# tests/summary.awk: counts the results in the .trs files of automake's TAP
# driver and prints the closing line `N passed, N failed, N skipped`.
/^:test-result: *(PASS|XFAIL)/ { passed++ }
/^:test-result: *(FAIL|XPASS|ERROR)/ { failed++; if (!(FILENAME in named)) { named[FILENAME]; print "failed: " FILENAME } }
/^:test-result: *SKIP/ { skipped++ }
END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped }

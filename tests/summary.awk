# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# tests/summary.awk: counts the results in automake's .trs files and prints the
# closing line `N passed, N failed, N skipped`. A step outside of them that
# failed (-v status=1) shows as a failure too.
/^:test-result: *(PASS|XFAIL)/ { passed++ }
/^:test-result: *(FAIL|XPASS|ERROR)/ { failed++ }
/^:test-result: *SKIP/ { skipped++ }
END {
	if (status && !failed)
		failed = 1
	printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
}

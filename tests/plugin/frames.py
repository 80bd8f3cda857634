#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# frames.py FIELD…: of the output of sink.text.pretty on standard input, the frames that
# were added as these fields: for each array that is not
# empty a line with BIN|FUNC of each.
import re
import sys

FRAME = re.compile(r'\{ bin = "(.*?)", func = "(.*?)", src = "')
for line in sys.stdin:
    for field in sys.argv[1:]:
        start = line.find(f' {field} = [ [')
        if start < 0:
            continue
        array = line[start : line.find('} ]', start)]
        print(' '.join('|'.join(texts) for texts in FRAME.findall(array)))

#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# agrees.py THEIRS OURS: compares the debug_info of two outputs of sink.text.pretty
# for events of one trace. What they know we must say as well; prints what differs, then
# how many of our texts they have, and how many they do not.
import re
import sys

PATTERN = re.compile(r'debug_info = \{ bin = "(.*?)", func = "(.*?)", src = "(.*?)" \}')


def read(path):
    with open(path, encoding='utf-8') as stream:
        return [PATTERN.search(line).groups() for line in stream]


theirs, ours = read(sys.argv[1]), read(sys.argv[2])
same = more = 0
if len(theirs) != len(ours):
    print(f'{len(theirs)} events, and ours are {len(ours)}')
for their_texts, our_texts in zip(theirs, ours):
    for their_text, our_text in zip(their_texts, our_texts):
        if their_text and their_text != our_text:
            print(f'{their_texts} and ours {our_texts}')
            break
        same += bool(their_text)
        more += bool(our_text) and not their_text
print(f'same {same} more {more}')

#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
"""ctrl-c.py READY COMMAND…: runs the command on a terminal of its own and types
Ctrl-C when it has printed READY. Prints what it printed, then its exit status."""
import os
import pty
import signal
import sys


def main():
    ready = sys.argv[1].encode()
    pid, terminal = pty.fork()
    if pid == 0:
        # A shell's job in the background ignores it, and so would all that it runs.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.execvp(sys.argv[2], sys.argv[2:])
    output = b""
    has_typed = False
    while True:
        try:
            part = os.read(terminal, 4096)
        except OSError:
            break
        if not part:
            break
        output += part
        if not has_typed and ready in output:
            os.write(terminal, b"\x03")
            has_typed = True
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    print(output.decode(errors="replace").replace("\r\n", "\n"), end="")
    print("status", status)


main()

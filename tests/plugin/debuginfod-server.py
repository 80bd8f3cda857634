#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# debuginfod-server.py MODE [FILE]: a server on a free port of 127.0.0.1 that does
# not what it should. Prints the port; for each connection, one line.
#   hang   takes connections and never answers
#   drip   sends one byte of an endless file every half a second
#   file   answers everything with FILE and 200
#   none   knows nothing: 404
import http.server
import sys
import time


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        print(self.path, flush=True)
        mode = sys.argv[1]
        if mode == 'hang':
            time.sleep(3600)
        elif mode == 'none':
            self.send_error(404)
        else:
            self._send(mode)

    def _send(self, mode):
        if mode == 'file':
            with open(sys.argv[2], 'rb') as file:
                content = file.read()
        else:
            content = b'\x7fELF'
        self.send_response(200)
        self.send_header('Content-Length', str(len(content) if mode == 'file' else 1 << 30))
        self.end_headers()
        self.wfile.write(content)
        while mode == 'drip':
            time.sleep(0.5)
            self.wfile.write(b'x')

    def log_message(self, *arguments):
        pass


with http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler) as server:
    server.daemon_threads = True
    print(server.server_port, flush=True)
    server.serve_forever()

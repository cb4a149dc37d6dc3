#!/usr/bin/env bash
# Python's http.client: closing a response while another thread reads it waits for the next byte of the server, and then the reader
# gets an AttributeError, which is neither an OSError nor an HTTPException.
#
# A thread reads a stream that is idle, as an event stream is most of the time. The main thread calls `close()` on the response, as a
# program does that ends. The server says its next word 4 s later.
#   expected: `close()` returns at once, and the reader's `readline()` raises an OSError or returns b""
#   seen:     `close()` returns after 4 s, and `readline()` raises AttributeError: 'NoneType' object has no attribute 'close'
# Cause: the reader holds the lock of the BufferedReader, for which `close()` waits. `HTTPResponse.fp` is None when the reader
# goes on. Instead of closing, shut the socket down (`sock.shutdown(SHUT_RDWR)`), which wakes the reader.
# Seen with CPython 3.11.2.
#
# Exit 0: as described. 1: it behaves differently now. 2: this could not look.
set -uo pipefail
command -v python3 >/dev/null || { echo "needs python3"; exit 2; }
python3 - <<'PY'
import http.client
import socket
import sys
import threading
import time

SILENCE = 4.0
server = socket.create_server(("127.0.0.1", 0))


def serve():
    line, _ = server.accept()
    line.recv(65536)
    line.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\na: 1\n\r\n")
    time.sleep(SILENCE)
    line.close()


threading.Thread(target=serve, daemon=True).start()
asked = http.client.HTTPConnection("127.0.0.1", server.getsockname()[1], timeout=30)
asked.request("GET", "/")
answer = asked.getresponse()
if answer.readline() != b"a: 1\n":
    sys.exit(2)
seen = []


def read():
    try:
        seen.append(repr(answer.readline()))
    except Exception as error:
        seen.append(type(error).__name__)


reader = threading.Thread(target=read)
reader.start()
time.sleep(0.5)
begun = time.monotonic()
answer.close()
took = time.monotonic() - begun
reader.join(10)
print(f"python {sys.version.split()[0]}: close() took {took:.1f} s, and the reader got {seen[0] if seen else 'nothing'}")
sys.exit(0 if took > SILENCE / 2 and seen == ["AttributeError"] else 1)
PY

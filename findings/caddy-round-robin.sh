#!/usr/bin/env bash
# Caddy's `lb_policy round_robin` (2.6.2 of Debian bookworm) refuses requests while an upstream is healthy, if others come at the same time.
#
# Two upstreams; active health checks have found one of them not ready. 16,000 POSTs, 32 at a time.
#   expected: each goes to the upstream that is ready, as with `lb_policy random`
#   seen:     some are answered 503 at once, "no upstreams available" in the log. With `random`: none
# Cause: a request tries as many places of the round as there are upstreams, and the place is shared. Another request that comes in between
# makes it try the same upstream twice. A GET is tried again within lb_try_duration; a POST is not, in this version.
#
# Exit 0: as described. 1: it behaves differently now. 2: this could not look.
set -uo pipefail
command -v caddy >/dev/null && command -v python3 >/dev/null || { echo "needs caddy and python3"; exit 2; }
caddy version | grep -q '^v\?2\.6\.2' || { echo "this is about Caddy 2.6.2, not $(caddy version)"; exit 2; }
folder=$(mktemp -d)
pids=()
trap 'for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null; done; wait 2>/dev/null; rm -rf "$folder"' EXIT
cd "$folder" || exit 2
export HOME=$folder XDG_DATA_HOME=$folder XDG_CONFIG_HOME=$folder
cat >load.py <<'PY'
import http.client, http.server, socketserver, sys, threading, time

class Upstream(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def answer(self):
        self.rfile.read(int(self.headers.get('content-length') or 0))
        self.send_response(503 if self.path == '/ready' and not self.server.is_ready else 200)
        self.send_header('content-length', '0')
        self.end_headers()
    do_GET = do_POST = answer
    def log_message(self, *_): pass

class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 256

for port, is_ready in ((int(sys.argv[2]), True), (int(sys.argv[3]), False)):
    server = Server(('127.0.0.1', port), Upstream)
    server.is_ready = is_ready
    threading.Thread(target=server.serve_forever, daemon=True).start()
time.sleep(3)  # Caddy has looked by then.
seen = {}
def client():
    connection = http.client.HTTPConnection('127.0.0.1', int(sys.argv[1]))
    for _ in range(500):
        connection.request('POST', '/', b'x')
        answer = connection.getresponse()
        answer.read()
        seen[answer.status] = seen.get(answer.status, 0) + 1
threads = [threading.Thread(target=client) for _ in range(32)]
[each.start() for each in threads]
[each.join() for each in threads]
print(seen.get(503, 0), sum(seen.values()))
PY
refused() {
  read -r front one two < <(python3 -c 'import socket
all = [socket.create_server(("127.0.0.1", 0)) for _ in range(3)]
print(*[each.getsockname()[1] for each in all])')
  cat >Caddyfile <<CADDY
{
	admin off
	auto_https off
}
http://127.0.0.1:$front {
	bind 127.0.0.1
	reverse_proxy 127.0.0.1:$one 127.0.0.1:$two {
		lb_policy $1
		lb_try_duration 3s
		health_uri /ready
		health_interval 250ms
	}
}
CADDY
  caddy run --adapter caddyfile --config Caddyfile >"$1.log" 2>&1 &
  pids+=($!)
  timeout 60 python3 load.py "$front" "$one" "$two"
}
robin=$(refused round_robin)
random=$(refused random)
echo "refused, of all: round_robin ${robin:-nothing}, random ${random:-nothing}"
[ -n "$robin" ] && [ -n "$random" ] || exit 2
[ "${random%% *}" = 0 ] && [ "${robin%% *}" -gt 0 ]

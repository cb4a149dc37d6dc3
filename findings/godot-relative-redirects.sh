#!/usr/bin/env bash
# Godot 4.6.3 (Debian 4.6.3+ds-2) follows a redirect only to a whole URL or to a path that begins with a slash. `Location` may be any
# reference of RFC 3986, relative to the URL that was asked for (RFC 9110, 10.2.2).
#
# A server answers /start/KIND with 302 and four references to its own /start/end, which says `hello`, and HTTPRequest asks for each.
#   expected: result 0, status 200 and the body `hello`, four times
#   seen:     slash (`/start/end`) 0 200 hello. name (`end`) and query (`?end`) 4 0: RESULT_CONNECTION_ERROR, though the server has
#             answered and waits. network (`//HOST/start/end`) 0 404: the same server is asked for a path with that name, whatever HOST is
# Cause: whatever does not begin with "http" is taken for the next request's path, which HTTPClient refuses without a slash.
#
# Exit 0: as described. 1: it behaves differently now. 2: this could not look.
set -uo pipefail
godot=${GODOT_PATH:-$(command -v godot || echo "${MUSTER_ENGINES:-${TMPDIR:-/tmp}/muster-engines}/godot")}
case "$("$godot" --headless --version 2>/dev/null)" in
  *debian4.6.3+ds-2*) ;;
  *) echo "needs godot 4.6.3+ds-2 of Debian forky: npm run engines -- --fetch, or GODOT_PATH"; exit 2 ;;
esac
command -v node >/dev/null || { echo "needs node"; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 2
touch project.godot
cat >serve.mjs <<'JS'
import { createServer } from 'node:http';
const to = (host) => ({ slash: '/start/end', name: 'end', query: '?end', network: `//${host}/start/end` });
const server = createServer(({ url, headers }, answer) => {
  const kind = /^\/start\/(\w+)$/.exec(url)?.[1];
  if (url === '/start/end' || url === '/start/query?end') answer.end('hello');
  else if (kind) answer.writeHead(302, { location: to(headers.host)[kind] }).end();
  else answer.writeHead(404).end();
}).listen(0, '127.0.0.1', () => console.log(server.address().port));
JS
cat >look.gd <<'GD'
extends SceneTree

func _initialize() -> void:
	for kind: String in ["slash", "name", "query", "network"]:
		var http := HTTPRequest.new()
		http.timeout = 5.0
		root.add_child(http)
		await process_frame
		http.request("http://127.0.0.1:%s/start/%s" % [OS.get_cmdline_user_args()[0], kind])
		var answer: Array = await http.request_completed
		print("seen %s %d %d %s" % [kind, answer[0], answer[1], answer[3].get_string_from_utf8()])
	quit()
GD
node serve.mjs >port & server=$!
trap 'kill $server; rm -rf "$folder"' EXIT
until [ -s port ]; do sleep 0.1; done
timeout 60 "$godot" --headless --path . -s look.gd -- "$(cat port)" >out 2>&1
grep '^seen' out
grep -q '^seen slash 0 200 hello$' out && grep -q '^seen network' out || exit 2
grep -q '^seen name 4 0' out && grep -q '^seen query 4 0' out && grep -q '^seen network 0 404' out || exit 1
exit 0

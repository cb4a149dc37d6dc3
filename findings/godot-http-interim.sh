#!/usr/bin/env bash
# Godot 4.6.3 (Debian 4.6.3+ds-2) takes an interim answer for the answer: after `103 Early Hints`, HTTPRequest reports status 103 with
# result 0, and the answer that follows is lost. RFC 9110, 15.2: a client must be able to parse any 1xx before the final one.
# An answer without any header line (`HTTP/1.1 204 No Content` and an empty line, which RFC 9112, 2.1 allows) is no answer to it.
#
# A server answers three times: 200 with `hello`, 103 and then 200 with `hello`, and 204 without a header line.
#   expected: 0 200 hello, 0 200 hello, 0 204
#   seen:     0 200 hello, 0 103 and no body, 6 0 (RESULT_NO_RESPONSE)
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
import { createServer } from 'node:net';
const FINAL = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';
const ANSWERS = {
  final: FINAL,
  interim: `HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n${FINAL}`,
  bare: 'HTTP/1.1 204 No Content\r\n\r\n',
};
const server = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', (asked) => socket.end(ANSWERS[/^GET \/(\w+)/.exec(asked.toString())[1]]));
}).listen(0, '127.0.0.1', () => console.log(server.address().port));
JS
cat >look.gd <<'GD'
extends SceneTree

func _initialize() -> void:
	for kind: String in ["final", "interim", "bare"]:
		var http := HTTPRequest.new()
		http.timeout = 5.0
		root.add_child(http)
		await process_frame
		http.request("http://127.0.0.1:%s/%s" % [OS.get_cmdline_user_args()[0], kind])
		var answer: Array = await http.request_completed
		print("seen %s %d %d %s" % [kind, answer[0], answer[1], answer[3].get_string_from_utf8()])
	quit()
GD
node serve.mjs >port & server=$!
trap 'kill $server; rm -rf "$folder"' EXIT
until [ -s port ]; do sleep 0.1; done
timeout 60 "$godot" --headless --path . -s look.gd -- "$(cat port)" >out 2>&1
grep '^seen' out
grep -q '^seen final 0 200 hello$' out && grep -q '^seen bare' out || exit 2
grep -q '^seen interim 0 103' out && grep -q '^seen bare 6 0' out || exit 1
exit 0

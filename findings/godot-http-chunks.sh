#!/usr/bin/env bash
# Godot 4.6.3 (Debian 4.6.3+ds-2) cannot read two kinds of answers that RFC 9112 has every client read: chunks with an extension, and
# chunks that are announced as `Transfer-Encoding: Chunked` with a capital letter (names of codings are case-insensitive, 7; a recipient
# must ignore chunk extensions that it does not know, 7.1.1).
#
# A server answers `hello` to HTTPRequest three times: in plain chunks, in chunks with the extension `;a=b`, and with the capital letter.
#   expected: result 0, status 200 and the body `hello`, three times
#   seen:     plain 0 200 hello. extension 4 0 and no body ("HTTP Chunk len not in hex!!"). capital 0 200 and an empty body: a success
#             whose body is lost
# Cause: HTTPClientTCP takes all of the line before CRLF for the length, and compares the header's value with "chunked".
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
const HEAD = { plain: 'chunked', extension: 'chunked', capital: 'Chunked' };
const server = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', (asked) => {
    const kind = /^GET \/(\w+)/.exec(asked.toString())[1];
    const length = kind === 'extension' ? '5;a=b' : '5';
    socket.end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: ${HEAD[kind]}\r\n\r\n${length}\r\nhello\r\n0\r\n\r\n`);
  });
}).listen(0, '127.0.0.1', () => console.log(server.address().port));
JS
cat >look.gd <<'GD'
extends SceneTree

func _initialize() -> void:
	for kind: String in ["plain", "extension", "capital"]:
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
grep -q '^seen plain 0 200 hello$' out && grep -q '^seen capital' out || exit 2
grep -q '^seen extension 0 200 hello$' out && exit 1
grep -q '^seen capital 0 200 hello$' out && exit 1
exit 0

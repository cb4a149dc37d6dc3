#!/usr/bin/env bash
# In Godot 4.6.3 (Debian 4.6.3+ds-2) a function of a freed node that waits in `await` never ends, and keeps what its variables hold until
# the game exits: a RefCounted in a local lives on, and with it a TCP connection. Nothing is printed meanwhile.
#
# A node opens a connection in a local StreamPeerTCP, waits for a signal of its own that never comes, and is freed.
#   expected: the connection closes, as the local is gone with the node
#   seen:     five seconds later it is still open. With the connection in a member of the node it closes at once
# A node that follows a server so stays online for ever after a change of the scene.
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
const server = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', (name) => socket.once('close', () => console.log(`closed ${name}`)));
  socket.resume();
}).listen(0, '127.0.0.1', () => console.log(server.address().port));
JS
cat >holder.gd <<'GD'
extends Node

signal never
var member: StreamPeerTCP
var has_connected := false

func hold(kind: String, port: int) -> void:
	var peer := StreamPeerTCP.new()
	peer.connect_to_host("127.0.0.1", port)
	while peer.get_status() == StreamPeerTCP.STATUS_CONNECTING:
		peer.poll()
		await get_tree().process_frame
	peer.put_data(kind.to_utf8_buffer())
	has_connected = true
	if kind == "member":
		member = peer
		peer = null
	await never
GD
cat >look.gd <<'GD'
extends SceneTree

func _initialize() -> void:
	await process_frame
	for kind: String in ["member", "local"]:
		var node: Node = load("res://holder.gd").new()
		root.add_child(node)
		node.hold(kind, int(OS.get_cmdline_user_args()[0]))
		while not node.has_connected:
			await process_frame
		await create_timer(0.5).timeout
		node.queue_free()
	await create_timer(5.0).timeout
	print("seen the end")
	# The connections close with the game, which the server must not take for more.
	OS.kill(OS.get_process_id())
GD
node serve.mjs >said & server=$!
trap 'kill $server; rm -rf "$folder"' EXIT
until [ -s said ]; do sleep 0.1; done
(timeout 60 "$godot" --headless --path . -s look.gd -- "$(head -n 1 said)" 2>&1; echo over >>said) | grep --line-buffered '^seen' | while read -r _; do cp said before; done
[ -f before ] || exit 2
grep '^closed' before
grep -q '^closed member' before || exit 2
grep -q '^closed local' before && exit 1
echo "closed after five seconds: the one in a member alone"

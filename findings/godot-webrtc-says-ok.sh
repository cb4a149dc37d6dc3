#!/usr/bin/env bash
# WebRTCPeerConnection of Godot 4.6.3 (Debian 4.6.3+ds-2) says OK (0) to everything where there is no WebRTC at all: outside of browsers, without
# the extension webrtc-native. A game that asks the answers cannot tell that it will never connect, and shows players a wait without end.
#
# initialize({}) and create_offer() are called, and the answers printed.
#   expected: an error, such as ERR_UNAVAILABLE
#   seen:     0 and 0, a warning "No default WebRTC extension configured." and an error line for each call that nothing overrides it
# Cause: WebRTCPeerConnection.new() makes a WebRTCPeerConnectionExtension, whose missing virtual methods answer 0.
#
# Exit 0: as described. 1: it behaves differently now. 2: this could not look.
set -uo pipefail
godot=${GODOT_PATH:-$(command -v godot || echo "${MUSTER_ENGINES:-${TMPDIR:-/tmp}/muster-engines}/godot")}
case "$("$godot" --headless --version 2>/dev/null)" in
  *debian4.6.3+ds-2*) ;;
  *) echo "needs godot 4.6.3+ds-2 of Debian forky: npm run engines -- --fetch, or GODOT_PATH"; exit 2 ;;
esac
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 2
touch project.godot
cat >look.gd <<'GD'
extends SceneTree

func _initialize() -> void:
	var connection := WebRTCPeerConnection.new()
	print("seen %d %d" % [connection.initialize({}), connection.create_offer()])
	quit()
GD
timeout 60 "$godot" --headless --path . -s look.gd >out 2>&1
grep -E '^(seen|WARNING|ERROR)' out
grep -q '^seen' out || exit 2
grep -q '^seen 0 0$' out || exit 1
exit 0

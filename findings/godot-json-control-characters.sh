#!/usr/bin/env bash
# JSON.stringify of Godot 4.6.3 (Debian 4.6.3+ds-2) writes texts that are no JSON: control characters (U+0001 to U+001F) as they are, and
# a vertical tab as `\v`. RFC 8259, 7 has them escaped, as \u000b. Its own parser reads the first and refuses the second.
#
# A text with U+0007 and one with U+000B are written, and read by JSON.parse_string and by Python.
#   expected: both are read as they were, by both
#   seen:     Godot reads the first; of the second it says "Invalid escape sequence". Python: "Invalid control character", "Invalid \escape"
# Such a text needs no odd keyboard: it comes with a paste.
#
# Exit 0: as described. 1: it behaves differently now. 2: this could not look.
set -uo pipefail
godot=${GODOT_PATH:-$(command -v godot || echo "${MUSTER_ENGINES:-${TMPDIR:-/tmp}/muster-engines}/godot")}
case "$("$godot" --headless --version 2>/dev/null)" in
  *debian4.6.3+ds-2*) ;;
  *) echo "needs godot 4.6.3+ds-2 of Debian forky: npm run engines -- --fetch, or GODOT_PATH"; exit 2 ;;
esac
command -v python3 >/dev/null || { echo "needs python3"; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 2
touch project.godot
cat >look.gd <<'GD'
extends SceneTree

func _initialize() -> void:
	for code: int in [65, 7, 11]:
		var json := JSON.stringify("x" + String.chr(code))
		var is_same: bool = JSON.parse_string(json) == "x" + String.chr(code)
		print("seen %s %s" % [is_same, json.to_utf8_buffer().hex_encode()])
	quit()
GD
timeout 60 "$godot" --headless --path . -s look.gd >out 2>&1
grep '^seen' out >seen || exit 2
[ "$(wc -l <seen)" = 3 ] || exit 2
python3 - <<'PY'
import json
read = []
for line in open("seen"):
    text = bytes.fromhex(line.split()[2]).decode()
    try:
        read.append(json.loads(text))
        print(repr(text), "is read by Python; by Godot:", line.split()[1])
    except ValueError as error:
        read.append(None)
        print(repr(text), error, "by Godot:", line.split()[1])
raise SystemExit(2 if read[0] != "xA" else 0 if read[1:] == [None, None] else 1)
PY

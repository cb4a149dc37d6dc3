class_name MusterMatch
extends RefCounted
## A match as MusterPlayer.play returns it: where to connect, and when it is over.

## The game is over for this player: "ended", "server_crashed", or why the lobby is over (left, kicked, deleted, ...).
signal ended(reason: String)

## Why there is no match: timeout, declined, MODE_NOT_FOUND, ... Empty: there is one.
var error := ""
var host := ""
var port := 0
## The player's seat ticket: the first thing to send to the game server, which knows the player by it.
var ticket := ""
## Index of the player's team; -1 without one.
var team := -1
var instance_id := ""
## Why it is over; empty while it runs.
var ended_because := ""


static func none(reason: String) -> MusterMatch:
	var found := MusterMatch.new()
	found.error = reason
	return found


## Null unless the lobby is in a game whose server runs. Of a game that a player hosts, `host` is that player and `port` 0.
static func of(lobby: MusterApi.Lobby) -> MusterMatch:
	var server := lobby.server if lobby != null and lobby.status == "in_game" else null
	var address := server.network_ports[0] if server != null and not server.network_ports.is_empty() else null
	if server == null or server.status != "running" or not (address != null or server.host_player):
		return null
	var found := MusterMatch.new()
	found.host = address.host if address != null else server.host_player
	found.port = address.external_port if address != null else 0
	found.instance_id = server.instance_id
	found.ticket = server.ticket
	var claims: Variant = _claims(server.ticket)
	if claims is Dictionary and claims.get("team") != null:
		found.team = int(claims.team)
	return found


## Returns at once if it is over already: an await on the signal alone would not.
func until_ended() -> String:
	return ended_because if ended_because != "" else await ended


func end(reason: String) -> void:
	if ended_because == "":
		ended_because = reason
		ended.emit(reason)


## What the own ticket says; the game server verifies it, the player does not.
static func _claims(from: String) -> Variant:
	var text := from.get_slice(".", 1).replace("-", "+").replace("_", "/")
	text += "=".repeat(posmod(-text.length(), 4))
	var json := JSON.new()
	return json.data if json.parse(Marshalls.base64_to_utf8(text)) == OK else null

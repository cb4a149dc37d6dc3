extends Node
## A dedicated game server for Godot 4, such as an export for Linux that Muster starts with `--headless`.
## It reads its match, lets players in by their seat tickets, and reports the result.
## Put it, with this name and path, in the scene of the server and in that of the players: calls find it by its path.

## Of each peer that was let in: player, team, role, and so on, as Muster answers them.
var seats := {}

## `muster.json`: who plays is in `custom_data`.
var _told := {}


func _ready() -> void:
	var path := OS.get_environment("MUSTER_CONFIG")
	if path == "":
		# The game of a player has this node only to call it on the server.
		return
	_told = JSON.parse_string(FileAccess.get_file_as_string(path))
	print("players: ", _told.custom_data.get("all_players", []))
	var peer := ENetMultiplayerPeer.new()
	peer.create_server(OS.get_environment("MUSTER_PORT").to_int())
	multiplayer.multiplayer_peer = peer
	multiplayer.peer_disconnected.connect(func(id: int) -> void: seats.erase(id))


## Called by players, on the server: `show_ticket.rpc_id(1, muster.ticket())`. GDScript has no Ed25519,
## so Muster says what the ticket is worth.
@rpc("any_peer", "call_remote", "reliable")
func show_ticket(ticket: String) -> void:
	var id := multiplayer.get_remote_sender_id()
	var answer := await _post(_told.report_url.trim_suffix("status") + "seats", {"ticket": ticket})
	var is_direct: bool = answer.ok and answer.body.match == null
	if answer.ok and (is_direct or answer.body.team != null):
		seats[id] = answer.body
	else:
		multiplayer.multiplayer_peer.disconnect_peer(id)


## Teams by their index in the match: [{"team": 0, "score": 13}, {"team": 1, "score": 7}]. Tried again
## while Muster is away: the same result again changes nothing.
func report_result(teams: Array) -> bool:
	for attempt in 20:
		var answer := await _post(_told.result_url, {"teams": teams})
		if answer.ok or (answer.status >= 400 and answer.status < 500 and answer.status not in [408, 429]):
			return answer.ok
		await get_tree().create_timer(attempt + 1.0).timeout
	return false


## {ok, status, body}; status 0: no answer came.
func _post(url: String, body: Dictionary) -> Dictionary:
	var http := HTTPRequest.new()
	http.timeout = 15.0
	add_child(http)
	var headers := ["Content-Type: application/json", "Authorization: Bearer " + _told.token]
	var failed := {"ok": false, "status": 0, "body": {}}
	if http.request(url, headers, HTTPClient.METHOD_POST, JSON.stringify(body)) != OK:
		http.queue_free()
		return failed
	# result, response code, headers, body
	var answer: Array = await http.request_completed
	http.queue_free()
	if answer[0] != HTTPRequest.RESULT_SUCCESS:
		return failed
	var bytes: PackedByteArray = answer[3]
	var told: Variant = JSON.parse_string(bytes.get_string_from_utf8())
	return {"ok": answer[1] == 200, "status": answer[1], "body": told if told is Dictionary else {}}

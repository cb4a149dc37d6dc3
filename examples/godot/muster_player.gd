class_name MusterPlayer
extends Node
## One player of a Muster service, from Godot 4: its lobby, its calls, its event stream.
## Calls go by HTTPRequest, the stream by HTTPClient in [MusterEvents]; see README.md beside this file.
## What must hold: the lobby shown is the newest that was told, by its revision.

## The lobby has changed; null: the player is in none.
signal lobby_changed(lobby: Variant)
## How many search, and how long: playersSearching, lobbiesInQueue, avgWaitSeconds.
signal queue_changed(stats: Dictionary)
## A search is over without a game: timeout, declined, launch_failed, ...
signal search_ended(reason: String)
## The game server runs: connect to it. Told once a server.
signal game_ready(host: String, port: int)
## Another player of the lobby or match has sent this by send_signal.
signal signal_heard(from: String, data: Variant)
## Signals to this player may be lost: begin anew what they were for.
signal signals_lost
## The lobby is over for this player: left, deleted, kicked, replaced, gone, refused.
signal closed(reason: String)

const POLL_SECONDS := 3.0
const HEARTBEAT_SECONDS := 10.0
const RETRY_STREAM_SECONDS := 300.0
## So many streams in a row without an event, and polling takes over.
const MUTE_STREAMS := 2

@export var base_url := "http://127.0.0.1:8787"
## The client key: a game never holds the server key.
@export var api_key := "client_dev_key"
@export var config := "arena"
## Whoever says it is this player is believed, unless the project wants player tokens.
@export var player_id := "ann"
@export var player_token := ""

## Fetches a player token from your backend and returns it, for projects that want one. Called when
## the service asks for a token, and when the one it has is over.
var refresh_token := Callable()

## As last told, a Dictionary; null while the player is in no lobby.
var lobby: Variant = null

var _last_id := ""
var _connected_to := ""
var _over := ""
var _follows := false


func create_lobby(lobby_name: String, max_players: int, state: Dictionary) -> Dictionary:
	return await _enter(
		HTTPClient.METHOD_POST, "", {"name": lobby_name, "maxPlayers": max_players, "state": state}
	)


func join_lobby(code: String, state: Dictionary) -> Dictionary:
	return await _enter(HTTPClient.METHOD_POST, "/join", {"code": code, "state": state})


## Goes on where the player was: after a restart of the game, say.
func resume() -> Dictionary:
	return await _enter(HTTPClient.METHOD_GET, "/me")


func set_state(state: Dictionary) -> Dictionary:
	return await _call(HTTPClient.METHOD_PATCH, "/me", {"state": state})


func start_matchmaking(mode: String) -> Dictionary:
	return await _call(HTTPClient.METHOD_POST, "/me/matchmaking", {"mode": mode})


func cancel_matchmaking() -> Dictionary:
	return await _call(HTTPClient.METHOD_DELETE, "/me/matchmaking")


func confirm_match() -> Dictionary:
	return await _call(HTTPClient.METHOD_POST, "/me/confirm-match")


func decline_match() -> Dictionary:
	return await _call(HTTPClient.METHOD_DELETE, "/me/confirm-match")


## To a player of the lobby or match, or to "all" of them: up to 4 KiB, kept for nobody.
func send_signal(to: String, data: Variant) -> bool:
	var body := {"to": to, "data": data}
	return (await _ask(HTTPClient.METHOD_POST, "/me/signals", body)).ok


func start_game() -> Dictionary:
	return await _call(HTTPClient.METHOD_POST, "/me/start")


func end_match() -> Dictionary:
	return await _call(HTTPClient.METHOD_POST, "/me/end-match")


func leave_lobby() -> Dictionary:
	var answer := await _ask(HTTPClient.METHOD_DELETE, "/me")
	if answer.ok:
		_over = "left"
	return answer


## Where to connect, once the game server runs: {host, port}; empty before.
func address() -> Dictionary:
	if lobby == null or lobby.status != "in_game" or lobby.server == null:
		return {}
	if lobby.server.status != "running" or lobby.server.network_ports.is_empty():
		return {}
	var port: Dictionary = lobby.server.network_ports[0]
	return {"host": port.host, "port": int(port.external_port)}


## The player's seat ticket: the first thing to send to the game server, which knows the player by it.
func ticket() -> String:
	if address().is_empty():
		return ""
	var given: Variant = lobby.server.get("ticket")
	return given if given is String else ""


func is_in(told: Dictionary) -> bool:
	return told.players.any(func(player: Dictionary) -> bool: return player.id == player_id)


## Makes the call, and follows the lobby that it leads to.
func _enter(method: HTTPClient.Method, path: String, body: Variant = null) -> Dictionary:
	_over = ""
	if not _follows:
		_follow()
	return await _call(method, path, body)


func _call(method: HTTPClient.Method, path: String, body: Variant = null) -> Dictionary:
	var answer := await _ask(method, path, body)
	if answer.ok:
		_show(answer.body)
	return answer


func _path() -> String:
	return "/v3/lobbies/" + config.uri_encode()


func _headers() -> PackedStringArray:
	# Percent-encoded (RFC 8187): a header carries no more than ASCII everywhere.
	var id := "utf-8''" + player_id.uri_encode()
	var headers := PackedStringArray(["api-key: " + api_key, "x-player-id: " + id])
	if player_token != "":
		headers.append("x-player-token: " + player_token)
	return headers


## {ok, status, code, body}: `code` is why the service refused, or NETWORK where it did not answer.
func _ask(method: HTTPClient.Method, path: String, body: Variant = null) -> Dictionary:
	var answer := await _ask_once(method, path, body)
	if answer.code.begins_with("PLAYER_TOKEN") and refresh_token.is_valid():
		player_token = await refresh_token.call()
		return await _ask_once(method, path, body)
	return answer


func _ask_once(method: HTTPClient.Method, path: String, body: Variant = null) -> Dictionary:
	var http := HTTPRequest.new()
	http.timeout = 30.0
	add_child(http)
	var headers := _headers()
	var text := ""
	if body != null:
		headers.append("Content-Type: application/json")
		text = JSON.stringify(body)
	var failed := {"ok": false, "status": 0, "code": "NETWORK", "body": {}}
	if http.request(base_url + _path() + path, headers, method, text) != OK:
		http.queue_free()
		return failed
	# result, response code, headers, body
	var answer: Array = await http.request_completed
	http.queue_free()
	if answer[0] != HTTPRequest.RESULT_SUCCESS:
		return failed
	var bytes: PackedByteArray = answer[3]
	var told: Variant = JSON.parse_string(bytes.get_string_from_utf8())
	if not told is Dictionary:
		return failed
	var is_ok: bool = answer[1] >= 200 and answer[1] < 300
	var code: String = "" if is_ok else told.get("code", "")
	return {"ok": is_ok, "status": answer[1], "code": code, "body": told}


## Keeps a stream open until the lobby is over, and asks every few seconds where none gets through.
func _follow() -> void:
	_follows = true
	var failures := 0
	var mute := 0
	var was_refused := false
	while _over == "" and is_inside_tree():
		if mute >= MUTE_STREAMS:
			await _poll()
			mute = 0
			continue
		var headers := _headers()
		if _last_id != "":
			headers.append("Last-Event-ID: " + _last_id)
		var events := MusterEvents.new()
		events.event.connect(_take)
		var begun := Time.get_ticks_msec()
		events.open(base_url, _path() + "/me/events", headers)
		while _over == "" and is_inside_tree() and events.poll():
			await get_tree().process_frame
		events.close()
		if not is_inside_tree():
			break
		var is_refused := events.status == 401 and refresh_token.is_valid()
		var wants_token := events.is_token_over or (is_refused and not was_refused)
		was_refused = is_refused
		if _over == "" and wants_token and refresh_token.is_valid():
			player_token = await refresh_token.call()
		elif _over == "" and not wants_token and events.status in [400, 401, 403]:
			_over = "refused"
		mute = 0 if events.is_open else mute + (1 if events.status > 0 else 0)
		var was_steady := events.is_open and Time.get_ticks_msec() - begun > 10_000
		failures = 1 if was_steady else failures + 1
		if _over == "":
			var most := minf(30.0, 0.5 * pow(2.0, failures - 1))
			await get_tree().create_timer(randf_range(0.0, most)).timeout
	_follows = false
	_show_none()
	closed.emit(_over)


func _poll() -> void:
	var until := Time.get_ticks_msec() + RETRY_STREAM_SECONDS * 1000.0
	var beat_at := 0.0
	while _over == "" and is_inside_tree() and Time.get_ticks_msec() < until:
		var answer := await _ask(HTTPClient.METHOD_GET, "/me")
		if answer.ok:
			_show(answer.body)
		elif answer.status == 404 and lobby != null:
			_over = "gone"
		if lobby != null and Time.get_ticks_msec() >= beat_at:
			beat_at = Time.get_ticks_msec() + HEARTBEAT_SECONDS * 1000.0
			await _ask(HTTPClient.METHOD_POST, "/me/heartbeat")
		if is_inside_tree():
			await get_tree().create_timer(POLL_SECONDS).timeout


func _take(event_name: String, id: String, data: Variant) -> void:
	match event_name:
		"connected":
			_last_id = "" if data == null else id
			if data == null:
				_show_none()
			else:
				_show(data)
		"lobby_updated":
			_last_id = id
			_show(data)
			if lobby != null and not is_in(lobby):
				_over = "kicked"
		"queue_stats":
			queue_changed.emit(data)
		"matchmaking_timeout":
			search_ended.emit(data.reason)
		"signal":
			signal_heard.emit(data.from, data.data)
		"signals_lost":
			signals_lost.emit()
		"lobby_deleted":
			_over = "deleted"
		"replaced":
			_over = "replaced"


func _show(told: Dictionary) -> void:
	var is_known: bool = lobby != null and lobby.id == told.id
	if is_known and told.revision <= lobby.revision:
		return
	if not is_known and not is_in(told):
		return
	lobby = told
	lobby_changed.emit(lobby)
	var where := address()
	if is_in(told) and not where.is_empty() and _connected_to != told.server.instance_id:
		_connected_to = told.server.instance_id
		game_ready.emit(where.host, where.port)


func _show_none() -> void:
	_last_id = ""
	if lobby != null:
		lobby = null
		lobby_changed.emit(null)

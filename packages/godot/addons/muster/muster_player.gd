class_name MusterPlayer
extends MusterHttp
## One player of a Muster service: its lobby, its calls, its event stream. The autoload Muster is one.
## What must hold: [member lobby] is the newest that was told, by its revision, until it is over for the player.

## The lobby has changed; null: the player is in none.
signal lobby_changed(lobby: Variant)
## How many search, and how long: playersSearching, lobbiesInQueue, avgWaitSeconds, wait.
signal queue_changed(stats: Dictionary)
## A search is over without a game: timeout, declined, launch_failed, ... The lobby was told before.
signal search_ended(reason: String)
## The game server runs: connect to it. Told once a server.
signal game_ready(game: MusterMatch)
## Another player of the lobby or match has sent this by send_signal.
signal signal_heard(from: String, data: Variant)
## Signals to this player may be lost: begin anew what they were for.
signal signals_lost
## The lobby is over for this player: left, deleted, kicked, replaced, gone, refused.
signal closed(reason: String)
## Something of the above, or the node has left the tree.
signal news

const SEARCHING: Array[String] = ["in_queue", "match_found", "matched", "starting"]

@export var base_url: String = ProjectSettings.get_setting("muster/url", "http://127.0.0.1:8787")
## The client key: a game never holds the server key.
@export var api_key: String = ProjectSettings.get_setting("muster/client_key", "client_dev_key")
@export var config: String = ProjectSettings.get_setting("muster/config", "arena")
## Whoever says it is this player is believed, unless the project wants player tokens.
@export var player_id := "player-%d" % randi()
@export var player_token := ""
## Whether [method play] accepts every match; otherwise call confirm_match or decline_match.
@export var accepts_matches := true

@export_group("Seconds")
@export var connect_seconds := 10.0
@export var silence_seconds := 45.0
@export var poll_seconds := 3.0
@export var heartbeat_seconds := 10.0
## While polling: how long until a stream is tried again.
@export var retry_stream_seconds := 60.0

## Fetches a player token from your backend and returns it, for projects that want one. Called when
## the service asks for a token, and when the one it has is over.
var refresh_token := Callable()
## As last told, a Dictionary; null while the player is in no lobby.
var lobby: Variant = null
## Null: nobody follows the lobby.
var follower: MusterFollower = null

var _over := ""
var _game: MusterMatch = null
var _answered_at := 0
var _leaving := false
var _end_reason := ""


func _init() -> void:
	# A game that pauses its tree is still there.
	process_mode = Node.PROCESS_MODE_ALWAYS


## Searches, and returns when the game server runs. A player in no lobby gets one of their own. Only the host searches;
## the others of the lobby call it too, and get the same match.
func play(mode: String, state := {}) -> MusterMatch:
	var known: Variant = await follow()
	if known == null:
		var made := await create_lobby(player_id.left(100), {"state": state, "isPrivate": true})
		if not made.ok:
			return MusterMatch.none(made.code)
	if lobby != null and lobby.status == "waiting" and lobby.host == player_id:
		var begun := await start_matchmaking(mode)
		if not begun.ok:
			return MusterMatch.none(begun.code)
		return await wait_for_match(true)
	return await wait_for_match()


## Returns when the game server runs, or when a search has ended.
func wait_for_match(searched := false) -> MusterMatch:
	var answered := ""
	while follower != null and is_here and lobby != null:
		if _game != null:
			return _game
		if lobby.status == "waiting" and searched:
			return MusterMatch.none(_end_reason)
		searched = searched or lobby.status in SEARCHING
		var asked: Dictionary = {}
		if lobby.matchmaking != null:
			asked = lobby.matchmaking.get("confirmation", {})
		if accepts_matches and not asked.get("confirmed", true) and asked.deadline != answered:
			if not (await confirm_match()).may_pass():
				answered = asked.deadline
		else:
			await news
	return MusterMatch.none(_over if _over != "" else "closed")


## Follows the player's lobby from now on, by the signals of this node; returns it, or null without one.
func follow() -> Variant:
	_begin()
	while follower != null and not follower.has_heard and is_here:
		await news
	return lobby


## The player's lobbies in all configs: {id, config, status, mode} each. Not a sign of life.
func where_am_i() -> Array:
	var answer := await ask_service(HTTPClient.METHOD_GET, "/v3/me")
	return answer.body.lobbies if answer.ok else []


## Joins the fullest public lobby whose settings fit, or creates one: `create` has its name, maxPlayers, ...
func quick_join(where: Dictionary, create: Dictionary, state := {}) -> MusterAnswer:
	return await _enter("/quick-join", {"where": where, "create": create, "state": state})


func leave() -> MusterAnswer:
	# The service may say that the lobby is deleted before it answers.
	_leaving = true
	var answer := await _ask_lobby(HTTPClient.METHOD_DELETE, "/me")
	_leaving = false
	if answer.ok or answer.code == "LOBBY_NOT_FOUND":
		close("left")
	elif _over != "":
		close(_over)
	return answer


## `options`: maxPlayers, isPrivate, region, settings, state, forceFresh, ...
func create_lobby(lobby_name: String, options := {}) -> MusterAnswer:
	return await _enter("", {"name": lobby_name}.merged(options))


func join_lobby(code: String, state := {}) -> MusterAnswer:
	return await _enter("/join", {"code": code, "state": state})


## Merges: what is not named stays, null removes.
func set_state(state: Dictionary) -> MusterAnswer:
	return await _call(HTTPClient.METHOD_PATCH, "/me", {"state": state})


func start_matchmaking(mode: String) -> MusterAnswer:
	return await _call(HTTPClient.METHOD_POST, "/me/matchmaking", {"mode": mode})


func cancel_matchmaking() -> MusterAnswer:
	return await _call(HTTPClient.METHOD_DELETE, "/me/matchmaking")


func confirm_match() -> MusterAnswer:
	return await _call(HTTPClient.METHOD_POST, "/me/confirm-match")


func decline_match() -> MusterAnswer:
	return await _call(HTTPClient.METHOD_DELETE, "/me/confirm-match")


## To a player of the lobby or match, or to "all" of them: up to 4 KiB, kept for nobody.
func send_signal(to: String, data: Variant) -> MusterAnswer:
	return await _ask_lobby(HTTPClient.METHOD_POST, "/me/signals", {"to": to, "data": data})


func start_game() -> MusterAnswer:
	return await _call(HTTPClient.METHOD_POST, "/me/start")


func end_match() -> MusterAnswer:
	return await _call(HTTPClient.METHOD_POST, "/me/end-match")


## Connects Godot's multiplayer to a server that listens by MusterServer.listen, with the player's seat ticket.
func connect_to(game: MusterMatch) -> Error:
	var peer := ENetMultiplayerPeer.new()
	var error := peer.create_client(game.host, game.port)
	if error != OK:
		return error
	var api: SceneMultiplayer = multiplayer
	api.auth_callback = func(_id: int, _data: PackedByteArray) -> void: pass
	var show_ticket := func(id: int) -> void:
		api.send_auth(id, game.ticket.to_ascii_buffer())
		api.complete_auth(id)
	for former in api.peer_authenticating.get_connections():
		api.peer_authenticating.disconnect(former.callable)
	api.peer_authenticating.connect(show_ticket)
	api.multiplayer_peer = peer
	return OK


func is_in(told: Dictionary) -> bool:
	return told.players.any(func(player: Dictionary) -> bool: return player.id == player_id)


func _begin() -> void:
	if follower == null:
		follower = MusterFollower.new(self)
		_over = ""


func _enter(path: String, body: Dictionary) -> MusterAnswer:
	_begin()
	return await _call(HTTPClient.METHOD_POST, path, body)


func _call(method: HTTPClient.Method, path: String, body: Variant = null) -> MusterAnswer:
	var answer := await _ask_lobby(method, path, body)
	if answer.ok and answer.body is Dictionary:
		_answered_at = Time.get_ticks_msec()
		show(answer.body)
	return answer


func _ask_lobby(method: HTTPClient.Method, path: String, body: Variant = null) -> MusterAnswer:
	return await ask_service(method, "/v3/lobbies/" + config.uri_encode() + path, body)


func ask_service(method: HTTPClient.Method, path: String, body: Variant = null) -> MusterAnswer:
	var answer := await ask(method, base_url + path, headers(), body)
	if answer.code.begins_with("PLAYER_TOKEN") and refresh_token.is_valid():
		await renew_token()
		return await ask(method, base_url + path, headers(), body)
	return answer


func renew_token() -> void:
	if refresh_token.is_valid():
		player_token = await refresh_token.call()


func headers() -> PackedStringArray:
	# Percent-encoded (RFC 8187): a header carries no more than ASCII everywhere.
	var id := "utf-8''" + player_id.uri_encode()
	var headers := PackedStringArray(["api-key: " + api_key, "x-player-id: " + id])
	if player_token != "":
		headers.append("x-player-token: " + player_token)
	return headers


func _process(_delta: float) -> void:
	if follower != null:
		follower.step()


func _exit_tree() -> void:
	super()
	if follower != null:
		follower.stop()
	_end_game("closed")
	news.emit()


## For the follower: what a stream shows.
func see(told: Variant) -> void:
	if told != null:
		show(told)
		if lobby != null and lobby.id == told.id and not is_in(told):
			close("kicked")
	elif lobby != null and _answered_at < follower.opened_at:
		close("gone")


## For the follower: what else a stream tells.
func take(event_name: String, data: Variant) -> void:
	match event_name:
		"queue_stats":
			queue_changed.emit(data)
		"matchmaking_timeout":
			_end_reason = data.reason
		"signal":
			signal_heard.emit(data.from, data.data)
		"signals_lost":
			signals_lost.emit()
		"lobby_deleted":
			close("deleted")
		"replaced":
			close("replaced")


func show(told: Dictionary) -> void:
	var is_known: bool = lobby != null and lobby.id == told.id
	var is_old: bool = is_known and told.revision <= lobby.revision
	if follower == null or is_old or not (is_known or is_in(told)):
		return
	var was_searching: bool = is_known and lobby.status in SEARCHING
	var returned: Variant = told.get("returned")
	lobby = told
	lobby_changed.emit(lobby)
	_tell_game("ended" if returned == null else returned.reason)
	if was_searching and told.status == "waiting":
		_end_reason = _end_reason if returned == null else returned.reason
		search_ended.emit(_end_reason)
	elif told.status in SEARCHING and not was_searching:
		_end_reason = "cancelled"
	news.emit()


func _tell_game(reason: String) -> void:
	var found := MusterMatch.of(lobby) if lobby != null and is_in(lobby) else null
	if _game != null and (found == null or found.instance_id != _game.instance_id):
		_end_game(reason)
	if found != null and _game == null:
		_game = found
		game_ready.emit(found)


func _end_game(reason: String) -> void:
	var game := _game
	_game = null
	if game != null:
		game.end(reason)


## For the follower: the lobby is over for the player.
func close(reason: String) -> void:
	_over = reason
	if follower == null or _leaving:
		return
	follower.stop()
	follower = null
	_end_game(reason)
	if lobby != null:
		lobby = null
		lobby_changed.emit(null)
	closed.emit(reason)
	news.emit()

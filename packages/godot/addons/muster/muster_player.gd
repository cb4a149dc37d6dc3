class_name MusterPlayer
extends MusterHttp
## One player of a Muster service: its lobby, its calls, its event stream. The autoload Muster is one.
## What must hold: [member lobby] is the newest that was told, by its revision, until it is over for the player.

## The lobby has changed; null: the player is in none.
signal lobby_changed(lobby: MusterApi.Lobby)
## How many search, how long they waited, and why this lobby still waits.
signal queue_changed(stats: MusterApi.QueueStatsEvent)
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
## As last told; null while the player is in no lobby.
var lobby: MusterApi.Lobby = null
## All endpoints, as this player's calls: `await Muster.api.list_modes("arena")`.
var api := MusterApi.new(_ask)
## Null: nobody follows the lobby.
var follower: MusterFollower = null

var _over := ""
var _game: MusterMatch = null
var _answered_at := 0
var _leaving := false
var _is_renewing := false
var _end_reason := ""


func _init() -> void:
	# A game that pauses its tree is still there.
	process_mode = Node.PROCESS_MODE_ALWAYS


## Searches, and returns when the game server runs. A player in no lobby gets one of their own. Only the host searches;
## the others of the lobby call it too, and get the same match.
func play(mode: String, state := {}) -> MusterMatch:
	var found := await _find()
	if not found.ok:
		return MusterMatch.none(found.error)
	if lobby == null:
		# The service takes a name of 100 in UTF-16, where a character counts two at most.
		var made := await create_lobby(player_id.left(50), {"state": state, "isPrivate": true})
		if not made.ok:
			return MusterMatch.none(made.error)
	if lobby != null and lobby.status == "waiting" and lobby.host == player_id:
		var begun := await start_matchmaking(mode)
		if not begun.ok:
			return MusterMatch.none(begun.error)
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
		var asked := lobby.matchmaking.confirmation if lobby.matchmaking != null else null
		if accepts_matches and asked != null and not asked.confirmed and asked.deadline != answered:
			var answer := await confirm_match()
			if may_pass(answer):
				await pause(maxf(1.0, answer.retry_after) + randf())
			else:
				answered = asked.deadline
		else:
			await news
	return MusterMatch.none(_over if _over != "" else "closed")


## Follows the player's lobby from now on, by the signals of this node; returns it, or null without one, or without an answer.
func follow() -> MusterApi.Lobby:
	_begin()
	if not follower.has_heard:
		await _find()
	return lobby


func _find() -> MusterApi.Answer:
	_begin()
	var known := lobby
	var answer := _took(await api.get_my_lobby(config, {"or_null": "true"}))
	if answer.ok and answer.value == null and known != null and lobby != null and known.id == lobby.id:
		close("gone")
		_begin()
	return answer


## The player's lobbies in all configs, and how far they are. Not a sign of life.
func where_am_i() -> Array[MusterApi.WhereaboutsLobby]:
	var answer := await api.where_am_i()
	return answer.value.lobbies if answer.ok else []


## Joins the fullest public lobby whose settings fit, or creates one: `create` has its name, maxPlayers, ...
func quick_join(where: Dictionary, create: Dictionary, state := {}) -> MusterApi.Answer:
	_begin()
	return _took(await api.quick_join(config, {"where": where, "create": create, "state": state}))


## Leaves the lobby, and the game with it. Does nothing without a lobby.
func leave() -> MusterApi.Answer:
	# The service may say that the lobby is deleted before it answers.
	_leaving = true
	var answer := await api.leave_lobby(config)
	_leaving = false
	if answer.ok or answer.error == "LOBBY_NOT_FOUND":
		answer.error = ""
		close("left")
	elif _over != "":
		close(_over)
	return answer


## `options`: maxPlayers, isPrivate, region, settings, state, forceFresh, ...
func create_lobby(lobby_name: String, options := {}) -> MusterApi.Answer:
	_begin()
	return _took(await api.create_lobby(config, {"name": lobby_name}.merged(options)))


func join_lobby(code: String, state := {}) -> MusterApi.Answer:
	_begin()
	return _took(await api.join_lobby(config, {"code": code, "state": state}))


## Merges: what is not named stays, null removes.
func set_state(state: Dictionary) -> MusterApi.Answer:
	return _took(await api.update_my_state(config, {"state": state}))


func start_matchmaking(mode: String) -> MusterApi.Answer:
	return _took(await api.start_matchmaking(config, {"mode": mode}))


func cancel_matchmaking() -> MusterApi.Answer:
	return _took(await api.cancel_matchmaking(config))


func confirm_match() -> MusterApi.Answer:
	return _took(await api.confirm_match(config))


func decline_match() -> MusterApi.Answer:
	return _took(await api.decline_match(config))


## To a player of the lobby or match, or to "all" of them: up to 4 KiB, kept for nobody.
func send_signal(to: String, data: Variant) -> MusterApi.Answer:
	return await api.send_signal(config, {"to": to, "data": data})


func start_game() -> MusterApi.Answer:
	return _took(await api.start_game(config))


func end_match() -> MusterApi.Answer:
	return _took(await api.end_match(config))


## Connects Godot's multiplayer to a server that listens by MusterServer.listen, with the player's seat ticket.
func connect_to(game: MusterMatch) -> Error:
	var peer := ENetMultiplayerPeer.new()
	var error := peer.create_client(game.host, game.port)
	if error != OK:
		return error
	var scene: SceneMultiplayer = multiplayer
	scene.auth_callback = func(_id: int, _data: PackedByteArray) -> void: pass
	var show_ticket := func(id: int) -> void:
		scene.send_auth(id, game.ticket.to_ascii_buffer())
		scene.complete_auth(id)
	for former in scene.peer_authenticating.get_connections():
		scene.peer_authenticating.disconnect(former.callable)
	scene.peer_authenticating.connect(show_ticket)
	scene.multiplayer_peer = peer
	return OK


func is_in(told: MusterApi.Lobby) -> bool:
	return told.as_ == "spectator" or told.players.any(func(player: MusterApi.Player) -> bool: return player.id == player_id)


func _begin() -> void:
	if follower == null:
		follower = MusterFollower.new(self)
		_over = ""


func _took(answer: MusterApi.Answer) -> MusterApi.Answer:
	if answer.value is MusterApi.Lobby:
		_answered_at = Time.get_ticks_msec()
		show(answer.value)
	return answer


func _ask(method: HTTPClient.Method, path: String, asked: Dictionary, type: Variant) -> MusterApi.Answer:
	if player_token == "":
		await renew_token("")
	var used := player_token
	var answer := await request(method, base_url + path, headers(), asked, type)
	if answer.error.begins_with("PLAYER_TOKEN") and refresh_token.is_valid():
		await renew_token(used)
		return await request(method, base_url + path, headers(), asked, type)
	return answer


## Whoever comes while a token is fetched gets the same.
func renew_token(used: String) -> void:
	while _is_renewing and is_here:
		await news
	if refresh_token.is_valid() and used == player_token and is_here:
		_is_renewing = true
		var told: Variant = await told_by(refresh_token)
		player_token = told if told is String else ""
		_is_renewing = false
		news.emit()


func headers() -> PackedStringArray:
	# A header carries no more than ASCII everywhere: percent-encoded (RFC 8187) if there is more.
	var is_plain := RegEx.create_from_string("^[!-~]+$").search(player_id) != null
	var id := player_id if is_plain and not "''" in player_id else "utf-8''" + player_id.uri_encode()
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
func see(told: MusterApi.Lobby) -> void:
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
			queue_changed.emit(MusterApi.QueueStatsEvent.new(data))
		"matchmaking_timeout":
			_end_reason = data.reason
		"signal":
			signal_heard.emit(data.from, data.data)
		"signals_lost":
			signals_lost.emit()
		"lobby_deleted", "replaced":
			close(event_name.trim_prefix("lobby_"))


func show(told: MusterApi.Lobby) -> void:
	var is_known := lobby != null and lobby.id == told.id
	var is_old := is_known and told.revision <= lobby.revision
	if follower == null or is_old or not (is_known or is_in(told)):
		return
	var was_searching := is_known and (lobby.status in SEARCHING or _is_back(lobby, told))
	lobby = told
	lobby_changed.emit(lobby)
	_tell_game("ended" if told.returned == null else told.returned.reason)
	if was_searching and told.status == "waiting":
		_end_reason = _end_reason if told.returned == null else told.returned.reason
		search_ended.emit(_end_reason)
	elif told.status in SEARCHING and not was_searching:
		_end_reason = "cancelled"
	news.emit()


## Whether a search began and ended since, as between two polls.
func _is_back(before: MusterApi.Lobby, after: MusterApi.Lobby) -> bool:
	var last := "" if before.returned == null else before.returned.at
	return before.status == "waiting" and after.returned != null and after.returned.at != last


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

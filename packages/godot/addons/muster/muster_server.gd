extends MusterHttp
## A dedicated game server that Muster has started; the autoload MusterServer. It reads its match, lets players in by
## their seat tickets, and reports the result. In a player's game it does nothing.

## A peer has shown a good ticket. From now on it hears calls, and [member seats] has it.
signal player_joined(id: int, seat: MusterApi.Seat)
signal player_left(id: int, seat: MusterApi.Seat)

## Seconds that a new peer has to show its ticket.
const TICKET_SECONDS := 20.0
const TRIES := 20

## Each peer that was let in.
var seats: Dictionary[int, MusterApi.Seat] = {}
## All of `muster.json`; empty in a player's game.
var told: Dictionary = {}
## The endpoints that a server may ask with its own token.
var api := MusterApi.new(_ask)


func _init() -> void:
	process_mode = Node.PROCESS_MODE_ALWAYS
	call_seconds = 15.0


## Whether Muster has started this program.
func is_server() -> bool:
	return OS.get_environment("MUSTER_CONFIG") + OS.get_environment("MUSTER_JSON") != ""


## Reads what Muster has told; false: nothing can be read.
func read() -> bool:
	var path := OS.get_environment("MUSTER_CONFIG")
	var text := OS.get_environment("MUSTER_JSON") if path == "" else FileAccess.get_file_as_string(path)
	var json := JSON.new()
	if json.parse(text) == OK and json.data is Dictionary:
		told = json.data
	return not told.is_empty()


## The players the match was formed with, each with its team; none after a direct start.
func players() -> Dictionary[String, int]:
	var found: Dictionary[String, int] = {}
	var teams: Array = told.custom_data.get("teams", []) if told.custom_data.has("match_id") else []
	for team in teams.size():
		for lobby: Dictionary in teams[team].lobbies:
			for player: String in lobby.player_states:
				found[player] = team
	return found


## Reads the match and listens where Muster says. Where that cannot be, it says why and the program ends: Muster tells
## the players at once, and starts another server for the next match.
func listen(max_peers := 32) -> Error:
	if not read():
		var path := OS.get_environment("MUSTER_CONFIG")
		return _fail("%s: no match can be read there" % path, ERR_FILE_CANT_READ)
	var port := OS.get_environment("MUSTER_PORT").to_int()
	var host := OS.get_environment("MUSTER_HOST")
	var peer := ENetMultiplayerPeer.new()
	if host.is_valid_ip_address() and host != "::":
		peer.set_bind_ip(host)
	var error := peer.create_server(port, max_peers)
	if error != OK:
		return _fail("cannot listen on %s:%d: %s" % [host, port, error_string(error)], error)
	var api: SceneMultiplayer = multiplayer
	api.auth_callback = _check_ticket
	api.auth_timeout = TICKET_SECONDS
	api.peer_disconnected.connect(_forget)
	api.peer_authentication_failed.connect(_forget)
	api.multiplayer_peer = peer
	return OK


func _fail(why: String, error: Error) -> Error:
	printerr(why)
	get_tree().quit(1)
	return error


## GDScript has no Ed25519, so Muster says what a ticket is worth. Null: nothing here.
func seat_of(ticket: String) -> MusterApi.Seat:
	var answer := await api.read_seat(told.instance_id, {"ticket": ticket})
	if not answer.ok or (answer.value.match_ != null and answer.value.team == null):
		return null
	var seat: MusterApi.Seat = answer.value
	if seat.team != null:
		# JSON has only floats here, and 1.0 is no key of a Dictionary that has 1.
		seat.team = int(seat.team)
	return seat


## Teams by their index in the match: [{"team": 0, "score": 13}, {"team": 1, "score": 7}]. The same again changes
## nothing, so it is tried again while Muster is away. Call it before the program ends: nothing runs after SIGTERM.
func report_result(teams: Array) -> MusterApi.Answer:
	return await api.report_server_result(told.instance_id, {"teams": teams})


func _check_ticket(id: int, ticket: PackedByteArray) -> void:
	var api: SceneMultiplayer = multiplayer
	var seat := await seat_of(ticket.get_string_from_ascii())
	if not id in api.get_authenticating_peers():
		return
	if seat == null:
		api.disconnect_peer(id)
		return
	seats[id] = seat
	api.complete_auth(id)
	player_joined.emit(id, seat)


func _forget(id: int) -> void:
	if seats.has(id):
		var seat := seats[id]
		seats.erase(id)
		player_left.emit(id, seat)


func _ask(method: HTTPClient.Method, path: String, asked: Dictionary, type: Variant) -> MusterApi.Answer:
	# The address of Muster as this machine reaches it.
	var url: String = told.report_url.get_slice("/v3/", 0) + path
	var headers := ["Authorization: Bearer " + told.token]
	var answer := await request(method, url, headers, asked, type)
	for tries in TRIES:
		if not may_pass(answer) or not is_here:
			break
		await pause(answer.retry_after + randf() * (tries + 1))
		answer = await request(method, url, headers, asked, type)
	return answer

extends Control
## A race: whoever taps ten times first wins. The same program is the game of the players and, where Muster starts it,
## the game server.

const GOAL := 10

var _taps: Dictionary[int, int] = {}


func _ready() -> void:
	if MusterServer.is_server():
		_serve()
		return
	var screen := LobbyScreen.new()
	add_child(screen)
	screen.tapped.connect(func() -> void: tap.rpc_id(1))
	multiplayer.server_disconnected.connect(func() -> void: print("the server is gone"))


func _serve() -> void:
	if MusterServer.listen() == OK:
		print("players: ", ", ".join(MusterServer.players().keys()))
		MusterServer.player_joined.connect(
			func(_id: int, seat: MusterApi.Seat) -> void: print("%s plays in team %s" % [seat.player, seat.team])
		)


## By a player, on the server: only who has shown a ticket gets here.
@rpc("any_peer", "call_remote", "reliable")
func tap() -> void:
	var id := multiplayer.get_remote_sender_id()
	_taps[id] = _taps.get(id, 0) + 1
	if _taps[id] != GOAL:
		return
	var winner: Variant = MusterServer.seats[id].team
	var told := await MusterServer.report_result([{"team": winner, "rank": 1}, {"team": 1 - winner, "rank": 2}])
	print("team %d has won: %s" % [winner, "reported" if told.ok else told.error])
	get_tree().quit()

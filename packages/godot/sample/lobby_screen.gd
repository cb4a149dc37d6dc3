class_name LobbyScreen
extends VBoxContainer
## A lobby screen made in code: create or join, be ready, find a match, accept, play, and come back.

signal tapped

@export var mode := "duel"
@export var mmr := 1000

var _players := Label.new()
var _notice := Label.new()
var _code := LineEdit.new()
var _buttons := VBoxContainer.new()


func _ready() -> void:
	for part: Control in [_players, _notice, _code, _buttons]:
		add_child(part)
	_code.placeholder_text = "MEOW-7K2QXD"
	Muster.lobby_changed.connect(func(_lobby: MusterApi.Lobby) -> void: _draw_lobby())
	Muster.search_ended.connect(func(reason: String) -> void: _notice.text = "No match: " + reason)
	Muster.closed.connect(func(reason: String) -> void: _notice.text = "The lobby is over: " + reason)
	Muster.game_ready.connect(_join_game)
	_draw_lobby()
	Muster.follow()


func _join_game(game: MusterMatch) -> void:
	_notice.text = "In the game at %s:%d" % [game.host, game.port]
	Muster.connect_to(game)
	var reason := await game.until_ended()
	_notice.text = "The game is over: " + reason
	multiplayer.multiplayer_peer = null


func _draw_lobby() -> void:
	for button in _buttons.get_children():
		button.queue_free()
	var lobby := Muster.lobby
	_code.visible = lobby == null
	_players.text = ""
	if lobby == null:
		var state := {"mmr": mmr, "ready": false}
		_offer("Create a lobby", func() -> MusterApi.Answer: return await Muster.create_lobby("My lobby", {"state": state}))
		_offer("Join by code", func() -> MusterApi.Answer: return await Muster.join_lobby(_code.text, state))
		return
	var lines := PackedStringArray(["%s (%s): %s" % [lobby.name_, lobby.code, lobby.status]])
	for player in lobby.players:
		var is_ready: bool = player.state != null and player.state.get("ready", false)
		lines.append("%s %s" % ["✓" if is_ready else "·", player.id])
	_players.text = "\n".join(lines)
	_offer_moves(lobby)


func _offer_moves(lobby: MusterApi.Lobby) -> void:
	var is_host := lobby.host == Muster.player_id
	match lobby.status:
		"waiting":
			_offer("Ready", func() -> MusterApi.Answer: return await Muster.set_state({"ready": true}))
			if is_host:
				_offer("Find a match", func() -> MusterApi.Answer: return await Muster.start_matchmaking(mode))
		"in_queue":
			if is_host:
				_offer("Stop searching", Muster.cancel_matchmaking)
		"match_found":
			if not lobby.matchmaking.confirmation.confirmed:
				_offer("Accept", Muster.confirm_match)
				_offer("Decline", Muster.decline_match)
		"in_game":
			_offer("Tap", func() -> MusterApi.Answer: return _tap())
			if is_host:
				_offer("End the game", Muster.end_match)
	_offer("Leave", Muster.leave)


func _tap() -> MusterApi.Answer:
	tapped.emit()
	return MusterApi.Answer.new()


## A button for a call; what the service refuses is said in its words.
func _offer(text: String, action: Callable) -> void:
	var button := Button.new()
	button.text = text
	button.pressed.connect(
		func() -> void:
			var answer: MusterApi.Answer = await action.call()
			if not answer.ok:
				_notice.text = "%s: %s" % [answer.error, answer.detail]
	)
	_buttons.add_child(button)

extends Control
## A lobby screen made in code: create or join, be ready, queue, accept, and hand the address to your
## netcode. Put it on a Control that has a MusterPlayer node called Muster as its child.

@export var mode := "duel"
@export var mmr := 1000

var _said := Label.new()
var _code := LineEdit.new()
var _buttons := VBoxContainer.new()

@onready var muster: MusterPlayer = $Muster


func _ready() -> void:
	var box := VBoxContainer.new()
	add_child(box)
	for part: Control in [_said, _code, _buttons]:
		box.add_child(part)
	_code.placeholder_text = "MEOW-7K2QXD"
	muster.lobby_changed.connect(func(_lobby: Variant) -> void: _draw_lobby())
	muster.search_ended.connect(func(reason: String) -> void: _say("No match: " + reason))
	muster.closed.connect(func(reason: String) -> void: _say("The lobby is over: " + reason))
	muster.game_ready.connect(_on_game_ready)
	_draw_lobby()


func _on_game_ready(host: String, port: int) -> void:
	# With Godot's own multiplayer:
	#   var peer := ENetMultiplayerPeer.new()
	#   peer.create_client(host, port)
	#   multiplayer.multiplayer_peer = peer
	#   await multiplayer.connected_to_server
	#   $"/root/GameServer".show_ticket.rpc_id(1, muster.ticket())
	_say("Connect to %s:%d" % [host, port])


func _say(text: String) -> void:
	_said.text = text


func _draw_lobby() -> void:
	for button in _buttons.get_children():
		button.queue_free()
	var lobby: Variant = muster.lobby
	_code.visible = lobby == null
	if lobby == null:
		var state := {"mmr": mmr, "ready": false}
		_offer("Create a lobby", func() -> Dictionary: return await muster.create_lobby("My lobby", 4, state))
		_offer("Join by code", func() -> Dictionary: return await muster.join_lobby(_code.text, state))
		_offer("Go on where I was", muster.resume)
		return
	var names := PackedStringArray()
	for player: Dictionary in lobby.players:
		names.append(player.id)
	_say("%s (%s): %s, %s" % [lobby.name, lobby.code, lobby.status, ", ".join(names)])
	var is_host: bool = lobby.host == muster.player_id
	match lobby.status:
		"waiting":
			_offer("Ready", func() -> Dictionary: return await muster.set_state({"ready": true}))
			if is_host:
				_offer("Find a match", func() -> Dictionary: return await muster.start_matchmaking(mode))
		"in_queue":
			if is_host:
				_offer("Stop searching", muster.cancel_matchmaking)
		"match_found":
			if not lobby.matchmaking.confirmation.confirmed:
				_offer("Accept", muster.confirm_match)
				_offer("Decline", muster.decline_match)
		"in_game":
			if is_host:
				_offer("End the game", muster.end_match)
	_offer("Leave", muster.leave_lobby)


## A button for a call; what the service refuses is said by its code.
func _offer(text: String, action: Callable) -> void:
	var button := Button.new()
	button.text = text
	button.pressed.connect(
		func() -> void:
			var answer: Dictionary = await action.call()
			if not answer.ok:
				_say("%s: %s" % [answer.code, answer.body.get("detail", "")])
	)
	_buttons.add_child(button)

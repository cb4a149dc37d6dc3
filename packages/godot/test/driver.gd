extends Node
## For the tests of Muster: does what lines of JSON on the standard input say, and prints what the addon tells, a line of
## JSON each. Players are made by "new"; "Muster" is the autoload.

## Who is connected, or is about to be.
var peers: Array:
	get:
		var api: SceneMultiplayer = multiplayer
		return Array(api.get_peers()) + Array(api.get_authenticating_peers())

var _nodes: Dictionary[String, Node] = {}
var _reader := Thread.new()


func _ready() -> void:
	process_mode = Node.PROCESS_MODE_ALWAYS
	_watch("Muster", Muster)
	_nodes.MusterServer = MusterServer
	_nodes.driver = self
	MusterServer.player_joined.connect(
		func(_id: int, seat: MusterApi.Seat) -> void: print("whole team: ", seat.team in [0, 1])
	)
	multiplayer.connected_to_server.connect(func() -> void: _say("driver", "connected", []))
	multiplayer.server_disconnected.connect(func() -> void: _say("driver", "disconnected", []))
	_reader.start(_read)
	_say("driver", "ready", [])


func _exit_tree() -> void:
	_reader.wait_to_finish()


func _read() -> void:
	while true:
		var line := OS.read_string_from_stdin(1 << 16).strip_edges()
		var order: Variant = JSON.parse_string(line) if line != "" else {"do": "quit"}
		_do.call_deferred(order)
		if order.do == "quit":
			return


func _do(order: Dictionary) -> void:
	var id: String = order.get("id", "")
	match order.do:
		"quit":
			get_tree().quit()
		"new":
			var player := MusterPlayer.new()
			_watch(id, player)
			_assign(player, order.get("set", {}))
			add_child(player)
		"set":
			_assign(_nodes[id], order.set)
		"get":
			_say(id, order.property, [_plain(_nodes[id].get(order.property))])
		"call":
			_call(id, _nodes[id], order)
		"token":
			_nodes[id].refresh_token = func() -> Variant:
				_say(id, "asked", [Engine.get_process_frames()])
				return order.get("token")
		"free":
			_nodes[id].queue_free()
			_nodes.erase(id)
		"remove":
			remove_child(_nodes[id])
		"add":
			add_child(_nodes[id])
		"pause":
			get_tree().paused = order.paused
		"screen":
			get_tree().root.add_child(load("res://sample/main.tscn").instantiate())
		"join":
			var game := MusterMatch.new()
			game.host = "127.0.0.1"
			game.port = int(order.port)
			game.ticket = order.ticket
			Muster.connect_to(game)
		"socket":
			_follow_by_socket(order.url, int(order.buffer))
		"part":
			multiplayer.multiplayer_peer = null
		"press":
			_press(order.text)
		"labels":
			_say(id, "labels", [_texts(get_tree().root)])
		"apply":
			_say(id, "applied", [MusterChanges.applied(order.lobby, order.ops)])


## What a large lobby does to a WebSocket: the first event, or the code that it was closed with.
func _follow_by_socket(url: String, buffer: int) -> void:
	var socket := WebSocketPeer.new()
	socket.inbound_buffer_size = buffer
	socket.connect_to_url(url)
	while socket.get_ready_state() != WebSocketPeer.STATE_CLOSED:
		socket.poll()
		if socket.get_available_packet_count() > 0:
			_say("driver", "socket", [buffer, JSON.parse_string(socket.get_packet().get_string_from_utf8()).event])
			socket.close()
		await get_tree().process_frame
	_say("driver", "socket", [buffer, socket.get_close_code()])


func _assign(node: Node, values: Dictionary) -> void:
	for property: String in values:
		node.set(property, values[property])


func _watch(id: String, player: MusterPlayer) -> void:
	_nodes[id] = player
	player.lobby_changed.connect(func(lobby: MusterApi.Lobby) -> void: _say(id, "lobby_changed", [_plain(lobby)]))
	player.search_ended.connect(func(reason: String) -> void: _say(id, "search_ended", [reason]))
	player.game_ready.connect(func(game: MusterMatch) -> void: _say(id, "game_ready", [game.host, game.port]))
	player.signal_heard.connect(func(from: String, data: Variant) -> void: _say(id, "signal_heard", [from, data]))
	player.signals_lost.connect(func() -> void: _say(id, "signals_lost", []))
	player.closed.connect(func(reason: String) -> void: _say(id, "closed", [reason]))


## Says how the call ended: true or the code, or a match and then its end.
func _call(id: String, node: Node, order: Dictionary) -> void:
	var answer: Variant = await node.callv(order.method, order.get("args", []))
	if answer is MusterApi.Answer:
		_say(id, order.method, ["ok" if answer.ok else answer.error, answer.detail])
	elif answer is MusterMatch:
		_say(id, order.method, [answer.error, answer.host, answer.port, answer.team, answer.ticket.length()])
		if answer.error == "":
			_say(id, "ended", [await answer.until_ended()])
	else:
		_say(id, order.method, [_plain(answer)])


func _press(text: String) -> void:
	for button: Button in get_tree().root.find_children("*", "Button", true, false):
		if button.text == text and not button.is_queued_for_deletion():
			button.pressed.emit()
			return
	_say("driver", "no button", [text])


func _texts(under: Node) -> Array:
	var labels := under.find_children("*", "Label", true, false)
	return labels.map(func(label: Label) -> String: return label.text)


## As JSON: what the types of the service were made of.
func _plain(value: Variant) -> Variant:
	if value is MusterApi.Shape:
		return value.json
	if value is Array:
		return value.map(_plain)
	if value is Dictionary:
		var plain := {}
		for key: Variant in value:
			plain[key] = _plain(value[key])
		return plain
	return value


func _say(id: String, what: String, values: Array) -> void:
	print(MusterHttp.to_json({"id": id, "what": what, "values": values}))

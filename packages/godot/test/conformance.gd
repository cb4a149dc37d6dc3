extends Node
## The conformance of this package: prints the lines of packages/conformance/steps.json.

var _shown := ""
var _at := ""
var _tokens := 0
var _extra := ""
var _is_leaving := false
var _over := ""


func _ready() -> void:
	var words := OS.get_cmdline_user_args()
	# A test that was ended in the middle leaves nobody behind.
	get_tree().create_timer(300.0).timeout.connect(get_tree().quit)
	Muster.base_url = words[0]
	Muster.api_key = words[1]
	Muster.config = words[2]
	_at = words[2]
	Muster.player_id = words[3]
	_extra = words[5] if words.size() > 5 else ""
	Muster.connect_seconds = 4.0
	Muster.silence_seconds = 3.0
	Muster.poll_seconds = 0.3
	Muster.heartbeat_seconds = 1.0
	if words[4] in ["calls", "token"]:
		Muster.refresh_token = _next_token
	match words[4]:
		"calls":
			await _calls()
		"play":
			await _play()
		"lost":
			_said("join", await Muster.join_lobby(_extra))
			print("no match ", (await Muster.play("large")).error)
		"watch":
			await _watch()
		"rematch":
			await _rematch()
		"server":
			await _serve()
		_:
			await _follow(words[4] in ["replaced", "deleted"])
	get_tree().quit()


func _next_token() -> String:
	_tokens += 1
	return "t%d" % _tokens


func _said(what: String, answer: MusterApi.Answer) -> void:
	if answer.ok:
		print(what, " ok")
		return
	var words := PackedStringArray([what, answer.error, str(answer.status)])
	var body: Dictionary = answer.value if answer.value is Dictionary else {}
	for issue: Dictionary in body.get("issues", []):
		words.append(issue.path)
	print(" ".join(words))


func _calls() -> void:
	var config := Muster.config
	_said("health", await Muster.api.get_health())
	print("where_am_i ", (await Muster.where_am_i()).size())
	_said("create", await Muster.create_lobby("Den"))
	_said("create again", await Muster.create_lobby("Den"))
	print("where_am_i ", (await Muster.where_am_i()).size())
	await Muster.set_state({"text": 'zwölf 😀 "quoted"'})
	print("state ", Muster.lobby.players[0].state.text)
	print("settings ", (await Muster.api.update_lobby_settings(config, {"name": "Den"})).value.name_)
	_said("settings wrong", await Muster.api.update_lobby_settings(config, {"maxPlayers": 0}))
	print("moved ", (await Muster.api.move_to(config, {"config": "hall"})).value.config)
	_said("move unknown", await Muster.api.move_to(config, {"config": "nosuch"}))
	_said("rematch", await Muster.api.rematch(config))
	_said("mode unknown", await Muster.start_matchmaking("nosuch"))
	_said("leave", await Muster.leave())
	_said("leave again", await Muster.leave())
	_said("lobby gone", await Muster.api.get_my_lobby(config))
	var found := await Muster.api.get_my_lobby(config, {"or_null": "true"})
	print("find ", "none" if found.value == null else "one")
	await Muster.quick_join({}, {"name": "Den"})
	print("token renewed")
	var beat := await Muster.api.send_heartbeat(config)
	_said("leave", await Muster.leave())
	_said("retry after 503", beat)
	_said("not Muster", await Muster.decline_match())
	Muster.api_key = "nosuch"
	_said("wrong key", await Muster.api.where_am_i())
	Muster.base_url = "http://127.0.0.1:1"
	_said("nobody there", await Muster.api.where_am_i())


func _follow(is_host: bool) -> void:
	Muster.search_ended.connect(func(reason: String) -> void: print("search ended ", reason))
	Muster.signal_heard.connect(func(_from: String, data: Variant) -> void: print("signal ", data.text))
	Muster.signals_lost.connect(
		func() -> void:
			if Muster.follower.is_polling:
				print("state polling")
	)
	if is_host:
		_said("create", await Muster.create_lobby("Den", {"isPrivate": true}))
	else:
		_said("join", await Muster.join_lobby(_extra))
	await _until_closed()


func _until_closed() -> void:
	Muster.news.connect(_tell, CONNECT_DEFERRED)
	_tell()
	_over = await Muster.closed
	# Whoever leaves says so first.
	if not _is_leaving:
		print("closed ", _over)


func _tell() -> void:
	var lobby := Muster.lobby
	if lobby != null and Muster.follower.has_heard:
		if lobby.config != _at:
			_at = lobby.config
			print("moved ", _at)
		var line := "lobby %s %d %s" % [lobby.status, lobby.players.size(), lobby.settings.get("mark", "-")]
		if line != _shown:
			print(line)
		_shown = line
		if lobby.settings.get("mark") == "leave" and not _is_leaving:
			_is_leaving = true
			_said("leave", await Muster.leave())
			print("closed ", _over)


func _play() -> void:
	var game := await Muster.play("solo")
	print("in_game %s:%d" % [game.host, game.port])
	print("ticket of team ", game.team)
	await game.until_ended()
	print("ended ", Muster.lobby.status)
	game = await Muster.play("agreed")
	print("confirmed %s:%d" % [game.host, game.port])
	await game.until_ended()
	print("ended ", Muster.lobby.status)
	print("no match ", (await Muster.play("never")).error)


func _watch() -> void:
	_said("watch", await Muster.api.join_lobby(Muster.config, {"code": _extra, "as": "spectator"}))
	var game := await Muster.play("solo")
	print("watching %s:%d" % [game.host, game.port])
	print("no ticket" if game.ticket == "" else "ticket of ", "no team" if game.team == -1 else str(game.team))
	await game.until_ended()
	print("ended ", Muster.lobby.status)
	await _until_closed()


func _rematch() -> void:
	var game := await Muster.play("duel")
	for word: String in ["in_game", "again"]:
		print("%s %s:%d" % [word, game.host, game.port])
		await game.until_ended()
		print("ended ", Muster.lobby.status)
		if word == "again":
			await Muster.api.rematch(Muster.config)
		while Muster.lobby.rematch == null:
			await Muster.news
		print("rematch %d of %d" % [Muster.lobby.rematch.yes, Muster.lobby.rematch.needed])
		if word == "in_game":
			await Muster.api.rematch(Muster.config)
			game = await Muster.wait_for_match()
	while Muster.lobby.rematch != null:
		await Muster.news
	print("no rematch")


func _serve() -> void:
	MusterServer.read()
	var players := MusterServer.players()
	print("match %s %d" % [MusterServer.told.custom_data.matchmaking_mode, players.size()])
	var seat := await MusterServer.seat_of(_extra)
	print("seat ", "in its team" if seat.team == players[seat.player] else "elsewhere")
	var forged := await MusterServer.seat_of(_extra.left(-4) + "AAAA")
	print("forged ", "refused" if forged == null else "taken")
	var teams := [{"team": 0, "score": 3}, {"team": 1, "score": 1}]
	_said("result", await MusterServer.report_result(teams))
	print("result once" if (await MusterServer.report_result(teams)).ok else "result twice")
	_said("other result", await MusterServer.report_result([{"team": 0, "score": 0}, {"team": 1, "score": 9}]))

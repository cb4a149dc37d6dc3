class_name MusterFollower
extends RefCounted
## Follows a player's lobby: one stream after the other, and polls while none gets through. [MusterPlayer] calls
## [method step] once a frame.

## So many connections in a row without an event, and polling takes over until one has one.
const MUTE_STREAMS := 2
const STEADY_MSEC := 10_000

## Whether anything was heard since it began.
var has_heard := false
var is_polling := false
## When the stream was opened, as Time.get_ticks_msec(); 0 without one.
var opened_at := 0

var _player: MusterPlayer
var _stream: MusterStream = null
## When the next stream, poll and heartbeat are due.
var _stream_at := 0
var _poll_at := 0
var _beat_at := 0
var _is_asking := false
var _failures := 0
var _mute := 0
var _was_refused := false
## The player token of the stream.
var _used := ""
## What a stream has shown last, as JSON, which the next changes begin from, and its id.
var _shown: Variant = null
var _last_id := ""


func _init(player: MusterPlayer) -> void:
	_player = player


func step() -> void:
	var now := Time.get_ticks_msec()
	var stream := _stream
	if stream == null and now >= _stream_at:
		_open()
	elif stream != null and not stream.poll() and _stream == stream:
		stop()
		_ended(stream)
	if is_polling and now >= _poll_at and not _is_asking:
		_poll()


## Closes the connection. The next step goes on where this one was.
func stop() -> void:
	if _stream != null:
		_stream.close()
		_stream = null
	opened_at = 0
	_stream_at = 0


func _open() -> void:
	if _player.player_token == "" and _player.refresh_token.is_valid():
		_stream_at = Time.get_ticks_msec() + 60_000
		await _player.renew_token("")
		_failures += int(_player.player_token == "")
		_stream_at = 0 if _player.player_token != "" else Time.get_ticks_msec() + int(_backoff() * 1000.0)
		return
	_used = _player.player_token
	_stream = MusterStream.new()
	opened_at = Time.get_ticks_msec()
	_stream.connect_seconds = _player.connect_seconds
	_stream.silence_seconds = _player.silence_seconds
	_stream.event.connect(_take)
	var headers := _player.headers()
	var options := {"changes": "1"}
	if _last_id != "" and _shown != null:
		headers.append("Last-Event-ID: " + _last_id)
		options.lobby = _shown.id
	_stream.open(_player.base_url, _player.api.stream_events(_player.config, options), headers)


func _ended(stream: MusterStream) -> void:
	var now := Time.get_ticks_msec()
	var is_refused := stream.status in [400, 401, 403]
	if stream.is_token_over or (is_refused and _player.refresh_token.is_valid() and not _was_refused):
		_was_refused = is_refused
		# Until the new one is there.
		_stream_at = now + 60_000
		await _player.renew_token(_used)
		_stream_at = Time.get_ticks_msec() + int(randf() * 500.0)
		return
	_was_refused = false
	if is_refused:
		_player.close("refused")
		return
	_failures = 1 if stream.is_open and now - stream.opened_at > STEADY_MSEC else _failures + 1
	_mute = 0 if stream.is_open else _mute + int(stream.is_mute())
	var wait := stream.retry_after + _backoff()
	if _mute >= MUTE_STREAMS:
		wait = _player.retry_stream_seconds
		_set_polling(true)
	elif stream.status >= 500 and stream.retry_after == 0.0 and _failures > 1 and not _is_asking:
		_poll()
	_stream_at = now + int(wait * 1000.0)


func _backoff() -> float:
	return randf() * minf(30.0, 0.5 * pow(2.0, mini(_failures, 30) - 1))


func _set_polling(polls: bool) -> void:
	# Nobody tells the signals of the time without a stream.
	if is_polling != polls:
		is_polling = polls
		_player.signals_lost.emit()


func _poll() -> void:
	_is_asking = true
	var known := _player.lobby
	var answer := await _player.api.get_my_lobby(_player.config, {"or_null": "true"})
	if _player.follower != self:
		return
	var is_gone := answer.error == "LOBBY_NOT_FOUND" or (answer.ok and answer.value == null)
	if answer.value is MusterApi.Lobby and is_polling and Time.get_ticks_msec() >= _beat_at:
		_beat_at = Time.get_ticks_msec() + int(_player.heartbeat_seconds * 1000.0)
		await _player.api.send_heartbeat(_player.config)
	if _player.follower != self:
		return
	if answer.value is MusterApi.Lobby:
		_player.show(answer.value)
	elif is_gone and known != null and _player.lobby != null and known.id == _player.lobby.id:
		_player.close("gone")
	if answer.ok:
		has_heard = true
		_player.news.emit()
	_poll_at = Time.get_ticks_msec() + int(_player.poll_seconds * 1000.0)
	_is_asking = false


func _take(event_name: String, id: String, data: Variant) -> void:
	if _stream == null:
		# Closed by what came before in the same piece.
		return
	_set_polling(false)
	has_heard = true
	match event_name:
		"connected", "lobby_updated":
			_see(data, id)
		"lobby_changed":
			var is_next: bool = _shown != null and _shown.revision == data.from
			var after: Variant = MusterChanges.applied(_shown, data.ops) if is_next else null
			if after == null:
				# It is another lobby than the service's: the next stream begins with the whole one.
				_shown = null
				_stream.close()
			else:
				_see(after, id)
		_:
			_player.take(event_name, data)
	_player.news.emit()


func _see(told: Variant, id: String) -> void:
	_shown = told
	_last_id = "" if told == null else id
	_player.see(null if told == null else MusterApi.Lobby.new(told))

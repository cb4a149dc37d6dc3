class_name MusterStream
extends RefCounted
## One connection of the event stream: open it, then poll it once a frame until it says false. The service writes one
## line of data an event, lines that end with a line feed, and ASCII alone; a piece may end anywhere.

## `id` is empty without one; `data` is null for none, and for a player in no lobby.
signal event(event_name: String, id: String, data: Variant)

## Seconds until the first event must be there, and without a byte until the connection is taken for dead.
var connect_seconds := 10.0
var silence_seconds := 45.0

## Whether an event has come: a proxy that holds all back sends headers at most.
var is_open := false
## Whether it ended because nothing came for too long.
var is_silent := false
## Whether it ended with the player token that opened it.
var is_token_over := false
## HTTP status; 0 before there is one.
var status := 0
## Seconds that the service asks to wait before the next.
var retry_after := 0.0
## When it was opened, as Time.get_ticks_msec().
var opened_at := Time.get_ticks_msec()

var _http := HTTPClient.new()
var _path := ""
var _headers := PackedStringArray()
var _asked := false
var _heard_at := Time.get_ticks_msec()
var _rest := ""
var _name := ""
var _id := ""
var _data := ""


func open(base_url: String, path: String, headers: PackedStringArray) -> void:
	var url := RegEx.create_from_string("^(https?)://(\\[[^\\]]*\\]|[^:/]*):?(\\d*)(.*?)/?$").search(base_url)
	if url == null:
		push_error("Muster: %s is not an http or https address" % base_url)
		return
	_path = url.get_string(4) + path
	_headers = headers
	_headers.append("Accept: text/event-stream")
	var host := url.get_string(2).trim_prefix("[").trim_suffix("]")
	var port := url.get_string(3).to_int() if url.get_string(3) != "" else -1
	_http.connect_to_host(host, port, TLSOptions.client() if url.get_string(1) == "https" else null)


func close() -> void:
	_http.close()


## Reads what has come, and tells it; false: the stream is over, or as good as dead.
func poll() -> bool:
	_http.poll()
	match _http.get_status():
		HTTPClient.STATUS_RESOLVING, HTTPClient.STATUS_CONNECTING, HTTPClient.STATUS_REQUESTING:
			return _is_heard()
		HTTPClient.STATUS_CONNECTED:
			# Before the request: connected. After it: the answer has ended.
			if _asked:
				_read_head()
				return false
			_asked = true
			return _http.request(HTTPClient.METHOD_GET, _path, _headers) == OK
		HTTPClient.STATUS_BODY:
			_read_head()
			if status != 200:
				return false
			while _http.get_status() == HTTPClient.STATUS_BODY:
				var chunk := _http.read_response_body_chunk()
				if chunk.is_empty():
					break
				_read(chunk.get_string_from_ascii())
			return _is_heard()
		_:
			return false


## Whether something holds the stream back, or answers in its place. A service that is away or restarts says 5xx, or
## nothing at all.
func is_mute() -> bool:
	return not is_open and (is_silent or (status > 0 and status < 500 and status not in [408, 429]))


func _read_head() -> void:
	status = _http.get_response_code()
	if status != 200:
		retry_after = MusterHttp.retry_after(_http.get_response_headers())


func _is_heard() -> bool:
	var most := silence_seconds if is_open else connect_seconds
	is_silent = Time.get_ticks_msec() - _heard_at > most * 1000.0
	return not is_silent


func _read(text: String) -> void:
	var lines := (_rest + text).split("\n")
	_rest = lines[lines.size() - 1]
	for index in lines.size() - 1:
		_read_line(lines[index])
	if is_open:
		_heard_at = Time.get_ticks_msec()


func _read_line(line: String) -> void:
	if line.begins_with("event: "):
		_name = line.substr(7)
	elif line.begins_with("data: "):
		_data = line.substr(6)
	elif line.begins_with("id: "):
		_id = line.substr(4)
	elif line == ": token expired":
		is_token_over = true
	elif line == "" and _name != "":
		is_open = true
		var json := JSON.new()
		if _data == "" or json.parse(_data) == OK:
			event.emit(_name, _id, json.data)
		else:
			# What the engine cannot read says nothing about the lobby: the next stream begins with all of it.
			close()
		_name = ""
		_id = ""
		_data = ""

class_name MusterEvents
extends RefCounted
## One connection of the event stream: open it, then poll it once a frame until it says false.
## The service writes one line of data an event, lines that end with a line feed, and ASCII alone (all
## else is \uXXXX in the JSON); a piece may end anywhere.

## `id` is empty without one; `data` is null for none, and for a player in no lobby.
signal event(event_name: String, id: String, data: Variant)

## Seconds until the first event must be there, and without a byte until the line is dead.
const CONNECT_SECONDS := 10.0
const SILENCE_SECONDS := 45.0

## Whether an event has come: a proxy that holds all back sends headers at most.
var is_open := false
## Whether the stream ended with the player token that opened it.
var is_token_over := false
## HTTP status; 0 before there is one.
var status := 0

var _http := HTTPClient.new()
var _path := ""
var _headers := PackedStringArray()
var _asked := false
var _heard_at := 0
var _rest := ""
var _name := ""
var _id := ""
var _data := ""


func open(base_url: String, path: String, headers: PackedStringArray) -> void:
	var parts := base_url.split("://")
	var is_tls := parts[0] == "https"
	var host := parts[1].get_slice("/", 0)
	var port := host.get_slice(":", 1).to_int() if host.contains(":") else -1
	_path = parts[1].substr(host.length()).trim_suffix("/") + path
	_headers = headers
	_headers.append("Accept: text/event-stream")
	_heard_at = Time.get_ticks_msec()
	_http.connect_to_host(host.get_slice(":", 0), port, TLSOptions.client() if is_tls else null)


func close() -> void:
	_http.close()


## Reads what has come, and tells it; false: the stream is over, or as good as dead.
func poll() -> bool:
	_http.poll()
	match _http.get_status():
		HTTPClient.STATUS_RESOLVING, HTTPClient.STATUS_CONNECTING, HTTPClient.STATUS_REQUESTING:
			return not _is_silent()
		HTTPClient.STATUS_CONNECTED:
			# Before the request: connected. After it: the answer has ended.
			if _asked:
				return false
			_asked = true
			return _http.request(HTTPClient.METHOD_GET, _path, _headers) == OK
		HTTPClient.STATUS_BODY:
			status = _http.get_response_code()
			if status != 200:
				return false
			while _http.get_status() == HTTPClient.STATUS_BODY:
				var chunk := _http.read_response_body_chunk()
				if chunk.is_empty():
					break
				_read(chunk.get_string_from_ascii())
			return not _is_silent()
		_:
			return false


func _is_silent() -> bool:
	var most := SILENCE_SECONDS if is_open else CONNECT_SECONDS
	return Time.get_ticks_msec() - _heard_at > most * 1000.0


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
		var data: Variant = JSON.parse_string(_data)
		event.emit(_name, _id, data)
		_name = ""
		_id = ""
		_data = ""

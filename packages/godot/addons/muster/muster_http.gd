class_name MusterHttp
extends Node
## Calls by HTTPRequest. Each of them gets an answer, also when this node leaves the tree: an await on a call that
## never ends would keep what its function holds until the game exits.

## Seconds until a call is given up.
var call_seconds := 30.0
## Whether this node is in the tree; is_inside_tree() is still true while it leaves.
var is_here := false

var _waits: Array[Call] = []


## What is waited for: an answer, or the end of a pause.
class Call:
	extends RefCounted
	signal done

	var answer := MusterApi.Answer.new()

	func take(result: int, status: int, headers: PackedStringArray, bytes: PackedByteArray) -> void:
		if result == HTTPRequest.RESULT_SUCCESS:
			var json := JSON.new()
			var is_json := json.parse(bytes.get_string_from_utf8()) == OK
			var is_ok := is_json and status >= 200 and status < 300
			answer.value = json.data if is_json else null
			answer.status = status
			answer.error = "" if is_ok else "BAD_ANSWER"
			if not is_ok and answer.value is Dictionary:
				answer.error = str(answer.value.get("code", answer.error))
				answer.detail = str(answer.value.get("detail", ""))
			answer.retry_after = MusterHttp.retry_after(headers)
		done.emit()


func _enter_tree() -> void:
	is_here = true


func _exit_tree() -> void:
	is_here = false
	for each: Call in _waits.duplicate():
		each.done.emit()


## Ends early when this node leaves the tree.
func pause(seconds: float) -> void:
	if is_here:
		var wait := Call.new()
		get_tree().create_timer(seconds).timeout.connect(func() -> void: wait.done.emit())
		await _until(wait)


## What the callback returns; null if it fails, or takes longer than a call may.
func told_by(callback: Callable) -> Variant:
	var wait := Call.new()
	get_tree().create_timer(call_seconds).timeout.connect(func() -> void: wait.done.emit())
	_fetch.call_deferred(callback, wait)
	await _until(wait)
	return wait.answer.value


func _fetch(callback: Callable, wait: Call) -> void:
	wait.answer.value = await callback.call()
	wait.done.emit()


func _until(wait: Call) -> void:
	_waits.append(wait)
	await wait.done
	_waits.erase(wait)


## What is refused as too much is asked again while there is time. `error` is the code of the service, NETWORK if no answer
## came, BAD_ANSWER if it is none of the service, CLOSED if this node has left the tree. `asked` may have a body and headers.
func request(
	method: HTTPClient.Method, url: String, headers: PackedStringArray, asked: Dictionary, type: Variant = null
) -> MusterApi.Answer:
	var until := Time.get_ticks_msec() + call_seconds * 1000.0
	var answer := await _request(method, url, headers.duplicate(), asked)
	while answer.error in ["OVERLOADED", "RATE_LIMITED"]:
		var seconds := maxf(1.0, answer.retry_after) + randf()
		if Time.get_ticks_msec() + seconds * 1000.0 > until or not is_here:
			break
		await pause(seconds)
		answer = await _request(method, url, headers.duplicate(), asked)
	if answer.ok and type != null and answer.value is Dictionary:
		answer.value = type.new(answer.value)
	return answer


func _request(
	method: HTTPClient.Method, url: String, headers: PackedStringArray, asked: Dictionary
) -> MusterApi.Answer:
	var made := Call.new()
	var http := HTTPRequest.new()
	http.timeout = call_seconds
	# The engine would send the key on to wherever a redirect leads.
	http.max_redirects = 0
	add_child(http)
	http.request_completed.connect(made.take)
	var given: Dictionary = asked.get("headers", {})
	for header: String in given:
		if given[header] != null:
			headers.append("%s: %s" % [header, given[header]])
	var text := ""
	if asked.has("body"):
		headers.append("Content-Type: application/json")
		text = to_json(asked.body)
	made.answer.error = "NETWORK"
	if is_here and http.request(url, headers, method, text) == OK:
		await _until(made)
	if not is_here:
		made.answer.error = "CLOSED"
	http.queue_free()
	return made.answer


## Whether the same call may succeed later.
static func may_pass(answer: MusterApi.Answer) -> bool:
	var is_away := answer.status == 0 or answer.status >= 500 or answer.status in [408, 429]
	return not answer.ok and answer.error != "CLOSED" and is_away


static func retry_after(headers: PackedStringArray) -> float:
	for header in headers:
		if header.to_lower().begins_with("retry-after:"):
			return header.get_slice(":", 1).to_float()
	return 0.0


## JSON.stringify writes control characters as they are, and `\v`, which is no JSON.
static func to_json(value: Variant) -> String:
	var json := JSON.stringify(value, "", false, true)
	var odd := RegEx.create_from_string("\\\\.|[\\x01-\\x1f]")
	var parts := PackedStringArray()
	var end := 0
	for found in odd.search_all(json):
		var text := found.get_string()
		if text.length() == 1 or text == "\\v":
			parts.append(json.substr(end, found.get_start() - end))
			parts.append("\\u%04x" % (11 if text == "\\v" else text.unicode_at(0)))
			end = found.get_end()
	parts.append(json.substr(end))
	return "".join(parts)

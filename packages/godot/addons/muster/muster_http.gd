class_name MusterHttp
extends Node
## Calls by HTTPRequest. Each of them gets an answer, also when this node leaves the tree: an await on a call that
## never ends would keep what its function holds until the game exits.

## Seconds until a call is given up.
var call_seconds := 30.0

## Whether this node is in the tree; is_inside_tree() is still true while it leaves.
var is_here := false

var _calls: Array[Call] = []


class Call:
	extends RefCounted
	signal done

	var http := HTTPRequest.new()
	var answer := MusterAnswer.new()

	func take(result: int, status: int, headers: PackedStringArray, bytes: PackedByteArray) -> void:
		if result == HTTPRequest.RESULT_SUCCESS:
			var json := JSON.new()
			var is_json := json.parse(bytes.get_string_from_utf8()) == OK
			answer.body = json.data if is_json else null
			answer.status = status
			answer.ok = is_json and status >= 200 and status < 300
			answer.code = "" if answer.ok else "BAD_ANSWER"
			if not answer.ok and answer.body is Dictionary:
				answer.code = str(answer.body.get("code", answer.code))
				answer.detail = str(answer.body.get("detail", ""))
			answer.retry_after = MusterHttp.retry_after(headers)
		done.emit()


func _enter_tree() -> void:
	is_here = true


func _exit_tree() -> void:
	is_here = false
	for each: Call in _calls.duplicate():
		each.answer.code = "CLOSED"
		each.done.emit()


func ask(
	method: HTTPClient.Method, url: String, headers: PackedStringArray, body: Variant = null
) -> MusterAnswer:
	var asked := Call.new()
	if not is_here:
		asked.http.free()
		asked.answer.code = "CLOSED"
		return asked.answer
	var http := asked.http
	http.timeout = call_seconds
	# The engine would send the key on to wherever a redirect leads.
	http.max_redirects = 0
	add_child(http)
	http.request_completed.connect(asked.take)
	var text := ""
	if body != null:
		headers.append("Content-Type: application/json")
		text = to_json(body)
	if http.request(url, headers, method, text) != OK:
		http.queue_free()
		return asked.answer
	_calls.append(asked)
	await asked.done
	_calls.erase(asked)
	http.queue_free()
	return asked.answer


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

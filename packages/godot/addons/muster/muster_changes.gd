class_name MusterChanges
extends RefCounted
## Applies the operations of `lobby_changed` (RFC 6902: add, replace, remove). Whatever they do not touch stays the same
## object (is_same), so that a screen can draw anew only what has changed.


## The lobby after the operations; null if they do not fit it.
static func applied(before: Variant, ops: Array) -> Variant:
	var value: Variant = before
	for op: Dictionary in ops:
		var keys := PackedStringArray()
		for key in String(op.path).split("/").slice(1):
			keys.append(key.replace("~1", "/").replace("~0", "~"))
		value = _changed(value, keys, op)
		if value == null:
			return null
	return value


static func _changed(value: Variant, keys: PackedStringArray, op: Dictionary) -> Variant:
	if keys.is_empty():
		return op.get("value")
	var key: Variant = keys[0]
	var is_last := keys.size() == 1
	var is_new: bool = op.op == "add" and is_last
	if value is Array:
		var index := keys[0].to_int() if keys[0].is_valid_int() else -1
		key = value.size() if key == "-" else index
		if key < 0 or key > value.size() or (key == value.size() and not is_new):
			return null
	elif not value is Dictionary or not (value.has(key) or is_new):
		return null
	var next: Variant = value.duplicate()
	if is_last and value is Array and op.op != "replace":
		if is_new:
			next.insert(key, op.value)
		else:
			next.remove_at(key)
	elif is_last and op.op == "remove":
		next.erase(key)
	elif is_last:
		next[key] = op.value
	else:
		next[key] = _changed(value[key], keys.slice(1), op)
		return null if next[key] == null else next
	return next

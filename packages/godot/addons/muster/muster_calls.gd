class_name MusterCalls
extends MusterApi
## The endpoints of the service, one function each, asked as somebody's calls.

var _asker: Callable


func _init(asker: Callable) -> void:
	_asker = asker


func ask(method: String, path: String, asked: Dictionary, type: Variant) -> Answer:
	return await _asker.call(method, path + query_of(asked.get("query", {})), asked, type)

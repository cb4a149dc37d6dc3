extends Node
## A game server with a bug: it crashes when a player joins.


func _ready() -> void:
	MusterServer.listen()
	MusterServer.player_joined.connect(func(_id: int, _seat: MusterApi.Seat) -> void: OS.crash("on purpose"))

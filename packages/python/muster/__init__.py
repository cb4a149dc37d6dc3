"""The client of Muster for Python: players (bots, tools, tests) and game servers. Standard library alone."""
from .http import MusterError, Service
from .player import Match, Player, address_of
from .server import GameServer

__all__ = ["GameServer", "Match", "MusterError", "Player", "Service", "address_of"]

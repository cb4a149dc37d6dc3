"""What a game server needs: its match, the seats of its players, and where its result goes."""
import json
import os
import time
from dataclasses import dataclass
from typing import Any, Optional

from .api import Api
from .http import MusterError, Service
from .stream import back_off

TRIES = 20  # last some five minutes: longer than Muster takes to start again


@dataclass
class Seated:
    """A player that the match was formed with. Those who come later have only their ticket."""
    id: str
    lobby: str
    team: int
    role: Optional[str]
    state: Any


class GameServer(Api):
    """The server that Muster has started: each endpoint that a server may call is a method too. Raises if this program was not
    started by it."""

    def __init__(self) -> None:
        path = os.environ.get("MUSTER_CONFIG")
        if path is None and "MUSTER_JSON" not in os.environ:
            raise RuntimeError("MUSTER_CONFIG is not set: this program was not started by Muster")
        text = os.environ["MUSTER_JSON"] if path is None else open(path, encoding="utf-8").read()
        self.told = json.loads(text)  # all of muster.json
        self.id = self.told["instance_id"]
        self.host = os.environ.get("MUSTER_HOST", "127.0.0.1")
        self.port = int(os.environ.get("MUSTER_PORT", "0"))
        self._seats: dict[str, Any] = {}
        self._service = Service(self.told["report_url"].rpartition("/v3/")[0], timeout=40.0)

    @property
    def match_id(self) -> Optional[str]:
        """None after a direct start, which has no teams: players then have only their tickets."""
        return self.told["custom_data"].get("match_id")

    @property
    def mode(self) -> Optional[str]:
        return self.told["custom_data"].get("matchmaking_mode")

    @property
    def teams(self) -> list[Any]:
        return self.told["custom_data"].get("teams", []) if self.match_id else []

    @property
    def players(self) -> list[Seated]:
        return [
            Seated(player, lobby["lobby_id"], index, team.get("roles", {}).get(player), state)
            for index, team in enumerate(self.teams)
            for lobby in team["lobbies"]
            for player, state in lobby["player_states"].items()
        ]

    def seat_of(self, ticket: str) -> Optional[Any]:
        """The seat of a ticket that a player has sent: `player`, `team`, `role`. None if it is not good here. Python has no
        Ed25519 of its own, so the service is asked, once a ticket."""
        if not isinstance(ticket, str) or len(ticket) > 4096:
            return None
        if ticket not in self._seats:
            try:
                self._seats[ticket] = self.read_seat(self.id, {"ticket": ticket})
            except MusterError as error:
                if error.is_passing:
                    raise
                return None
        seat = self._seats[ticket]
        return seat if seat["match"] is None or seat["team"] is not None else None

    def report_result(self, teams: Any, data: Any = None) -> Any:
        """Reports the result. What may pass is tried again for some minutes: the same result again changes nothing. Raises
        RESULT_EXISTS if another result was reported before."""
        body: Any = {"teams": teams, **({} if data is None else {"data": data})}
        return self.report_server_result(self.id, body)

    def roster(self) -> Any:
        """Who has a place in the match now."""
        return self.read_roster(self.id)

    def _call(self, method: str, path: str, *, body: Any = None, query: Any = None, headers: Any = None) -> Any:
        sent = {**(headers or {}), "authorization": f"Bearer {self.told['token']}"}
        for tries in range(1, TRIES + 1):
            try:
                return self._service.call(method, path, body=body, query=query, headers=sent)
            except MusterError as error:
                if not error.is_passing or tries == TRIES:
                    raise
                time.sleep((error.retry_after or 0) + back_off(tries))
        raise AssertionError("the last try answers or raises")

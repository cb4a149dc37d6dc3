"""Everything that a player can do in one lobby config."""
import base64
import json
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Callable, Iterator, Optional

from .api import Api, Lobby, WhereaboutsLobby
from .http import MusterError, Service
from .stream import Stream

EXPIRED = ("PLAYER_TOKEN_EXPIRED", "PLAYER_TOKEN_INVALID")


def address_of(lobby: Optional[Lobby]) -> Optional[tuple[str, int]]:
    """Where to connect if the lobby is in a game with a running server; otherwise None. Where a player hosts the game, it is
    that player's id, and port 0."""
    server: Any = (lobby or {}).get("server") or {}
    ports = server.get("network_ports") or []
    if lobby is None or lobby["status"] != "in_game" or server.get("status") != "running":
        return None
    if not ports:
        return (server["host_player"], 0) if server.get("host_player") else None
    return ports[0]["host"], ports[0]["external_port"]


def _team_of(ticket: Optional[str]) -> Optional[int]:
    """What the player's own ticket claims. The game server verifies it, and the client does not."""
    try:
        claims = (ticket or "").split(".")[1]
        return json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))["team"]
    except (IndexError, ValueError, KeyError):
        return None


@dataclass
class Match:
    """A game to connect to. `ended` has the newest lobby as its result once the game is over for the player."""
    host: str
    port: int
    ticket: Optional[str]
    lobby: Lobby
    team: Optional[int]
    ended: "Future[Lobby]" = field(default_factory=Future)


class Player(Api):
    """One player in one lobby config. Each endpoint is a method; `play`, `follow`, `where_am_i`, `quick_join` and `leave` are
    what most games need. `token` is asked for a player token when one is needed. Options of the stream, in seconds: `connect`,
    `silence`, `poll`, `heartbeat`, `retry_stream`; and `on_state`, which is called with connecting, streaming, waiting or polling."""

    def __init__(self, url: str, key: str, config: str, player: str, *, token: Optional[Callable[[], str]] = None,
                 timeout: float = 15.0, **stream: Any) -> None:
        self.config = config
        self.id = player
        self.departures = 0
        self._service = Service(url, key, timeout)
        self._ask_token = token
        self._token: Optional[str] = None
        self._is_refused = False
        self._stream_options = stream
        self._streams: set[Stream] = set()

    def _headers(self) -> dict[str, str]:
        if self._ask_token is not None and self._token is None:
            self._token = self._ask_token()
        return {"x-player-id": self.id, **({"x-player-token": self._token} if self._token else {})}

    def _call(self, method: str, path: str, *, body: Any = None, query: Any = None, headers: Any = None) -> Any:
        for is_last in (self._ask_token is None, True):
            try:
                sent = {**self._headers(), **(headers or {})}
                return self._service.call(method, path, body=body, query=query, headers=sent)
            except MusterError as error:
                if is_last or error.code not in EXPIRED:
                    raise
                self._token = None
        raise AssertionError("a call is made at most twice")

    def _open(self, method: str, path: str, *, query: Any = None) -> Any:
        return lambda headers, connect, opened: self._service.request(
            method, path, query=query, headers={**self._headers(), **headers}, timeout=connect, opened=opened)

    def open_stream(self, resume: dict[str, str], lobby: Optional[str], connect: float, opened: Any) -> Any:
        """For the stream: one connection."""
        opening = self.stream_events(self.config, changes="1", lobby=lobby)
        return opening({"accept": "text/event-stream", **resume}, connect, opened)

    def told(self, comment: str) -> None:
        """For the stream: a comment that it brought."""
        if comment == "token expired":
            self._token = None

    def renews(self, error: MusterError) -> bool:
        """For the stream: whether it was refused for its token, and the one before it was not."""
        is_refusal = self._ask_token is not None and error.code in EXPIRED
        is_first, self._is_refused = is_refusal and not self._is_refused, is_refusal
        if is_refusal:
            self._token = None
        return is_first

    def beat(self) -> None:
        """A heartbeat. Only needed without a stream."""
        try:
            self.send_heartbeat(self.config)
        except MusterError as error:
            if error.code != "LOBBY_NOT_FOUND":
                raise

    def find_my_lobby(self) -> Optional[Lobby]:
        """The player's lobby; None without one."""
        try:
            return self.get_my_lobby(self.config, or_null="true")
        except MusterError as error:
            if error.code == "LOBBY_NOT_FOUND":
                return None
            raise

    def events(self, *, polls: bool = False) -> Iterator[dict[str, Any]]:
        """Each event of the lobby as a dict with `type`, until the lobby is over for the player: the last one is `closed`.
        `polls`: without a stream."""
        stream = Stream(self, polls=polls, **self._stream_options)
        self._streams.add(stream)
        try:
            yield from stream.events()
        finally:
            stream.close()
            self._streams.discard(stream)

    def follow(self) -> Iterator[Optional[Lobby]]:
        """The player's lobby as it changes, until it is over for the player. None: there is no lobby yet."""
        for event in self.events():
            if event["type"] in ("connected", "lobby_updated"):
                yield event["lobby"]

    def close(self) -> None:
        """Ends all that follows the lobby. The player stays in it."""
        for stream in list(self._streams):
            stream.close()

    def where_am_i(self) -> list[WhereaboutsLobby]:  # type: ignore[override]
        """The player's lobbies in all configs. Not a sign of life."""
        return super().where_am_i()["lobbies"]

    def quick_join(self, wanted: Any = None) -> Lobby:  # type: ignore[override]
        """Joins the fullest public lobby that fits, or else creates one."""
        return super().quick_join(self.config, wanted or {})

    def leave(self) -> None:
        """Leaves the lobby, and the game with it. Does nothing without a lobby."""
        self.departures += 1
        try:
            self.leave_lobby(self.config)
        except MusterError as error:
            if error.code != "LOBBY_NOT_FOUND":
                raise
        for stream in list(self._streams):
            stream.leave()

    def play(self, mode: str, *, state: Any = None, confirm: Callable[[Lobby], bool] = lambda lobby: True) -> Match:
        """Searches a match, with the player's lobby or one that is made with `state`, and answers when its server runs. Raises NO_MATCH
        with a `reason` otherwise. The stream stays open until the game ends, so that the player counts as present."""
        name = self.id.encode("utf-16-le")[:200].decode("utf-16-le", "ignore")  # The service counts in UTF-16, to 100.
        lobby = self.find_my_lobby() or self.create_lobby(
            self.config, {"name": name, "isPrivate": True, **({"state": state} if state else {})})
        if lobby["status"] == "waiting" and lobby["host"] == self.id:
            lobby = self.start_matchmaking(self.config, {"mode": mode})
        events = self.events()
        match = self._found(events, lobby, confirm)
        threading.Thread(target=self._stay, args=(match, events), daemon=True).start()
        return match

    def _found(self, events: Iterator[dict[str, Any]], begun: Lobby, confirm: Callable[[Lobby], bool]) -> Match:
        reason, answered = None, None
        is_searching = begun["status"] != "waiting"
        for event in events:
            if event["type"] == "matchmaking_timeout":
                reason = event["reason"]
            if event["type"] == "closed":
                reason = event["reason"]
            lobby: Any = event.get("lobby")
            if event["type"] == "connected" and lobby is None:
                reason = "gone"
                break
            if lobby is None or lobby["id"] == begun["id"] and lobby["revision"] < begun["revision"]:
                continue
            address = address_of(lobby)
            if address is not None:
                ticket = lobby["server"].get("ticket")
                return Match(*address, ticket, lobby, _team_of(ticket))
            if lobby["status"] == "waiting" and is_searching:
                reason = reason or lobby.get("returned", {}).get("reason")
                break
            is_searching = lobby["status"] != "waiting"
            asked = (lobby["matchmaking"] or {}).get("confirmation") or {"confirmed": True, "deadline": None}
            if not asked["confirmed"] and asked["deadline"] != answered:
                answered = asked["deadline"]
                # Not waited for: a dialog may take its time, and the stream must be read meanwhile.
                threading.Thread(target=self._answer, args=(lobby, confirm), daemon=True).start()
        events.close()  # type: ignore[attr-defined]
        raise MusterError("NO_MATCH", f"the search ended without a match: {reason}", reason=reason)

    def _answer(self, lobby: Lobby, confirm: Callable[[Lobby], bool]) -> None:
        send = self.confirm_match if confirm(lobby) else self.decline_match
        for _ in range(30):
            try:
                send(self.config)
                return
            except MusterError as error:
                if not error.is_passing:
                    return
                time.sleep(1)

    def _stay(self, match: Match, events: Any) -> None:
        """Reads on until the game is over for the player."""
        newest, instance = match.lobby, match.lobby["server"]["instance_id"]
        try:
            while events is not None:
                goes_on, events = events, None
                for event in goes_on:
                    lobby: Any = event.get("lobby")
                    if event["type"] in ("connected", "lobby_updated"):
                        if lobby is None or lobby["id"] != newest["id"]:
                            break
                        newest = lobby
                        if lobby["status"] != "in_game" or lobby["server"]["instance_id"] != instance:
                            break
                    elif event.get("reason") == "replaced":
                        # The game follows its lobby itself. Two streams of a player would replace each other for ever.
                        events = self.events(polls=True)
                goes_on.close()
            match.ended.set_result(newest)
        except Exception as error:  # Whoever waits for the end is told.
            match.ended.set_exception(error)

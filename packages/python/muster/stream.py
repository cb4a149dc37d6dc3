"""The event stream: it reconnects, goes on where it stopped, and polls where no stream gets through."""
import copy
import http.client
import json
import random
import socket
import threading
import time
from typing import Any, Callable, Iterator, Optional

from .http import MusterError, error_of, network

STEADY = 10.0  # seconds; a stream that lasted this long ends a row of failures
MUTE = 2  # after so many streams in a row without a first event, polling takes over


def back_off(failures: int, first: float = 0.5, most: float = 30.0) -> float:
    """Full jitter: a random wait below a ceiling that doubles with each failure."""
    return random.random() * min(most, first * 2 ** min(failures - 1, 30))


def with_operations(lobby: Any, ops: Any) -> Any:
    """The lobby after operations of RFC 6902. Raises if one does not fit it."""
    made = copy.deepcopy(lobby)
    for op in ops:
        *way, last = [key.replace("~1", "/").replace("~0", "~") for key in op["path"].split("/")[1:]]
        at = made
        for key in way:
            at = at[int(key)] if isinstance(at, list) else at[key]
        if isinstance(at, list):
            index = len(at) if last == "-" else int(last)
            if op["op"] == "add":
                at.insert(index, op["value"])
            elif op["op"] == "replace":
                at[index] = op["value"]
            else:
                del at[index]
        elif op["op"] == "remove":
            del at[last]
        else:
            at[last] = op["value"]
    return made


class Stream:
    """Follows one player's lobby. Iterate over `events`; any thread may `close` it. `polls`: it opens no stream."""

    def __init__(self, player: Any, *, connect: float = 10.0, silence: float = 45.0, poll: float = 3.0, heartbeat: float = 10.0,
                 retry_stream: float = 60.0, on_state: Optional[Callable[[str], None]] = None, polls: bool = False) -> None:
        self._player = player
        self._connect, self._silence = connect, silence
        self._poll, self._heartbeat, self._retry_stream = poll, heartbeat, retry_stream
        self._polls = polls
        self._on_state = on_state or (lambda state: None)
        self._state = ""
        self._known: Any = None  # the newest lobby
        self._shown: Any = None  # the same as a stream showed it, for the changes that follow
        self._last_id: Optional[str] = None
        self._failures = 0
        self._at_least = 0.0
        self._mute = 0
        self._departures = player.departures
        self._closed = threading.Event()
        self._has_left = False
        self._sock: Any = None

    def close(self) -> None:
        """Ends the iteration soon, with no more events."""
        self._closed.set()
        self._hang_up()

    def leave(self) -> None:
        """Ends the iteration soon: the player has left the lobby, of which a stream says nothing where others stay in it."""
        self._has_left = True
        self.close()

    def _opened(self, sock: Any) -> None:
        self._sock = sock
        if self._closed.is_set():  # Whoever closed it while it was connecting found no socket.
            self._hang_up()

    def _hang_up(self) -> None:
        sock, self._sock = self._sock, None
        if sock is not None:
            try:
                # Another thread may be reading. Closing would wait for it; this wakes it.
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def events(self) -> Iterator[dict[str, Any]]:
        """Each event as a dict with `type`. The last is `closed`. Raises what waiting cannot mend, such as a wrong key."""
        while not self._closed.is_set():
            is_polling = self._polls or self._mute >= MUTE
            ended = yield from (self._polling() if is_polling else self._streaming())
            if ended is not None:
                yield {"type": "closed", "reason": ended}
                return
            if self._failures > 0 and self._mute < MUTE:
                self._enter("waiting")
                self._closed.wait(self._at_least + back_off(self._failures))
                self._at_least = 0.0
        if self._has_left:
            yield {"type": "closed", "reason": "left"}

    def _enter(self, state: str) -> None:
        if self._state != state:
            self._state = state
            self._on_state(state)

    def _failed(self, error: MusterError) -> None:
        if self._closed.is_set():
            return
        if not error.is_passing:
            raise error
        self._failures += 1
        self._at_least = error.retry_after or 0.0

    def _streaming(self) -> Iterator[dict[str, Any]]:
        self._enter("connecting")
        opened_at: Optional[float] = None
        try:
            for name, data, event_id in self._read():
                if name == "replaced":
                    return "replaced"
                is_first, opened_at = opened_at is None, opened_at or time.monotonic()
                self._mute = 0
                self._enter("streaming")
                try:
                    told = self._told(name, data, event_id, is_first)
                except (AttributeError, KeyError, IndexError, TypeError, ValueError) as error:
                    # It is another lobby than the service's: the next stream begins with the whole one.
                    self._shown = self._last_id = None
                    raise MusterError("BAD_ANSWER", f"the event {name} is not understood: {error!r}", 200) from error
                if told is not None:
                    yield told
                    over = self._over(told)
                    if over is not None:
                        return over
            # A clean end comes from a proxy, which may be buffering everything.
            self._failures = 1 if self._is_steady(opened_at) else self._failures + 1
            self._mute += opened_at is None
        except MusterError as error:
            if self._is_steady(opened_at):
                self._failures = 0
            self._mute += opened_at is None and error.code in ("BAD_ANSWER", "TIMEOUT")
            if not self._player.renews(error):
                self._failed(error)
        finally:
            self._hang_up()
        return None

    @staticmethod
    def _is_steady(opened_at: Optional[float]) -> bool:
        return opened_at is not None and time.monotonic() - opened_at > STEADY

    def _read(self) -> Iterator[tuple[str, Any, Optional[str]]]:
        """The events of one connection: name, data, id."""
        resume = {"last-event-id": self._last_id} if self._last_id else {}
        lobby = self._shown["id"] if self._last_id and self._shown else None

        try:
            with self._player.open_stream(resume, lobby, self._connect, self._opened) as answer:
                if answer.status != 200:
                    raise error_of(answer.status, answer.headers.get("retry-after"), answer.read())
                if answer.headers.get_content_type() != "text/event-stream":
                    raise MusterError("BAD_ANSWER", "not an event stream", answer.status)
                name, data, event_id = "", [], None
                first_by = time.monotonic() + self._connect
                is_open = False
                while not self._closed.is_set() and (line := answer.readline()):
                    if not is_open and time.monotonic() > first_by:
                        raise MusterError("TIMEOUT", "the stream had no first event in time")
                    text = line.decode(errors="replace").rstrip("\r\n")
                    if text.startswith(":"):
                        self._player.told(text[1:].strip())
                    elif text == "" and data:
                        yield name, _parsed("\n".join(data)), event_id
                        is_open = is_open or self._allow_silence()
                        name, data = "", []
                    elif text == "":
                        name = ""
                    else:
                        field, _, value = text.partition(":")
                        value = value[1:] if value.startswith(" ") else value
                        if field == "event":
                            name = value
                        elif field == "data":
                            data.append(value)
                        elif field == "id":
                            event_id = value
        except (OSError, http.client.HTTPException) as error:
            raise network(error) from error

    def _allow_silence(self) -> bool:
        sock = self._sock
        if sock is not None:
            sock.settimeout(self._silence)
        return True

    def _see(self, lobby: Any, event_id: Optional[str]) -> Any:
        self._known = self._shown = lobby
        self._last_id = None if lobby is None else event_id
        return lobby

    def _told(self, name: str, data: Any, event_id: Optional[str], is_first: bool) -> Optional[dict[str, Any]]:
        """The event for the game. None for one that says nothing new, or that only newer clients know."""
        if name == "connected":
            return {"type": name, "lobby": self._see(data, event_id)}
        if name == "lobby_changed":
            if self._shown is None or self._shown["revision"] != data["from"]:
                raise ValueError(f"it begins from revision {data['from']}, which is not known")
            lobby = self._see(with_operations(self._shown, data["ops"]), event_id)
            return {"type": "connected" if is_first else "lobby_updated", "lobby": lobby}
        if name == "lobby_updated":
            known = self._known or {}
            if known.get("id") == data["id"] and data["revision"] <= known["revision"]:
                return None
            return {"type": name, "lobby": self._see(data, event_id)}
        if name == "queue_stats":
            return {"type": name, "stats": data}
        if name in ("matchmaking_timeout", "signal", "signals_lost", "lobby_deleted"):
            return {**(data or {}), "type": name}
        return None

    def _over(self, told: dict[str, Any]) -> Optional[str]:
        """Why the lobby is over for the player. None: it goes on."""
        if told["type"] == "lobby_deleted":
            return "left" if self._player.departures != self._departures else "deleted"
        if told["type"] == "lobby_updated" and not self._is_in(told["lobby"]):
            return "left" if self._player.departures != self._departures else "kicked"
        return None

    def _is_in(self, lobby: Any) -> bool:
        return "as" in lobby or any(each["id"] == self._player.id for each in lobby["players"])

    def _polling(self) -> Iterator[dict[str, Any]]:
        since, beat_at, is_first = time.monotonic(), float("-inf"), True
        self._mute = MUTE - 1  # One more such stream, and it polls again.
        while not self._closed.is_set():
            try:
                lobby = self._player.find_my_lobby()
                if lobby is not None and time.monotonic() - beat_at >= self._heartbeat:
                    beat_at = time.monotonic()
                    self._player.beat()
            except MusterError as error:
                self._failed(error)
                return None
            self._failures = 0
            self._enter("polling")
            before, self._known, self._shown, self._last_id = self._known, lobby, None, None
            if lobby is None and before is not None:
                return "left" if self._player.departures != self._departures else "gone"
            if is_first or (lobby or {}).get("id") != (before or {}).get("id"):
                yield {"type": "connected", "lobby": lobby}
            elif lobby is not None and lobby["revision"] > before["revision"]:
                yield {"type": "lobby_updated", "lobby": lobby}
            is_first = False
            self._closed.wait(min(self._poll, self._heartbeat))
            if time.monotonic() - since >= self._retry_stream:
                return None
        return None


def _parsed(data: str) -> Any:
    try:
        return json.loads(data)
    except ValueError as error:
        raise MusterError("BAD_ANSWER", "an event is not JSON", 200) from error

"""One request and its answer: headers, JSON, time limit, errors."""
import http.client
import json
import random
import socket
import time
from typing import Any, Optional
from urllib.parse import quote, urlencode, urlsplit

# Codes after which the same request may succeed, with nothing changed by the caller.
PASSING = {
    "NETWORK", "TIMEOUT", "BAD_ANSWER", "REQUEST_TIMEOUT", "RATE_LIMITED", "STORAGE_FULL", "OVERLOADED", "UNAVAILABLE", "INTERNAL",
}


class MusterError(Exception):
    """Every failure. `code` is one of the service, or NETWORK, TIMEOUT, BAD_ANSWER or NO_MATCH."""

    def __init__(self, code: str, detail: str, status: int = 0, retry_after: Optional[float] = None,
                 issues: Any = (), reason: Optional[str] = None) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.status = status  # of HTTP; 0 when no answer came
        self.retry_after = retry_after  # seconds, if the service said so
        self.issues = issues  # with VALIDATION_ERROR: what is wrong, and where
        self.reason = reason  # with NO_MATCH: why

    @property
    def is_passing(self) -> bool:
        """Whether a retry may help. The call may still have worked."""
        return self.code in PASSING


def network(error: Exception) -> MusterError:
    is_late = isinstance(error, (socket.timeout, TimeoutError))
    return MusterError("TIMEOUT" if is_late else "NETWORK", f"{type(error).__name__}: {error}")


def error_of(status: int, retry_after: Optional[str], body: bytes) -> MusterError:
    """The error of an answer that is not 2xx. What is not the service's own JSON comes from something before it."""
    seconds = float(retry_after) if retry_after and retry_after.isdigit() else None
    try:
        told = json.loads(body)
        code, detail = told["code"], told.get("detail") or told["error"]
    except (ValueError, KeyError, TypeError):
        code = {429: "RATE_LIMITED", 503: "UNAVAILABLE"}.get(status, "BAD_ANSWER")
        return MusterError(code, f"HTTP {status} from something in front of the service", status, seconds)
    return MusterError(code, detail, status, seconds, told.get("issues", ()))


def header_text(text: str) -> str:
    """Percent-encoded (RFC 8187) if it would not arrive unchanged."""
    is_plain = text.isascii() and text.isprintable() and text.strip() == text != "" and not text.lower().startswith("utf-8''")
    return text if is_plain else "utf-8''" + quote(text, safe="", errors="replace")


class Service:
    """The address and the key of a Muster. Each request has a connection of its own, so threads may share it."""

    def __init__(self, url: str, key: str = "", timeout: float = 15.0) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{url!r} is not an http or https address")
        self._parts = parts
        self._key = key
        self._timeout = timeout

    def request(self, method: str, path: str, *, body: Any = None, query: Any = None, headers: Any = None,
                timeout: float, opened: Any = None) -> http.client.HTTPResponse:
        """The answer with its body unread. `opened` is called with the socket. Raises MusterError if none comes."""
        asked = {name: _text(value) for name, value in (query or {}).items() if value is not None}
        target = self._parts.path.rstrip("/") + path + ("?" + urlencode(asked) if asked else "")
        sent = {"connection": "close", **({"api-key": self._key} if self._key else {})}
        sent.update({name: str(value) for name, value in (headers or {}).items() if value is not None})
        data = None
        if body is not None:
            sent["content-type"] = "application/x-ndjson" if isinstance(body, str) else "application/json"
            data = (body if isinstance(body, str) else json.dumps(body)).encode()
        is_safe = self._parts.scheme == "https"
        kind = http.client.HTTPSConnection if is_safe else http.client.HTTPConnection
        line = kind(self._parts.hostname or "", self._parts.port, timeout=timeout)
        try:
            line.connect()
            if opened is not None:
                opened(line.sock)
            line.request(method, target, data, {name: header_text(value) for name, value in sent.items()})
            return line.getresponse()
        except (OSError, http.client.HTTPException) as error:
            line.close()
            raise network(error) from error

    def call(self, method: str, path: str, **asked: Any) -> Any:
        """The JSON of a 2xx answer; text if it is none. What is refused as too much is asked again while there is time."""
        until = time.monotonic() + self._timeout
        while True:
            try:
                with self.request(method, path, timeout=self._timeout, **asked) as answer:
                    text = answer.read()
                    is_json = answer.headers.get_content_type() == "application/json"
                    status, after = answer.status, answer.headers.get("retry-after")
            except (OSError, http.client.HTTPException) as error:
                raise network(error) from error
            if 200 <= status < 300:
                return _read(status, text, is_json)
            error = error_of(status, after, text)
            # The jitter keeps clients that were refused together from coming back together.
            wait = (1 if error.retry_after is None else error.retry_after) + random.random()
            if error.code not in ("OVERLOADED", "RATE_LIMITED") or time.monotonic() + wait >= until:
                raise error
            time.sleep(wait)


def _read(status: int, text: bytes, is_json: bool) -> Any:
    if not is_json and not text.lstrip().startswith(b"<"):
        return text.decode(errors="replace")
    try:
        return json.loads(text)
    except ValueError as error:
        raise MusterError("BAD_ANSWER", "something else than Muster answers at this address", status) from error


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)

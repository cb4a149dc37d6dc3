#!/usr/bin/env python3
"""A matcher of your own: Muster says who waits, this says who plays whom, and Muster does the rest.

    SERVER_KEY=$(cat .muster/server-key) python3 matcher.py http://127.0.0.1:8787/v3 cup duel

Kill it at any point and start it again. The name of a match follows from its two tickets, so the same pair is the same match.
"""

import http.client
import json
import os
import sys
import time
from datetime import datetime
from urllib.parse import urlsplit

BASE, CONFIG, MODE = urlsplit(sys.argv[1]), sys.argv[2], sys.argv[3]
HEADERS = {"api-key": os.environ["SERVER_KEY"], "content-type": "application/json"}
CONNECTION = http.client.HTTPSConnection if BASE.scheme == "https" else http.client.HTTPConnection
MUSTER = CONNECTION(BASE.netloc, timeout=40)  # kept open: a new one with TLS costs each call two or three round trips
PAGE = 100  # changes in one answer, at most


class Refused(Exception):
    """The status of an answer, and its text."""


def call(method, path, body=None):
    MUSTER.request(method, BASE.path + path, None if body is None else json.dumps(body), HEADERS)
    answer = MUSTER.getresponse()
    text = answer.read()
    if answer.status >= 400:
        raise Refused(answer.status, text.decode())
    return json.loads(text)


def skill(ticket):
    return ticket["state"].get("mmr", 1000)


def in_reach(one, other, now):
    """The rule of this game: 50 apart at once, and 10 more with each second that the first of the two has waited."""
    since = min(datetime.fromisoformat(each["since"]).timestamp() for each in (one, other))
    return abs(skill(one) - skill(other)) <= 50 + 10 * (now - since)


def pairs(waiting, now):
    """The longest wait first, each with the nearest in reach."""
    left = sorted(waiting, key=lambda ticket: (ticket["since"], ticket["id"]))
    while left:
        first = left.pop(0)
        near = [other for other in left if in_reach(first, other, now)]
        if near:
            second = min(near, key=lambda other: abs(skill(first) - skill(other)))
            left.remove(second)
            yield sorted((first, second), key=lambda ticket: ticket["id"])


def make(pair):
    """True if there is such a match. Else one of the two is elsewhere by now, which the next changes tell, or does not answer."""
    teams = [{"lobbies": [ticket["lobbyId"]]} for ticket in pair]
    ref = " ".join(ticket["id"] for ticket in pair)
    try:
        call("POST", "/matches", {"config": CONFIG, "mode": MODE, "teams": teams, "ref": ref})
        return True
    except Refused as error:
        if error.args[0] not in (409, 503):
            raise
        print(ref, *error.args, file=sys.stderr)
        return False


def run():
    waiting, after = {}, ""
    while True:
        wait = 1 if waiting else 20
        news = call("GET", f"/queues/{CONFIG}/{MODE}/tickets?after={after}&wait={wait}")
        if news["whole"]:
            waiting.clear()
        waiting.update((ticket["id"], ticket) for ticket in news["tickets"])
        for gone in news["gone"]:
            waiting.pop(gone, None)
        after = news["next"]
        if len(news["tickets"]) + len(news["gone"]) == PAGE:
            continue
        for pair in list(pairs(waiting.values(), time.time())):
            if make(pair):
                for ticket in pair:
                    del waiting[ticket["id"]]


while True:
    try:
        run()
    except (OSError, http.client.HTTPException, Refused) as error:  # Muster is away, or answers an error: begin again
        print(error, file=sys.stderr)
        MUSTER.close()
        time.sleep(1)

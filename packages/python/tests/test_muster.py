"""What a service does rarely, or at a moment that cannot be chosen, a simulated one does here: python3 -m unittest discover tests"""
import json
import os
import queue
import re
import sys
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parent.parent))
from muster import GameServer, Player, address_of  # noqa: E402

PATIENCE = 20  # seconds, for what comes at once
ADDRESS = {"host": "127.0.0.1", "external_port": 7}


def lobby(status="waiting", revision=1, **server):
    running = {"instance_id": "i", "status": "running", "network_ports": [ADDRESS], **server}
    shown = {"id": "l", "revision": revision, "status": status, "host": "ann", "players": [{"id": "ann"}, {"id": "ben"}]}
    return {**shown, "matchmaking": None, "server": running if status == "in_game" else None}


class Answers(BaseHTTPRequestHandler):
    def log_message(self, *words):
        pass

    def answer(self, said, status=200):
        text = json.dumps(said).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_GET(self):
        service = self.server
        if "/me/events" not in self.path:
            service.asked("poll")
            return self.answer(service.lobby)
        service.asked("stream")
        if service.is_mute:
            service.over.wait()
            return
        says = queue.Queue()
        with service.lock:
            for each in service.streams:
                each.put("event: replaced\ndata: null\n\n")
            service.streams.append(says)
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self.wfile.write(f"event: connected\ndata: {json.dumps(service.lobby)}\n\n".encode())
        service.asked("stream opened")
        while (frame := says.get()) is not None:
            self.wfile.write(frame.encode())
            self.wfile.flush()

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        self.server.bodies.append((self.path, json.loads(body or "null")))
        if self.path.endswith("/matchmaking"):
            self.server.lobby = lobby("in_queue", 2)
        self.answer(self.server.lobby or lobby())

    def do_DELETE(self):
        if self.server.is_left_before:
            return self.answer({"error": "Lobby not found", "detail": "", "status": 404, "code": "LOBBY_NOT_FOUND"}, 404)
        return self.answer(lobby())


class SimulatedMuster(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answers)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.lobby = lobby()
        self.lock, self.over = threading.Lock(), threading.Event()
        self.streams, self.bodies, self.calls = [], [], queue.Queue()
        self.is_mute = self.is_left_before = False

    def asked(self, what):
        self.calls.put(what)

    def until(self, what):
        while self.calls.get(timeout=PATIENCE) != what:
            pass

    def close(self):
        self.over.set()
        for each in self.streams:
            each.put(None)
        self.shutdown()
        self.server_close()


class Simulated(unittest.TestCase):
    def setUp(self):
        self.service = SimulatedMuster()
        threading.Thread(target=self.service.serve_forever, args=(0.02,), daemon=True).start()
        self.addCleanup(self.service.close)
        self.threads = ThreadPoolExecutor()
        self.addCleanup(self.threads.shutdown)

    def player(self, kind=Player, **options):
        me = kind(self.service.url, "key", "arena", "ann", poll=0.01, **options)
        self.addCleanup(me.close)
        return me

    def heard(self, me):
        """What the player hears, as it comes."""
        events = queue.Queue()
        self.threads.submit(lambda: [events.put(event) for event in me.events()])
        return lambda: events.get(timeout=PATIENCE)

    def test_a_following_ends_when_the_player_leaves(self):
        for is_left_before in (False, True):
            with self.subTest(is_left_before=is_left_before):
                self.service.is_left_before = is_left_before
                me = self.player()
                hears = self.heard(me)
                self.assertEqual(hears()["type"], "connected")
                me.leave()
                self.assertEqual(hears(), {"type": "closed", "reason": "left"})

    def test_a_search_ends_when_the_player_leaves(self):
        me = self.player()
        playing = self.threads.submit(me.play, "duel")
        self.service.until("stream opened")
        me.leave()
        error = playing.exception(timeout=PATIENCE)
        self.assertEqual((error.code, error.reason), ("NO_MATCH", "left"))

    def test_a_match_ends_when_the_player_leaves(self):
        self.service.lobby = lobby("in_game")
        me = self.player()
        match = me.play("duel")
        me.leave()
        self.assertEqual(match.ended.result(timeout=PATIENCE)["status"], "in_game")

    def test_a_search_ends_when_the_player_is_in_no_lobby_or_another_one(self):
        for found in (None, {**lobby(), "id": "other", "revision": 0}):
            with self.subTest(found=found):
                me = self.player()
                self.service.lobby = lobby()
                playing = self.threads.submit(me.play, "duel")
                self.service.until("stream opened")
                self.service.lobby = found
                self.service.streams[-1].put(f"event: connected\ndata: {json.dumps(found)}\n\n")
                self.assertEqual(playing.exception(timeout=PATIENCE).code, "NO_MATCH")

    def test_a_match_goes_on_beside_a_following(self):
        self.service.lobby = lobby("in_game")
        me = self.player()
        match = me.play("duel")
        self.service.until("stream opened")
        hears = self.heard(me)
        self.assertEqual(hears()["type"], "connected")
        self.service.until("poll")
        self.service.until("poll")
        self.assertFalse(match.ended.done())
        self.service.lobby = lobby("waiting", 2)
        self.assertEqual(match.ended.result(timeout=PATIENCE)["status"], "waiting")

    def test_a_close_while_it_connects_is_not_forgotten(self):
        class Closing(Player):
            def open_stream(self, resume, lobby, connect, opened):
                self.close()
                return super().open_stream(resume, lobby, connect, opened)

        self.assertEqual(list(self.player(Closing).events()), [])

    def test_where_no_stream_gets_through_one_trial_is_between_two_polls(self):
        self.service.is_mute = True
        self.heard(self.player(connect=0.2, retry_stream=0.05))
        asked = ""
        while asked.count("s") < 4:
            asked += self.service.calls.get(timeout=PATIENCE)[0]
        self.assertRegex(asked, re.compile("^ssp+sp+s$"))

    def test_a_player_hosts_the_game(self):
        self.assertEqual(address_of(lobby("in_game", network_ports=[], host_player="ben")), ("ben", 0))
        self.assertIsNone(address_of(lobby("in_game", network_ports=[], host_player=None)))

    def test_the_name_of_a_lobby_is_as_long_as_the_service_allows(self):
        self.service.lobby = None
        me = self.player()
        me.id = "😀" * 60
        self.threads.submit(me.play, "duel")
        self.service.until("stream opened")
        self.assertEqual(self.service.bodies[0][1]["name"], "😀" * 50)

    def test_a_result_goes_to_a_service_below_a_path(self):
        told = {"instance_id": "i", "token": "t", "report_url": f"{self.service.url}/games/v3/servers/i/status", "custom_data": {}}
        with patch.dict(os.environ, {"MUSTER_JSON": json.dumps(told)}):
            GameServer().report_result([])
        self.assertEqual(self.service.bodies[0][0], "/games/v3/servers/i/result")


if __name__ == "__main__":
    unittest.main()

"""The conformance of this package: prints the lines of packages/conformance/steps.json."""
import sys

from muster import GameServer, MusterError, Player, address_of

url, key, config, name, scenario, extra = sys.argv[1:7]
tokens = iter(f"t{index}" for index in range(1, 100))


def say(*words):
    print(*words, flush=True)


def player(**options):
    token = (lambda: next(tokens)) if scenario in ("calls", "token") else None
    return Player(url, key, config, name, token=token, connect=4, silence=3, poll=0.3, heartbeat=1, **options)


def refused(what, run):
    try:
        run()
        say(what, "worked")
    except MusterError as error:
        issues = [each["path"] for each in error.issues]
        say(what, error.code, error.status, *issues)


def calls():
    me = player()
    me.get_health()
    say("health ok")
    say("where_am_i", len(me.where_am_i()))
    me.create_lobby(config, {"name": "Den"})
    say("create ok")
    refused("create again", lambda: me.create_lobby(config, {"name": "Den"}))
    say("where_am_i", len(me.where_am_i()))
    lobby = me.update_my_state(config, {"state": {"text": 'zwölf 😀 "quoted"'}})
    say("state", lobby["players"][0]["state"]["text"])
    say("settings", me.update_lobby_settings(config, {"name": "Den"})["name"])
    refused("settings wrong", lambda: me.update_lobby_settings(config, {"maxPlayers": 0}))
    say("moved", me.move_to(config, {"config": "hall"})["config"])
    refused("move unknown", lambda: me.move_to(config, {"config": "nosuch"}))
    refused("rematch", lambda: me.rematch(config))
    refused("mode unknown", lambda: me.start_matchmaking(config, {"mode": "nosuch"}))
    me.leave()
    say("leave ok")
    me.leave()
    say("leave again ok")
    refused("lobby gone", lambda: me.get_my_lobby(config))
    say("find", "none" if me.find_my_lobby() is None else "one")
    me.quick_join({"create": {"name": "Den"}})
    say("token renewed")
    me.send_heartbeat(config)
    me.leave()
    say("leave ok")
    say("retry after 503 ok")
    refused("not Muster", lambda: me.decline_match(config))
    refused("wrong key", lambda: Player(url, "nosuch", config, name).where_am_i())
    refused("nobody there", lambda: Player("http://127.0.0.1:1", key, config, name).where_am_i())


def follow(me):
    shown, at = None, config
    for event in me.events():
        kind = event["type"]
        if kind in ("connected", "lobby_updated") and event["lobby"] is not None:
            lobby = event["lobby"]
            if lobby["config"] != at:
                at = lobby["config"]
                say("moved", at)
            line = f"lobby {lobby['status']} {len(lobby['players'])} {lobby['settings'].get('mark', '-')}"
            if line != shown and ("as" in lobby or any(each["id"] == name for each in lobby["players"])):
                say(line)
                if lobby["settings"].get("mark") == "leave":
                    me.leave()
                    say("leave ok")
            shown = line
        elif kind == "matchmaking_timeout":
            say("search ended", event["reason"])
        elif kind == "signal":
            say("signal", event["data"]["text"])
        elif kind == "closed":
            say("closed", event["reason"])


def joined():
    me = player(on_state=lambda state: say("state", state) if state == "polling" else None)
    me.join_lobby(config, {"code": extra})
    say("join ok")
    follow(me)


def created():
    me = player()
    me.create_lobby(config, {"name": "Den", "isPrivate": True})
    say("create ok")
    follow(me)


def play():
    me = player()
    match = me.play("solo")
    say("in_game", f"{match.host}:{match.port}")
    say("ticket of team", match.team)
    say("ended", match.ended.result()["status"])
    match = me.play("agreed")
    say("confirmed", f"{match.host}:{match.port}")
    say("ended", match.ended.result()["status"])
    try:
        me.play("never")
    except MusterError as error:
        say("no match", error.reason)


def lost():
    me = player()
    me.join_lobby(config, {"code": extra})
    say("join ok")
    try:
        me.play("large")
    except MusterError as error:
        say("no match", error.reason)


def watch():
    me = player()
    me.join_lobby(config, {"code": extra, "as": "spectator"})
    say("watch ok")
    match = me.play("solo")
    say("watching", f"{match.host}:{match.port}")
    say("ticket of" if match.ticket else "no ticket", "no team" if match.team is None else match.team)
    say("ended", match.ended.result()["status"])
    follow(me)


def shows(me, holds):
    return next(lobby for lobby in me.follow() if lobby is not None and holds(lobby))


def rematch():
    me = player()
    match = me.play("duel")
    say("in_game", f"{match.host}:{match.port}")
    say("ended", match.ended.result()["status"])
    asked = shows(me, lambda lobby: "rematch" in lobby)["rematch"]
    say("rematch", asked["yes"], "of", asked["needed"])
    me.rematch(config)
    host, port = address_of(shows(me, address_of))
    say("again", f"{host}:{port}")
    say("ended", shows(me, lambda lobby: lobby["status"] == "waiting")["status"])
    asked = me.rematch(config)["rematch"]
    say("rematch", asked["yes"], "of", asked["needed"])
    shows(me, lambda lobby: "rematch" not in lobby)
    say("no rematch")


def server():
    game = GameServer()
    say("match", game.mode, len(game.players))
    seat = game.seat_of(extra)
    teams = {each.id: each.team for each in game.players}
    say("seat", "in its team" if seat["team"] == teams[seat["player"]] else "elsewhere")
    say("forged", "refused" if game.seat_of(extra[:-4] + "AAAA") is None else "taken")
    teams = [{"team": 0, "score": 3}, {"team": 1, "score": 1}]
    game.report_result(teams)
    say("result ok")
    game.report_result(teams)
    say("result once")
    refused("other result", lambda: game.report_result([{"team": 0, "score": 0}, {"team": 1, "score": 9}]))


RUN = {"calls": calls, "follow": joined, "token": joined, "poll": joined, "replaced": created, "deleted": created,
       "play": play, "lost": lost, "watch": watch, "rematch": rematch, "server": server}
RUN[scenario]()

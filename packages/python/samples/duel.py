"""Two bots meet and play: python3 samples/duel.py [URL]"""
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from muster import MusterError, Player  # noqa: E402


def say(text: str) -> None:
    # print() writes the end of the line apart, and another thread may write in between.
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


url = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8787"


def bot(name: str) -> None:
    me = Player(url, "client_dev_key", "arena", name)
    try:
        match = me.play("duel")
        say(f"{name} connects to {match.host}:{match.port}")
        say(f"{name} is back in {match.ended.result()['status']}")
    except MusterError as error:
        say(f"{name}: {error.code} {error.reason or error.detail}")
    finally:
        me.leave()


bots = [threading.Thread(target=bot, args=(name,)) for name in ("ann", "ben")]
for each in bots:
    each.start()
for each in bots:
    each.join()

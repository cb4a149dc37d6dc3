// A match of Ann and Ben from nothing to a running game server and back, told step by step. Both are
// ordinary players of the client library; what they send and hear is shown as it happens.

import { addressOf, type Lobby, MusterPlayer } from '@muster/client';

export type Who = 'ann' | 'ben';
export type Step = 'lobbies' | 'search' | 'match' | 'server' | 'back';

/** One call or event: its text, and the status or what the event says. */
export interface Line {
  readonly kind: 'call' | 'refused' | 'event';
  readonly text: string;
  readonly note: string;
}

export interface View {
  say(text: string): void;
  step(step: Step): void;
  /** `address`: where the player's game connects, once its server runs. */
  lobby(who: Who, lobby: Lobby | null, address: string | null): void;
  line(who: Who, line: Line): void;
}

export interface Where {
  readonly url: string;
  readonly key: string;
  readonly config: string;
  readonly mode: string;
}

/** Long enough to read what has happened. */
const PACE_MS = 900;
const SERVER_MS = 30_000;

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** One of the two, whose stream keeps the newest lobby. */
class Side {
  readonly who: Who;
  readonly player: MusterPlayer;
  readonly #view: View;
  readonly #over = new AbortController();
  #lobby: Lobby | null = null;
  #changed: () => void = () => {};

  constructor(who: Who, where: Where, view: View) {
    this.who = who;
    this.#view = view;
    // Two readers of one service, or two tabs of one reader, are different players.
    // Browsers have no `crypto.randomUUID` for pages that came over plain HTTP from another machine.
    const id = `${who}-${Math.random().toString(36).slice(2, 10)}`;
    this.player = new MusterPlayer({
      ...where,
      player: id,
      fetch: (url, init) => this.#send(url, init),
    });
  }

  async #send(url: string, init: RequestInit & { method: string }): Promise<Response> {
    const { pathname } = new URL(url);
    const response = await fetch(url, init);
    const kind = response.ok ? 'call' : 'refused';
    const body = typeof init.body === 'string' && init.body.length < 60 ? ` ${init.body}` : '';
    const text = `${init.method} ${pathname}${body}`;
    this.#view.line(this.who, { kind, text, note: String(response.status) });
    return response;
  }

  async open(): Promise<void> {
    const name = this.who === 'ann' ? 'Ann’s lobby' : 'Ben’s lobby';
    this.#draw(await this.player.createLobby({ name, state: { mmr: 1200 } }));
    void this.#follow();
  }

  async #follow(): Promise<void> {
    try {
      for await (const event of this.player.streamEvents({ signal: this.#over.signal })) {
        if (event.type === 'connected' || event.type === 'lobby_updated') {
          const { lobby } = event;
          const server = lobby?.server === null ? '' : ` ${lobby?.server?.status ?? ''}`;
          this.#event(event.type, `${lobby?.status ?? ''}${server}`);
          this.#draw(lobby);
        } else if (event.type === 'queue_stats') {
          this.#event(event.type, `${event.stats.playersSearching} searching`);
        } else if (event.type === 'matchmaking_timeout') {
          this.#event(event.type, event.reason);
        }
      }
    } catch {
      // The stream ends with the match; whatever else ends it shows in the next call.
    }
  }

  #event(text: string, note: string): void {
    this.#view.line(this.who, { kind: 'event', text, note });
  }

  #draw(lobby: Lobby | null): void {
    if (lobby !== null && lobby.revision < (this.#lobby?.revision ?? 0)) {
      return;
    }
    this.#lobby = lobby;
    const at = addressOf(lobby);
    this.#view.lobby(this.who, lobby, at === null ? null : `${at.host}:${at.port}`);
    this.#changed();
  }

  /** Resolves when the lobby is as asked; rejects when the search or the wait is over before. */
  async until(isThere: (lobby: Lobby) => boolean, ms: number): Promise<void> {
    const deadline = Date.now() + ms;
    while (this.#lobby === null || !isThere(this.#lobby)) {
      const returned = this.#lobby?.returned;
      const left = deadline - Date.now();
      if (returned !== undefined) {
        throw new Error(
          `The search ended without a match: ${returned.reason.replaceAll('_', ' ')}.`,
        );
      }
      if (left <= 0) {
        throw new Error(
          'Nothing came for 30 seconds. The dashboard shows what the service is doing.',
        );
      }
      await Promise.race([
        pause(left),
        new Promise<void>((resolve) => {
          this.#changed = resolve;
        }),
      ]);
    }
  }

  async leave(): Promise<void> {
    this.#over.abort();
    await this.player.leaveLobby().catch(() => null);
    this.#lobby = null;
    this.#view.lobby(this.who, null, null);
  }
}

/** Plays it. `whileRunning` resolves when the match is to end. Both players have left whatever happens. */
export async function playMatch(
  where: Where,
  view: View,
  whileRunning: () => Promise<void>,
): Promise<void> {
  const [ann, ben] = [new Side('ann', where, view), new Side('ben', where, view)];
  const both = [ann, ben];
  try {
    view.step('lobbies');
    view.say('Each player creates a lobby and opens its event stream.');
    await Promise.all(both.map((side) => side.open()));
    await pause(PACE_MS);
    view.step('search');
    view.say(`Ann’s lobby enters the queue of the mode “${where.mode}”, and waits.`);
    await ann.player.startMatchmaking(where.mode);
    await pause(PACE_MS * 2);
    view.step('match');
    view.say('Ben enters too. They fit, so they are matched at once.');
    await ben.player.startMatchmaking(where.mode);
    await pause(PACE_MS);
    await Promise.all(both.map((side) => confirmed(side)));
    view.step('server');
    view.say('One game server starts for both.');
    await Promise.all(
      both.map((side) => side.until((lobby) => addressOf(lobby) !== null, SERVER_MS)),
    );
    view.say('The game server runs. Both players know where to connect.');
    await whileRunning();
    view.step('back');
    await ann.player.endMatch();
    await Promise.all(
      both.map((side) => side.until(({ status }) => status === 'waiting', SERVER_MS)),
    );
    view.say('The server has stopped. Both lobbies wait again, with the same players and code.');
    await pause(PACE_MS * 2);
  } finally {
    await Promise.all(both.map((side) => side.leave()));
  }
}

/** A mode may ask players to accept. */
async function confirmed(side: Side): Promise<void> {
  await side.until(({ status }) => !['waiting', 'in_queue'].includes(status), SERVER_MS);
  const { matchmaking } = await side.player.getMyLobby();
  if (matchmaking?.confirmation?.confirmed === false) {
    await side.player.confirmMatch();
  }
}

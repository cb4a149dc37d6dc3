// Acknowledged requests to queue, and what must come of them: the lobby searches on with the wait
// it began with, until a request ends that or a match takes it; and each match that took it can be
// shown: a server was launched whose teams name the lobby.

import type { Lobby } from '../../scripts/player.ts';
import type { Log } from './log.ts';
import type { Span } from './register.ts';

/** What a mode of the torture's configs promises. */
export interface ModePromise {
  /** Nothing in this mode ever matches, so a queued lobby stays until somebody ends the search. */
  readonly never: boolean;
  /** Seconds after which a search may time out. */
  readonly timeout: number;
  /** Every match of it is launched, with all its lobbies named at the launch. */
  readonly proves: boolean;
}

interface Search {
  readonly mode: string;
  readonly startedAt: string;
  readonly span: Span;
}

/** A lobby left the queue, and only a match can have taken it. */
export interface Taken {
  readonly lobby: string;
  readonly startedAt: number;
  readonly seen: string;
}

/** Requests that were accepted, or may have been. */
export interface Asked extends Span {
  readonly kind: 'queue' | 'cancel';
  readonly lobby: string;
  sure: boolean;
}

/** The service has the same clock as we do, but its time stands still while it computes. */
const CLOCK_SLACK_MS = 250;

export class Searches {
  readonly #log: Log;
  readonly #modes = new Map<string, ModePromise>();
  readonly #searches = new Map<string, Search>();
  readonly #enders = new Map<string, Span[]>();
  readonly taken: Taken[] = [];
  readonly #asked = new Map<string, Asked[]>();

  constructor(log: Log) {
    this.#log = log;
  }

  promise(config: string, mode: string, promised: ModePromise): void {
    this.#modes.set(`${config}/${mode}`, promised);
  }

  /** A request that may end a search: cancel, leave, kick, deletion. Set `to` when it is over. */
  ends(lobby: string, from: number): Span {
    const span: Span = { from, to: Infinity };
    this.#enders.set(lobby, [...(this.#enders.get(lobby) ?? []), span]);
    return span;
  }

  ask(kind: Asked['kind'], lobby: string, from: number): Asked {
    const asked: Asked = { kind, lobby, from, to: Infinity, sure: false };
    this.#asked.set(lobby, [...(this.#asked.get(lobby) ?? []), asked]);
    return asked;
  }

  drop(asked: Asked): void {
    const others = this.#asked.get(asked.lobby)?.filter((each) => each !== asked);
    this.#asked.set(asked.lobby, others ?? []);
  }

  /** A request to queue was acknowledged with this lobby. */
  began(lobby: Lobby, span: Span): void {
    const { matchmaking, status } = lobby;
    if (matchmaking === null || status !== 'in_queue') {
      this.#log.violation(`lobby ${lobby.id} queued, and the answer shows ${status}`, [lobby.id]);
      return;
    }
    const { mode, startedAt } = matchmaking;
    this.#searches.set(lobby.id, { mode, startedAt, span });
  }

  judge(lobby: Lobby, span: Span): void {
    const search = this.#searches.get(lobby.id);
    if (search === undefined || search.span.to > span.from) {
      return;
    }
    const enders = this.#enders.get(lobby.id) ?? [];
    if (enders.some(({ from, to }) => to >= search.span.from && from <= span.to)) {
      this.#searches.delete(lobby.id);
      return;
    }
    const { mode, startedAt } = search;
    const promised = this.#modes.get(`${lobby.config}/${mode}`);
    const wait = Date.now() - Date.parse(startedAt);
    if (promised === undefined || wait >= promised.timeout * 1000) {
      this.#searches.delete(lobby.id);
      return;
    }
    if (lobby.matchmaking?.startedAt === startedAt) {
      return;
    }
    this.#searches.delete(lobby.id);
    const seen = `${lobby.status} at revision ${lobby.revision}`;
    if (promised.never) {
      const what = `lobby ${lobby.id} queued for ${mode} since ${startedAt}, is ${seen}`;
      this.#log.violation(what, [lobby.id]);
    } else if (promised.proves) {
      this.taken.push({ lobby: lobby.id, startedAt: Date.parse(startedAt), seen });
    }
  }

  /**
   * Compares with the matches that were launched: lobby ids and when. Each lobby taken from the
   * queue is in one since; none is in one launched after its cancel was acknowledged.
   */
  prove(matches: readonly { readonly at: number; readonly lobbies: readonly string[] }[]): number {
    for (const { lobby, startedAt, seen } of this.taken) {
      const isShown = matches.some(
        ({ at, lobbies }) => at >= startedAt - CLOCK_SLACK_MS && lobbies.includes(lobby),
      );
      if (!isShown) {
        const since = new Date(startedAt).toISOString();
        this.#log.violation(
          `lobby ${lobby} queued since ${since}, is ${seen}, and no match took it`,
          [lobby],
        );
      }
    }
    const proved = this.taken.length;
    this.taken.length = 0;
    for (const { at, lobbies } of matches) {
      for (const lobby of lobbies) {
        this.#notAfterCancel(lobby, at);
      }
    }
    return proved;
  }

  #notAfterCancel(lobby: string, launchedAt: number): void {
    const at = launchedAt - performance.timeOrigin;
    const asked = (this.#asked.get(lobby) ?? []).filter(({ from }) => from <= at);
    const queued = asked.filter(({ kind }) => kind === 'queue');
    const latest = Math.max(0, ...queued.map(({ to }) => to));
    const cancelled = asked.find(
      ({ kind, sure, from, to }) =>
        kind === 'cancel' && sure && from >= latest && to + CLOCK_SLACK_MS < at,
    );
    if (cancelled !== undefined) {
      this.#log.violation(`lobby ${lobby} was matched after its cancel was acknowledged`, [lobby]);
    }
  }
}

// A phantom player: a real API client with an id of its own. It opens a lobby beside those of real
// players (decision record 0021), queues, accepts or declines, plays for a while and leaves. It asks for its lobby each second, as
// a game does that has no stream: over HTTP/1.1 a browser opens only six connections to one host.

import type { JsonObject } from '../src/common/json';
import type { Happening, Match } from '../packages/js/src/journal-types.ts';
import type { LobbyView } from '../src/lobby/view';
import { playgroundOf } from '../src/lobby/playground';
import { ApiError, ask, pathOf } from './api';
import { reasonText } from './history';
import { pause } from './live';

export type Phase =
  | 'joining'
  | 'searching'
  | 'accepting'
  | 'declined'
  | 'matched'
  | 'playing'
  | 'unmatched'
  | 'left'
  | 'failed';

export interface PhantomPlan {
  readonly config: string;
  readonly mode: string;
  readonly state: JsonObject;
  /** 0 to 1: how likely it declines a match it is asked to accept. */
  readonly declineRate: number;
  /** How long it stays in a game before it ends it and leaves. */
  readonly playSeconds: number;
}

export interface Phantom {
  readonly id: string;
  readonly state: JsonObject;
  readonly phase: Phase;
  /** Seconds from queueing to the match; null before. */
  readonly waited: number | null;
  readonly matchId: string | null;
  readonly lobbyId: string | null;
  readonly note: string;
}

const LOOK_MS = 1_000;
const OVER: ReadonlySet<Phase> = new Set(['unmatched', 'declined', 'left', 'failed']);

export function isOver({ phase }: Phantom): boolean {
  return OVER.has(phase);
}

/** Lives until it has played, gave up, or the signal; tells every change of itself. */
export class PhantomPlayer {
  readonly #plan: PhantomPlan;
  readonly #tell: (phantom: Phantom) => void;
  #now: Phantom;
  #queuedAt = 0;
  #token: string | null = null;
  #playingSince: number | null = null;

  constructor(id: string, plan: PhantomPlan, tell: (phantom: Phantom) => void) {
    this.#plan = plan;
    this.#tell = tell;
    const { state } = plan;
    this.#now = {
      id,
      state,
      phase: 'joining',
      waited: null,
      matchId: null,
      lobbyId: null,
      note: '',
    };
  }

  async run(signal: AbortSignal): Promise<void> {
    this.#change({});
    try {
      await this.#enter();
      while (!isOver(this.#now) && !signal.aborted) {
        await pause(LOOK_MS, signal);
        if (!signal.aborted) {
          await this.#look();
        }
      }
    } catch (error) {
      this.#change({ phase: 'failed', note: error instanceof Error ? error.message : '' });
    }
    await this.#leave();
  }

  #change(patch: Partial<Phantom>): void {
    this.#now = { ...this.#now, ...patch };
    this.#tell(this.#now);
  }

  async #call<T = LobbyView>(method: string, below: string, body?: unknown): Promise<T> {
    const line = `${method} /lobbies${pathOf(playgroundOf(this.#plan.config))}${below}`;
    const once = async (): Promise<T> => {
      const token = this.#token === null ? {} : { 'x-player-token': this.#token };
      const headers = { 'x-player-id': this.#now.id, ...token };
      return (await ask<T>(line, body === undefined ? { headers } : { headers, body })).body;
    };
    try {
      return await once();
    } catch (error) {
      // A project that wants player tokens: the dashboard mints them, as a backend would.
      if (!(error instanceof ApiError && error.code.startsWith('PLAYER_TOKEN'))) {
        throw error;
      }
      const minted = await ask<{ readonly token: string }>(
        `POST /players${pathOf(this.#now.id)}/token`,
      );
      this.#token = minted.body.token;
      return once();
    }
  }

  async #enter(): Promise<void> {
    const { mode, state } = this.#plan;
    const lobby = await this.#call('POST', '', { name: this.#now.id, state });
    this.#change({ lobbyId: lobby.id });
    const queued = await this.#call('POST', '/me/matchmaking', { mode });
    this.#queuedAt = Date.parse(queued.matchmaking?.startedAt ?? queued.updatedAt);
    this.#change({ phase: 'searching' });
  }

  async #look(): Promise<void> {
    const lobby = await this.#call('GET', '/me');
    const { status, matchId } = lobby;
    if (status === 'waiting') {
      await this.#cameBack();
      return;
    }
    if (matchId !== null && this.#now.waited === null) {
      // By the service's times: this page only looks now and then.
      const waited = (Date.parse(lobby.updatedAt) - this.#queuedAt) / 1000;
      this.#change({ matchId, waited });
    }
    if (status === 'match_found') {
      await this.#answer(lobby);
    } else if (status === 'matched') {
      this.#change({ phase: 'matched' });
    } else if (status === 'in_game') {
      await this.#play();
    }
  }

  /** From the queue, from a match that was declined, or from a game that another ended. */
  async #cameBack(): Promise<void> {
    if (this.#now.phase === 'declined') {
      return;
    }
    const last = await this.#lastReturn();
    const reason = last?.reason ?? null;
    const matchId = last?.matchId ?? this.#now.matchId;
    if (reason === 'launch_failed') {
      const why = matchId === null ? null : await this.#whyFailed(matchId);
      const note = `a match was made, but its server failed to start${why === null ? '' : `: ${why}`}`;
      this.#change({ phase: 'failed', matchId, note });
    } else if (reason === 'game_ended' || (reason === null && this.#now.phase === 'playing')) {
      this.#change({ phase: 'left', matchId, note: 'the game ended' });
    } else {
      const unknown = 'back without a game; the journal that would say why is off';
      const note = reason === null ? unknown : reasonText(reason);
      this.#change({ phase: 'unmatched', note });
    }
  }

  /** Of a lobby that waits again: what brought it back. Null without a journal. */
  async #lastReturn(): Promise<Happening | null> {
    const { lobbyId } = this.#now;
    const path = pathOf(playgroundOf(this.#plan.config), lobbyId ?? '');
    try {
      const told = await ask<{ readonly items: readonly Happening[] }>(
        `GET /lobbies${path}/history`,
      );
      const isReturn = ({ kind }: Happening): boolean =>
        kind === 'returned' || kind === 'left_queue';
      return told.body.items.findLast(isReturn) ?? null;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) {
        return null;
      }
      throw error;
    }
  }

  async #whyFailed(matchId: string): Promise<string | null> {
    try {
      return (await ask<Match>(`GET /matches${pathOf(matchId)}`)).body.detail;
    } catch {
      // The match page says it as well, where there is one.
      return null;
    }
  }

  async #answer({ matchmaking }: LobbyView): Promise<void> {
    if (matchmaking?.confirmation?.confirmed === true || this.#now.phase === 'declined') {
      return;
    }
    if (Math.random() < this.#plan.declineRate) {
      await this.#call('DELETE', '/me/confirm-match');
      this.#change({ phase: 'declined', note: 'declined' });
      return;
    }
    this.#change({ phase: 'accepting' });
    try {
      await this.#call('POST', '/me/confirm-match');
    } catch (error) {
      // Another declined just before.
      if (!(error instanceof ApiError && error.status === 409)) {
        throw error;
      }
    }
  }

  async #play(): Promise<void> {
    this.#playingSince ??= Date.now();
    if (this.#now.phase !== 'playing') {
      this.#change({ phase: 'playing' });
    }
    if (Date.now() - this.#playingSince >= this.#plan.playSeconds * 1000) {
      this.#change({ phase: 'left', note: 'played to the end' });
    }
  }

  async #leave(): Promise<void> {
    try {
      await this.#call('DELETE', '/me');
    } catch {
      // It is in no lobby any more, or the service is away; an idle lobby ends by itself.
    }
    if (!isOver(this.#now)) {
      this.#change({ phase: 'left', note: 'stopped' });
    }
  }
}

// The event stream of one player, reopened whenever it breaks. Its events are checked.

import { setTimeout as sleep } from 'node:timers/promises';

import type { Lobby, Player, Seen, Stream } from '../../scripts/player.ts';
import type { Random } from './random.ts';
import { shortly } from './request.ts';
import type { World } from './world.ts';

export interface Listening {
  readonly config: string;
  readonly place: string;
  readonly random: Random;
}

export class Listener {
  readonly #world: World;
  readonly #player: Player;
  readonly #as: Listening;
  #stream: Stream | null = null;
  #lastEventId: string | undefined;
  #isWanted = false;
  /** One loop a player: a second stream would end the first. */
  #isKept = false;
  /** The newest revision this stream showed; null before its first event. */
  heard: { readonly lobby: string | null; readonly revision: number } | null = null;
  onLobby: (lobby: Lobby) => void = () => undefined;

  constructor(world: World, player: Player, as: Listening) {
    this.#world = world;
    this.#player = player;
    this.#as = as;
  }

  get isOpen(): boolean {
    return this.#stream !== null;
  }

  /** From now on, a stream is open whenever the service is up. */
  listen(): void {
    this.#isWanted = true;
    if (!this.#isKept) {
      this.#isKept = true;
      void this.#keep();
    }
  }

  /** Hangs up, until `listen` is called again. */
  hangUp(): void {
    this.#isWanted = false;
    this.#stream?.close();
  }

  async #keep(): Promise<void> {
    while (this.#isWanted) {
      await this.#world.up.passed();
      try {
        const { config } = this.#as;
        const note = this.#world.history?.stream(this.#player.id, config);
        const hear = (event: Seen): void => {
          note?.(event);
          this.#hear(event);
        };
        const stream = await this.#player.events(config, this.#lastEventId, hear);
        this.#world.tally.streams += 1;
        this.#stream = stream;
        await stream.ended;
      } catch {
        // The service was killed while we connected: try again.
      }
      this.#stream = null;
      this.heard = null;
      await sleep(this.#as.random.between(20, 300));
    }
    this.#isKept = false;
  }

  #hear({ event, id, data, at }: Seen): void {
    const { tally, log } = this.#world;
    const { place } = this.#as;
    tally.events += 1;
    this.#lastEventId = id ?? this.#lastEventId;
    if (event === 'connected' || event === 'lobby_updated') {
      const lobby = data as Lobby | null;
      log.note([lobby?.id ?? '', place], `${place} hears ${event}${shortly(lobby)}`, at);
      this.#judge(event, lobby, at);
    } else if (event === 'lobby_deleted' || event === 'matchmaking_timeout') {
      const { id: lobby, reason = '' } = data as { id: string; reason?: string };
      log.note([lobby, place], `${place} hears ${event} ${reason}`, at);
      this.heard = event === 'lobby_deleted' ? { lobby: null, revision: 0 } : this.heard;
    }
  }

  /** Revisions rise; `connected` may repeat the last one. */
  #judge(event: string, lobby: Lobby | null, at: number): void {
    if (lobby === null) {
      this.heard = { lobby: null, revision: 0 };
      return;
    }
    const { facts, log } = this.#world;
    facts.heard(lobby, at);
    const last = this.heard;
    const least = (last?.revision ?? 0) + (event === 'connected' ? 0 : 1);
    if (last?.lobby === lobby.id && lobby.revision < least) {
      const { place } = this.#as;
      log.violation(
        `the stream of ${place} went from revision ${last.revision} of lobby ${lobby.id} to ${lobby.revision}`,
        [lobby.id, place],
      );
    }
    this.heard = { lobby: lobby.id, revision: lobby.revision };
    this.onLobby(lobby);
  }
}

// The players of a ladder, a row each, and the list sorted by rating. The list is made when somebody first reads it,
// from pages of rows with other calls in between, and kept up to date from then on.

import type { PlayerId } from '../../common/ids';
import { present } from '../../common/named';
import { SortedList } from '../../common/sorted-list';
import { cautious, points, START, type Skill } from '../../match/rules/skill';
import type { ActorPorts } from '../contracts/actor-ports';
import { pause } from '../../common/later';
import type { LadderPlayer } from '../../../packages/js/src/rating-types';
import type { KeptPlayer } from '../contracts/ratings';

const PLAYER = 'player:';
/** It rises with each erased player, and is no lower than any number of one. Rows begin above it. */
const FLOOR = 'floor';
/** Rows that are read without a pause. A pause can last longer than they do. */
const ROWS_A_SLICE = 5_000;

/** The saved row of a player. */
export interface Row extends Skill {
  /** Rated games of the season. */
  readonly games: number;
  /** Rises with every change. */
  readonly seq: number;
}

export function standingOf(place: number, { player, games, ...skill }: KeptPlayer): LadderPlayer {
  return { place, player, ...points(skill), games };
}

function keptOf(player: PlayerId, { mu, sigma, games, ratedAt }: Row): KeptPlayer {
  return { player, mu, sigma, games, ...present({ ratedAt }) };
}

export class Ladder {
  readonly #ports: ActorPorts;
  /** Empty until it is first read. Texts are compared only at a tie, because that takes as long as all the rest. */
  readonly #list = new SortedList<KeptPlayer>(
    (a, b) => cautious(b) - cautious(a) || (a.player < b.player ? -1 : Number(a.player > b.player)),
  );
  readonly #listed = new Map<PlayerId, KeptPlayer>();
  /** Null until the list is first read. */
  #loading: Promise<SortedList<KeptPlayer>> | null = null;
  floor: number;

  constructor(ports: ActorPorts) {
    this.#ports = ports;
    this.floor = ports.store.get<number>(FLOOR) ?? 0;
  }

  /** A player whom no result has rated has the start. */
  get(player: PlayerId): Row {
    return this.#ports.store.get<Row>(PLAYER + player) ?? { ...START, games: 0, seq: 0 };
  }

  /** Saves the player's next state, which decays from then on. Call inside a transaction. */
  put(player: PlayerId, skill: Skill, games: number, ratedAt = this.#ports.now()): void {
    const seq = Math.max(this.get(player).seq, this.floor) + 1;
    const row: Row = { mu: skill.mu, sigma: skill.sigma, games, seq, ratedAt };
    this.#ports.store.put(PLAYER + player, row);
    this.#unlist(player);
    if (this.#loading !== null) {
      this.#add(keptOf(player, row));
    }
  }

  /** Call inside a transaction. */
  remove(player: PlayerId): void {
    this.floor = Math.max(this.get(player).seq, this.floor + 1);
    this.#ports.store.put(FLOOR, this.floor);
    this.#ports.store.delete(PLAYER + player);
    this.#unlist(player);
  }

  #unlist(player: PlayerId): void {
    const before = this.#listed.get(player);
    if (before !== undefined) {
      this.#list.delete(before);
      this.#listed.delete(player);
    }
  }

  /** Players in the order of their ids, after that one. */
  page(after: string, limit: number): KeptPlayer[] {
    const rows = this.#ports.store.list<Row>(PLAYER, { after: PLAYER + after, limit });
    return Array.from(rows, ([key, row]) => keptOf(key.slice(PLAYER.length) as PlayerId, row));
  }

  /** All players, the best first. */
  async sorted(): Promise<SortedList<KeptPlayer>> {
    const loading = (this.#loading ??= this.#load());
    try {
      return await loading;
    } catch (error) {
      // The next reader loads it anew.
      this.#loading = this.#loading === loading ? null : this.#loading;
      throw error;
    }
  }

  /** The player's place, or the one that a new player would take. */
  async place(player: PlayerId): Promise<number> {
    const list = await this.sorted();
    const listed = this.#listed.get(player);
    return 1 + list.indexOf(listed ?? { player, ...START, games: 0 });
  }

  #add(player: KeptPlayer): void {
    this.#list.add(player);
    this.#listed.set(player.player, player);
  }

  async #load(): Promise<SortedList<KeptPlayer>> {
    let page = this.page('', ROWS_A_SLICE);
    for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
      for (const player of page) {
        // A player who has changed since the load began is listed already.
        if (!this.#listed.has(player.player)) {
          this.#add(player);
        }
      }
      await pause(0, this.#ports);
      page = this.page(last.player, ROWS_A_SLICE);
    }
    return this.#list;
  }
}

// The seasons of a ladder. Ending one takes slices, each saved with how far it got: first the ladder is copied, then
// each player goes back towards the start. Nothing else changes the ladder meanwhile. What a crash leaves at each step,
// and who finishes it, is in docs/internals/crash-table.md.

import type { RatingSeason } from '../../../packages/js/src/rating-types';
import { resetBy } from '../../lobby/rating';
import { refusal, type Reply } from '../../lobby/refusals';
import { ok } from '../../common/result';
import type { PlayerId } from '../../common/ids';
import type { ActorPorts } from '../contracts/actor-ports';
import { commit } from '../kit/commit';
import type { Life } from '../kit/life';
import { pause } from '../../common/later';
import type { KeptPlayer, LadderPage, PageQuery } from '../contracts/ratings';
import { standingOf, type Ladder } from './ladder';

const SEASON = 'season';
const PAST = 'past:';
const SLICE = 250;
/** How soon the alarm goes on with a season whose timer was lost. */
const BACKSTOP_MS = 5_000;
/** Debts that are left before the next slice adds its own. */
const MOST_OWED = 500;
const PAUSE_MS = 100;

interface Season {
  readonly season: number;
  /** How far its end is. Absent: it runs. */
  readonly ending?: {
    readonly factor: number;
    /** Players copied. */
    readonly copied: number;
    /** The last player who was reset. Null: not all are copied yet. */
    readonly reset: PlayerId | '' | null;
  };
}

const PLACE_DIGITS = 9;

/** What the ladder says is owed to the records of players. */
type LadderLife = Pick<
  Life<{ readonly to: 'player'; readonly player: PlayerId }>,
  'owe' | 'save' | 'size'
>;

function pastKey(season: number, place: number): string {
  return `${PAST}${String(season).padStart(6, '0')}:${String(place).padStart(PLACE_DIGITS, '0')}`;
}

/** How many players a season that is over had. */
function totalKey(season: number): string {
  return `players:${season}`;
}

export class Seasons {
  readonly #ports: ActorPorts;
  readonly #ladder: Ladder;
  readonly #life: LadderLife;
  #now: Season;
  #going: Promise<void> | null = null;

  constructor(ports: ActorPorts, ladder: Ladder, life: LadderLife) {
    this.#ports = ports;
    this.#ladder = ladder;
    this.#life = life;
    this.#now = ports.store.get<Season>(SEASON) ?? { season: 1 };
  }

  get state(): RatingSeason {
    const { season, ending } = this.#now;
    return { season: season + (ending === undefined ? 0 : 1), isEnding: ending !== undefined };
  }

  nextAt(): number | null {
    return this.state.isEnding ? this.#ports.now() + BACKSTOP_MS : null;
  }

  /** Resolves when no season is ending. */
  async settled(): Promise<void> {
    while (this.state.isEnding) {
      await this.go();
    }
  }

  end(season: number, factor: number): Reply<RatingSeason> {
    if (this.state.season === season + 1) {
      return ok(this.state);
    }
    if (season !== this.#now.season) {
      return refusal(
        'PRECONDITION_FAILED',
        `The current season is ${this.#now.season}, not ${season}`,
      );
    }
    this.#save({ season, ending: { factor, copied: 0, reset: null } });
    return ok(this.state);
  }

  go(): Promise<void> {
    this.#going ??= this.#finish().finally(() => {
      this.#going = null;
    });
    return this.#going;
  }

  async #finish(): Promise<void> {
    const sorted = await this.#ladder.sorted();
    for (;;) {
      const { season, ending } = this.#now;
      if (ending === undefined) {
        return;
      }
      if (ending.reset === null) {
        const slice = sorted.slice(ending.copied, SLICE);
        const copied = ending.copied + slice.length;
        const reset = slice.length < SLICE ? '' : null;
        const copy = (player: KeptPlayer, at: number): void =>
          this.#ports.store.put(pastKey(season, ending.copied + at), player);
        this.#save({ season, ending: { ...ending, copied, reset } }, () => slice.forEach(copy));
      } else if (this.#life.size < MOST_OWED) {
        const slice = this.#ladder.page(ending.reset, SLICE);
        const last = slice.at(-1);
        const reset = last && { season, ending: { ...ending, reset: last.player } };
        this.#save(reset ?? { season: season + 1 }, () => {
          if (last === undefined) {
            this.#ports.store.put(totalKey(season), ending.copied);
          }
          slice.forEach((kept) =>
            this.#ladder.put(kept.player, resetBy(ending.factor, kept), 0, kept.ratedAt),
          );
          this.#life.owe(slice.map(({ player }) => ({ to: 'player', player })));
        });
      }
      await pause(this.#life.size < MOST_OWED ? 0 : PAUSE_MS, this.#ports);
    }
  }

  #save(next: Season, more: () => void = () => {}): void {
    const save = (): void => {
      more();
      this.#ports.store.put(SEASON, next);
    };
    this.#life.save(save, () => (this.#now = next));
  }

  /** Takes the player out of the seasons that are over. The places stay. */
  async forget(player: PlayerId): Promise<void> {
    const { store } = this.#ports;
    for (let after = ''; ;) {
      const rows = [...store.list<KeptPlayer>(PAST, { after, limit: SLICE })];
      const own = rows.filter(([, kept]) => kept.player === player);
      const erase = () =>
        own.forEach(([key, kept]) => store.put(key, { ...kept, player: 'erased' }));
      if (own.length > 0) {
        commit(this.#ports, erase);
      }
      const last = rows.at(-1);
      if (last === undefined) {
        return;
      }
      [after] = last;
      await pause(0, this.#ports);
    }
  }

  /** A page of a season that is over. Null: there was none of that number. */
  past(season: number, { limit, offset }: PageQuery): LadderPage | null {
    const { store } = this.#ports;
    const total = store.get<number>(totalKey(season));
    if (total === undefined) {
      return null;
    }
    const after = offset === 0 ? '' : pastKey(season, offset - 1);
    const prefix = pastKey(season, 0).slice(0, -PLACE_DIGITS);
    const rows = store.list<KeptPlayer>(prefix, { after, limit });
    const players = Array.from(rows, ([, player], at) => standingOf(offset + at + 1, player));
    return { season, total, offset, players };
  }
}

// A Ratings object: one ladder, of a project and a field (record 0047). A match sends its result until the ladder
// answers, so the ladder remembers which matches it has rated until the match has acknowledged what they did. An import
// whose answer is lost is repeated by its caller, and then changes nothing. What a crash leaves is in
// docs/internals/crash-table.md.

import type { RatingSeason } from '../../../packages/js/src/rating-types';
import type { MatchId, PlayerId } from '../../common/ids';
import { present } from '../../common/named';
import { ratedAttributes, ratedBy } from '../../lobby/rating';
import { points, type Skill } from '../../match/rules/skill';
import { refusal, type Reply } from '../../lobby/refusals';
import { must, ok } from '../../common/result';
import { decaying } from '../caches/project';
import type { ActorPorts } from '../contracts/actor-ports';
import { commit } from '../kit/commit';
import { Life } from '../kit/life';
import type {
  KeptPlayer,
  PageQuery,
  RatedMatch,
  RatingChange,
  RatingsRpc,
} from '../contracts/ratings';
import { Ladder, standingOf } from './ladder';
import { Seasons } from './season';

/** The mark of a rated match. */
const RATED = 'rated:';
/** How long a mark is kept at least: longer than any message is on its way. Until the match has answered it is kept too. */
const KEPT_MS = 3_600_000;
const MARKS_A_SLICE = 200;
/** How many players' records get their rating in one turn. Otherwise an import of 800 would keep a box's thread busy. */
const TOLD_AT_ONCE = 16;

interface RatedMark {
  /** Epoch ms. */
  readonly ratedAt: number;
  readonly changes: readonly RatingChange[];
}

type RatingsDebt =
  | { readonly to: 'player'; readonly player: PlayerId }
  | { readonly to: 'match'; readonly matchId: MatchId; readonly mark: string };

function ratingsDebtKey(debt: RatingsDebt): string {
  return debt.to === 'player' ? `player:${debt.player}` : `match:${debt.matchId}`;
}

/** The oldest first. */
function markOf({ at, matchId }: Pick<RatedMatch, 'at' | 'matchId'>): string {
  return `${RATED}${String(at).padStart(15, '0')}:${matchId}`;
}

function matchOf(mark: string): MatchId {
  return mark.slice(RATED.length + 16) as MatchId;
}

export class RatingsActor implements RatingsRpc {
  readonly #ports: ActorPorts;
  readonly #project: string;
  readonly #field: string;
  readonly #life: Life<RatingsDebt>;
  readonly #ladder: Ladder;
  readonly #seasons: Seasons;
  /** When marks are next looked at, epoch ms. Null: there are none. */
  #tidyAt: number | null;
  /** The last mark that this round has looked at. Empty: the next slice begins with the oldest. */
  #tidied = '';

  constructor(ports: ActorPorts) {
    this.#ports = ports;
    this.#project = must(ports.name[0], 'the id of a project');
    this.#field = must(ports.name[1], 'a rated field');
    this.#ladder = new Ladder(ports);
    this.#life = new Life(ports, {
      keyOf: ratingsDebtKey,
      deliver: (debt) => this.#deliver(debt),
      times: () => [this.#seasons.nextAt(), this.#tidyAt],
      batch: TOLD_AT_ONCE,
    });
    this.#seasons = new Seasons(ports, this.#ladder, this.#life);
    const [first] = ports.store.list<RatedMark>(RATED, { after: '', limit: 1 });
    this.#tidyAt = first === undefined ? null : first[1].ratedAt + KEPT_MS;
  }

  async rate(match: RatedMatch): Promise<void> {
    const { store } = this.#ports;
    const mark = markOf(match);
    const everybody = match.teams.flatMap(({ players }) => players);
    const today = await this.#decaying(everybody.map(({ id }) => this.#ladder.get(id)));
    await this.#seasons.settled();
    if (store.get(mark) !== undefined) {
      return;
    }
    const skillOf = (id: PlayerId): Skill => today(this.#ladder.get(id));
    const rated = ratedBy(match.teams, skillOf);
    const changes = Array.from(rated, ([id, skill]) => {
      return { id, ...points(skill), before: points(skillOf(id)).rating };
    });
    this.#life.save(() => {
      const ratedAt = this.#ports.now();
      store.put(mark, { ratedAt, changes } satisfies RatedMark);
      for (const [id, skill] of rated) {
        this.#ladder.put(id, skill, this.#ladder.get(id).games + 1);
      }
      this.#life.owe([{ to: 'match', matchId: match.matchId, mark }]);
      this.#owe([...rated.keys()]);
      this.#tidyAt ??= ratedAt + KEPT_MS;
    });
  }

  async page(query: PageQuery): ReturnType<RatingsRpc['page']> {
    const { limit, around, season } = query;
    const now = this.#seasons.state.season;
    if (season !== null && season !== now) {
      if (around !== null) {
        return refusal('VALIDATION_ERROR', 'around: works only for the current season');
      }
      const past = this.#seasons.past(season, query);
      return past === null ? refusal('NOT_FOUND', `Season ${season} is not over`) : ok(past);
    }
    const place = around === null ? null : await this.#ladder.place(around);
    const first = (place ?? 0) - 1 - Math.floor((limit - 1) / 2);
    const offset = place === null ? query.offset : Math.max(0, first);
    const list = await this.#ladder.sorted();
    const shown = list.slice(offset, limit);
    const today = await this.#decaying(shown);
    const players = shown.map((player, at) => {
      // Number and place stay as the last match left them, so that the order holds.
      const { uncertainty } = points(today(player));
      return { ...standingOf(offset + at + 1, player), uncertainty };
    });
    return ok({ season: now, total: list.size, offset, players });
  }

  async endSeason(season: number, factor: number): Promise<Reply<RatingSeason>> {
    const reply = this.#seasons.end(season, factor);
    if (this.#seasons.state.isEnding) {
      this.#ports.background(this.#seasons.go());
    }
    return reply;
  }

  async forget(player: PlayerId): Promise<number> {
    await this.#seasons.settled();
    if (this.#ladder.get(player).seq > 0) {
      commit(this.#ports, () => this.#ladder.remove(player));
    }
    await this.#seasons.forget(player);
    return this.#ladder.floor;
  }

  async exported(after: string, limit: number): Promise<readonly KeptPlayer[]> {
    const page = this.#ladder.page(after, limit);
    return page.map(({ player, mu, sigma, games }) => ({ player, mu, sigma, games }));
  }

  async imported(players: readonly KeptPlayer[]): Promise<Reply<number>> {
    if (this.#seasons.state.isEnding) {
      return refusal('INVALID_STATE', 'A season is ending: import once it has ended');
    }
    const changed = players.filter(({ player, mu, sigma, games }) => {
      const now = this.#ladder.get(player);
      const isSame = now.mu === mu && now.sigma === sigma && now.games === games;
      return !isSame || now.seq === 0;
    });
    if (changed.length > 0) {
      this.#life.save(() => {
        changed.forEach((kept) => this.#ladder.put(kept.player, kept, kept.games));
        this.#owe(changed.map(({ player }) => player));
      });
    }
    return ok(changed.length);
  }

  #decaying(skills: readonly Skill[]): Promise<(skill: Skill) => Skill> {
    return decaying(this.#ports, [this.#project, this.#field], skills);
  }

  /** Owes the players' records what the ladder says. Call inside a transaction. */
  #owe(players: readonly PlayerId[]): void {
    this.#life.owe(players.map((player) => ({ to: 'player', player })));
  }

  async #deliver(debt: RatingsDebt): Promise<void> {
    const { peers, store } = this.#ports;
    if (debt.to === 'player') {
      const { player } = debt;
      const row = this.#ladder.get(player);
      const { floor } = this.#ladder;
      const { seq, mu, sigma, ratedAt } = row;
      const kept = { mu, sigma, ...present({ ratedAt }) };
      const said = { seq, attributes: ratedAttributes(this.#field, kept), kept, floor };
      const players = peers.players(this.#project, player);
      // Nothing is said of an erased player.
      if (row.seq > 0 && !(await players.rated(player, this.#field, said))) {
        throw new Error('A player was erased meanwhile');
      }
      return;
    }
    const mark = store.get<RatedMark>(debt.mark);
    if (mark !== undefined) {
      await peers.match(debt.matchId).rated(this.#project, mark.changes);
    }
  }

  alarm(): Promise<void> {
    return this.#life.fired(() => {
      this.#tidy();
      if (this.#seasons.state.isEnding) {
        this.#ports.background(this.#seasons.go());
      }
    });
  }

  /** Forgets matches that will not be told again. */
  #tidy(): void {
    const { store } = this.#ports;
    const now = this.#ports.now();
    if (this.#tidyAt === null || this.#tidyAt > now) {
      return;
    }
    const marks = [...store.list<RatedMark>(RATED, { after: this.#tidied, limit: MARKS_A_SLICE })];
    const isOwed = (mark: string) => this.#life.owes({ to: 'match', matchId: matchOf(mark), mark });
    const old = marks.filter(([, { ratedAt }]) => ratedAt + KEPT_MS <= now);
    // A match that does not answer keeps its mark, and must not hold up those behind it.
    const gone = old.filter(([mark]) => !isOwed(mark));
    commit(this.#ports, () => gone.forEach(([mark]) => store.delete(mark)));
    const isEmpty = this.#tidied === '' && marks.length === gone.length;
    const isMore = old.length === MARKS_A_SLICE;
    this.#tidied = isMore ? (old.at(-1)?.[0] ?? '') : '';
    this.#tidyAt = isMore ? now : isEmpty ? null : now + KEPT_MS;
  }
}

// A Players object: the records of a share of a project's players. A record says what the backend knows of a player
// (decision 46). Lobbies read a record after the seat was claimed. So of a change and a join at the same time, either
// the join reads the change, or the change finds the lobby at the seat. The object also remembers the tickets that its
// players logged in with. What a crash leaves at each step, and who finishes it, is in docs/internals/crash-table.md.

import type { PlayerId } from '../../common/ids';
import { changedAttributes, type Attributes } from '../../lobby/attributes';
import { coolsUntil, lately, withDecline, type Decline } from '../../lobby/cooldown';
import { ratedAttributes } from '../../lobby/rating';
import { refusal } from '../../lobby/refusals';
import { own, without } from '../../common/named';
import { must, ok } from '../../common/result';
import { decaying, trustedOf } from '../caches/project';
import type { ActorPorts } from '../contracts/actor-ports';
import { commit } from '../kit/commit';
import { Life } from '../kit/life';
import type { ProjectDocument } from '../contracts/project';
import type { PlayersRpc, Rated, RecordChange } from '../contracts/players';

const RECORD = 'record:';
/** The highest revision of a removed record. Records begin above it, so that no removed one counts as newer. */
const FLOOR = 'floor';

/** By field: the highest floor that its ladder has answered an erasure with. */
const LADDER_FLOOR = 'ladder-floor:';

/** The newest tickets of a player that were spent. Older ones have expired at their provider. */
const SPENT = 'spent:';
const SPENT_KEPT = 50;

/** The matches that a player turned down within an hour. */
const NO = 'no:';
/** Rows that one more looks at. */
const SWEPT = 20;

interface SavedRecord extends Attributes {
  /** By field. Absent: no ladder has the player. */
  readonly rated?: Readonly<Record<string, Rated>>;
}

type Kept = readonly [player: PlayerId, record: SavedRecord];

/** Without `ladder` the player's lobbies are told. */
interface PlayersDebt {
  readonly player: PlayerId;
  /** The rated field whose ladder has to forget the player. */
  readonly ladder?: string;
}

/** No player id has a line break. */
function playersDebtKey({ player, ladder }: PlayersDebt): string {
  return ladder === undefined ? player : `${player}\n${ladder}`;
}

export class PlayersActor implements PlayersRpc {
  readonly #ports: ActorPorts;
  readonly #project: string;
  readonly #life: Life<PlayersDebt>;
  /** The project's document as read after the last change. An older one might not trust the changed key yet. */
  #document: Promise<ProjectDocument> | null = null;

  constructor(ports: ActorPorts) {
    this.#ports = ports;
    this.#project = must(ports.name[0], 'the id of a project');
    this.#life = new Life(ports, {
      keyOf: playersDebtKey,
      deliver: ({ player, ladder }) =>
        ladder === undefined ? this.#tell(player) : this.#erase(player, ladder),
      emptied: () => (this.#document = null),
    });
  }

  #floor(of = FLOOR): number {
    return this.#ports.store.get<number>(of) ?? 0;
  }

  #record(player: PlayerId): SavedRecord {
    const saved = this.#ports.store.get<SavedRecord>(RECORD + player);
    return saved ?? { revision: this.#floor(), attributes: {} };
  }

  /** The record as lobbies and backends see it: what ladders say wins. */
  async #shown({ revision, attributes, rated = {} }: SavedRecord): Promise<Attributes> {
    const said = Object.entries(rated).map(async ([field, { kept, attributes: known }]) => {
      const of = [this.#project, field] as const;
      return kept ? ratedAttributes(field, (await decaying(this.#ports, of, [kept]))(kept)) : known;
    });
    // `Object.assign` would lose a key named `__proto__`.
    const all = [attributes, ...(await Promise.all(said))].flatMap((each) => Object.entries(each));
    return { revision, attributes: Object.fromEntries(all) };
  }

  async read(player: PlayerId): Promise<Attributes> {
    return this.#shown(this.#record(player));
  }

  async rated(...[player, field, news]: Parameters<PlayersRpc['rated']>): Promise<boolean> {
    const { rated: before = {}, ...record } = this.#record(player);
    const { floor, ...said } = news;
    const known = own(before, field);
    if (known === undefined && floor < this.#floor(LADDER_FLOOR + field)) {
      return false;
    }
    if (said.seq > (known?.seq ?? 0)) {
      const rated = { ...before, [field]: said };
      this.#change([[player, { ...record, revision: record.revision + 1, rated }]]);
    }
    return true;
  }

  /** What the ladder said before it forgot the player may still come, late, and then it is told by the floor. */
  async #erase(player: PlayerId, field: string): Promise<void> {
    const { peers, store } = this.#ports;
    const floor = await peers.ratings(this.#project, field).forget(player);
    if (floor > this.#floor(LADDER_FLOOR + field)) {
      store.put(LADDER_FLOOR + field, floor);
    }
    const { rated: before = {}, ...record } = this.#record(player);
    if ((own(before, field)?.seq ?? Infinity) <= floor) {
      const others = without(before, field);
      const rated = Object.keys(others).length === 0 ? {} : { rated: others };
      this.#change([[player, { ...record, revision: record.revision + 1, ...rated }]]);
    }
  }

  async change(changes: readonly RecordChange[], ifRevision: number | null) {
    const next = new Map<PlayerId, SavedRecord>();
    const ladders: PlayersDebt[] = [];
    const [first] = changes;
    const found = first === undefined ? 0 : this.#record(first.player).revision;
    if (ifRevision !== null && ifRevision !== found) {
      const why = `The record is at revision ${found}, not ${ifRevision}`;
      return refusal('PRECONDITION_FAILED', why);
    }
    for (const { player, act, attributes } of changes) {
      const { rated, ...before } = next.get(player) ?? this.#record(player);
      const isErased = act === 'remove' && rated !== undefined;
      const after = changedAttributes(act === 'patch' ? before.attributes : null, attributes);
      if (!after.ok) {
        return after;
      }
      const isSame = !isErased && JSON.stringify(after.value) === JSON.stringify(before.attributes);
      const revision = before.revision + (isSame ? 0 : 1);
      const kept = isErased || rated === undefined ? {} : { rated };
      next.set(player, { ...before, ...kept, revision, attributes: after.value });
      if (act === 'remove') {
        [NO, SPENT].forEach((rows) => this.#ports.store.delete(rows + player));
      }
      if (isErased) {
        ladders.push(...Object.keys(rated).map((ladder) => ({ player, ladder })));
      }
    }
    const isNews = ([player, { revision }]: Kept) => revision !== this.#record(player).revision;
    const changed = [...next].filter(isNews);
    if (changed.length > 0) {
      this.#change(changed, ladders);
    }
    const records = changes.map(({ player }) => next.get(player) ?? this.#record(player));
    return ok(await Promise.all(records.map((record) => this.#shown(record))));
  }

  async spend(player: PlayerId, digest: string): Promise<boolean> {
    const spent = this.#ports.store.get<readonly string[]>(SPENT + player) ?? [];
    const isNew = !spent.includes(digest);
    if (isNew) {
      this.#ports.store.put(SPENT + player, [digest, ...spent].slice(0, SPENT_KEPT));
    }
    return isNew;
  }

  async turnedDown(player: PlayerId, no: Decline): Promise<void> {
    const { store } = this.#ports;
    commit(this.#ports, () => {
      // Those of players who do not come back go with the next.
      const all = Array.from(store.list<readonly Decline[]>(NO, { after: NO, limit: SWEPT }));
      const old = all.filter(([, declines]) => lately(declines, no.at).length === 0);
      old.forEach(([key]) => store.delete(key));
      store.put(NO + player, withDecline(store.get<readonly Decline[]>(NO + player) ?? [], no));
    });
  }

  async coolsUntil(player: PlayerId, seconds: number): Promise<number | null> {
    const declines = this.#ports.store.get<readonly Decline[]>(NO + player) ?? [];
    return coolsUntil(declines, seconds, this.#ports.now());
  }

  #change(changed: readonly Kept[], ladders: readonly PlayersDebt[] = []): void {
    const { store } = this.#ports;
    const save = (): void => {
      let floor = this.#floor();
      for (const [player, record] of changed) {
        if (Object.keys(record.attributes).length > 0 || record.rated !== undefined) {
          store.put(RECORD + player, record);
        } else {
          store.delete(RECORD + player);
          floor = Math.max(floor, record.revision);
        }
      }
      if (floor > this.#floor()) {
        store.put(FLOOR, floor);
      }
      this.#life.owe([...changed.map(([player]) => ({ player })), ...ladders]);
    };
    this.#life.save(save, () => (this.#document = null));
  }

  /** Tells the lobbies that have the player, in each saved config that trusts any key. */
  async #tell(player: PlayerId): Promise<void> {
    const { peers } = this.#ports;
    const project = this.#project;
    this.#document ??= peers.project(project).document();
    const document = await this.#document.catch((error: unknown) => {
      this.#document = null;
      throw error;
    });
    const isTrusting = (name: string): boolean => trustedOf(document, name).size > 0;
    const configs = Object.keys(document.configs).filter(isTrusting);
    const telling = configs.map(async (config) => {
      const lobbyId = await peers.seat(project, config, player).where(player);
      if (lobbyId !== null) {
        await peers.lobby(lobbyId).attributes(player, await this.read(player));
      }
    });
    await Promise.all(telling);
  }

  alarm(): Promise<void> {
    return this.#life.fired();
  }
}

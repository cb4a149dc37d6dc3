// Warm servers (record 0073): for each build and region, the servers that run before any match needs them. Here is which of
// them there are. Whose a server is, only the server says: what is given here is a tip, which may be given twice, or go stale.
//
// A line has as many as the build says, of its current version only. One that is taken or has ended is replaced, at most ten
// at a time. If they end soon after their start, the next comes later and later. While a match waits for room in a
// region (record 0068), none starts there, and one makes room for it.

import type { ServerGroup } from '../../../client/src/dashboard-types';
import type { InstanceId } from '../../common/ids';
import { backoff } from '../../common/later';
import { DEFAULT_BUILD } from '../../common/limits';
import { own } from '../../common/named';
import { DEFAULT_SERVER_SIZE } from '../../lobby/config';
import type { Host } from '../contracts/host';
import type { ProjectDocument, ServerRow, WarmWanted } from '../contracts/project';
import type { LaunchOrder } from '../contracts/server';
import type { ServerList } from './servers';

/** A server to launch, or to stop unless a match has it. */
export interface WarmDebt {
  readonly warm: InstanceId;
  readonly act: 'launch' | 'stop';
}

/** The warm servers of a build in a region. A row. */
interface Warmed {
  readonly build: string;
  readonly region: string;
  readonly version: number;
  readonly ids: readonly InstanceId[];
  /** How many in a row ended soon after their start. */
  readonly failures: number;
  /** When the next one may start, epoch ms. */
  readonly againAt: number;
}

const PREFIX = 'warm:';
const MOST_STARTING = 10;
/** Whoever is given a server asks it within this time, or it is given to another. */
const GIVEN_MS = 30_000;
/** A server that lasted this long did not fail at its start. */
const LASTING_MS = 60_000;
const RETRIES = { first: 4_000, last: 300_000 };
/** The same where the build is not at fault, as in a fleet that is full. */
const FULL = { first: 4_000, last: 60_000 };
/** How long it takes at least that one made room, and is gone. */
const YIELDS_MS = 5_000;
/** So many that failed in a row are logged. */
const IN_A_ROW = 3;

interface Around {
  readonly document: () => ProjectDocument;
  /** Whether matches wait for room there. */
  readonly isFull: (region: string) => boolean;
  /** Makes the change in a transaction, and owes what it returns. */
  readonly save: (change: () => readonly WarmDebt[]) => void;
}

export class WarmServers {
  readonly #host: Host;
  readonly #servers: ServerList;
  readonly #around: Around;
  readonly #all = new Map<string, Warmed>();
  /** Until when a server is not given again. Not saved. */
  readonly #given = new Map<InstanceId, number>();
  #yieldedAt = -Infinity;

  constructor(host: Host, servers: ServerList, around: Around) {
    this.#host = host;
    this.#servers = servers;
    this.#around = around;
    for (const [key, row] of host.store.list<Warmed>(PREFIX)) {
      this.#all.set(key, row);
    }
  }

  /** Saves what happened, with what starts and stops for it. A project without warm servers saves nothing. */
  turn(happened: () => readonly WarmDebt[] = () => []): void {
    if (this.#lines().length > 0) {
      this.#around.save(() => [...happened(), ...this.settle()]);
    }
  }

  has(id: string): boolean {
    return this.#of(id) !== undefined;
  }

  #of(id: string): Warmed | undefined {
    return this.#all.values().find(({ ids }) => ids.some((each) => each === id));
  }

  /** What builds want now, and what there is of what none wants any more. */
  #lines(): readonly (Warmed & { readonly key: string; readonly wanted: number })[] {
    const builds = Object.values(this.#around.document().builds);
    const asked = builds.flatMap(({ name: build, version, status, launch }) =>
      Object.entries(launch.warm ?? {}).flatMap(([region, wanted]) => {
        const key = PREFIX + JSON.stringify([build, region]);
        const known = this.#all.get(key) ?? {
          build,
          region,
          version,
          ids: [],
          failures: 0,
          againAt: 0,
        };
        return status === 'ready' && (wanted > 0 || known.ids.length > 0)
          ? { ...known, key, wanted }
          : [];
      }),
    );
    const keys = new Set(asked.map(({ key }) => key));
    const others = [...this.#all].filter(([key]) => !keys.has(key));
    return [...asked, ...others.map(([key, row]) => ({ ...row, key, wanted: 0 }))];
  }

  /** When there may be something to start or stop. */
  nextAt(): number | null {
    const times = this.#lines()
      .filter(({ wanted, ids }) => ids.length < wanted && this.#starting(ids) < MOST_STARTING)
      .map(({ againAt }) => againAt);
    return times.length === 0 ? null : Math.min(...times);
  }

  #starting(ids: readonly InstanceId[]): number {
    return ids.filter((id) => this.#servers.of(id)?.block.status !== 'running').length;
  }

  /** Starts and stops what is to be. Call inside the transaction that saves why, and owe what it returns. */
  settle(): readonly WarmDebt[] {
    return this.#lines().flatMap(({ key, wanted, ...line }) => {
      const { version = line.version } = own(this.#around.document().builds, line.build) ?? {};
      const isNew = version !== line.version;
      const kept = isNew ? [] : line.ids.slice(0, wanted);
      const { failures, againAt } = isNew ? { failures: 0, againAt: 0 } : line;
      const now = this.#host.now();
      // If the clock was set back, it waits no longer than it would have.
      const isTime = againAt <= now || againAt > now + RETRIES.last;
      const isOpen = isTime && !this.#around.isFull(line.region);
      const missing = Math.min(wanted - kept.length, MOST_STARTING - this.#starting(kept));
      const started = Array.from({ length: isOpen ? Math.max(0, missing) : 0 }, () =>
        this.#host.instanceId(),
      );
      const later = isTime && !isOpen && missing > 0 ? now + RETRIES.first : againAt;
      const next = { ...line, version, ids: [...kept, ...started], failures, againAt: later };
      this.#put(key, next, wanted > 0);
      const stopped = line.ids.filter((id) => !kept.includes(id));
      return [
        ...stopped.map((warm): WarmDebt => ({ warm, act: 'stop' })),
        ...started.map((warm): WarmDebt => ({ warm, act: 'launch' })),
      ];
    });
  }

  #put(key: string, line: Warmed, isWanted: boolean): void {
    if (!isWanted) {
      this.#all.delete(key);
      this.#host.store.delete(key);
    } else if (JSON.stringify(line) !== JSON.stringify(this.#all.get(key))) {
      this.#all.set(key, line);
      this.#host.store.put(key, line);
    }
  }

  async pay({ warm, act }: WarmDebt): Promise<void> {
    const server = this.#host.peers.server(warm);
    if (act === 'stop') {
      return server.stop('warm');
    }
    // A line without it does not want it any more.
    const line = this.#of(warm);
    const launched = line && (await server.launch(this.#orderOf(warm, line)));
    if (launched?.ok === false) {
      this.turn(() => this.#drop(warm, launched.refusal.detail));
    }
  }

  /** Takes the server out of its line. `failed`: why it ended soon after its start. Null: it did not. */
  #drop(id: string, failed: string | null, waits = FULL): readonly WarmDebt[] {
    const line = this.#of(id);
    if (line !== undefined) {
      const { build, region } = line;
      const failures = failed === null ? 0 : line.failures + 1;
      const againAt = failed === null ? 0 : this.#host.now() + backoff(failures - 1, waits);
      const ids = line.ids.filter((each) => each !== id);
      this.#put(
        PREFIX + JSON.stringify([build, region]),
        { ...line, ids, failures, againAt },
        true,
      );
      this.#given.delete(id as InstanceId);
      if (failures === IN_A_ROW) {
        this.#host.log('warm_failing', { build, region, reason: failed ?? '' });
      }
    }
    return [];
  }

  /** News of a server: one that has ended, was taken, or came about with another version is not one of them any more. */
  heard(row: ServerRow): void {
    this.turn(() => this.#heard(row));
  }

  #heard({ block, launch }: ServerRow): readonly WarmDebt[] {
    const { instance_id: id, started_at: startedAt, stopped_at: stoppedAt, version } = block;
    const line = this.#of(id);
    if (block.pool_claimed_at !== null) {
      return this.#drop(id, null);
    }
    if (stoppedAt !== null) {
      const lastedMs = startedAt === null ? 0 : Date.parse(stoppedAt) - Date.parse(startedAt);
      const why = lastedMs >= LASTING_MS ? null : (block.detail ?? 'it ended soon');
      return this.#drop(id, why, startedAt === null && launch !== 'failed' ? FULL : RETRIES);
    }
    if (line !== undefined && block.status === 'running' && version !== line.version) {
      // Its object had an older document.
      this.#drop(id, `it has version ${version}`);
      return [{ warm: id as InstanceId, act: 'stop' }];
    }
    return [];
  }

  /** A match waits there, for which no fleet has room. One that is warm makes room for it. */
  noRoom({ region }: { readonly region: string }, isFull: boolean): void {
    const line = this.#all.values().find((each) => each.region === region && each.ids.length > 0);
    const warm = line?.ids.at(-1);
    const now = this.#host.now();
    if (isFull && warm !== undefined && Math.abs(now - this.#yieldedAt) >= YIELDS_MS) {
      this.#yieldedAt = now;
      this.turn(() => [...this.#drop(warm, null), { warm, act: 'stop' }]);
    }
  }

  take({ build, version, region, computeSize }: WarmWanted): InstanceId | null {
    // Who comes while others wait for room waits behind them.
    if (this.#around.isFull(region)) {
      return null;
    }
    const now = this.#host.now();
    const { ids = [] } = this.#all.get(PREFIX + JSON.stringify([build, region])) ?? {};
    const found = ids.find((id) => {
      const { block } = this.#servers.of(id) ?? {};
      const fits = block?.version === version && block.compute_size === computeSize;
      return fits && block.status === 'running' && (this.#given.get(id) ?? 0) <= now;
    });
    if (found !== undefined) {
      this.#given.set(found, now + GIVEN_MS);
    }
    return found ?? null;
  }

  #orderOf(instanceId: InstanceId, { build, region }: Warmed): LaunchOrder {
    const { configs } = this.#around.document();
    const config = Object.values(configs).find(
      ({ serverSettings }) => (serverSettings.gameBuild ?? DEFAULT_BUILD) === build,
    );
    return {
      instanceId,
      project: this.#host.name[0] ?? '',
      owner: { kind: 'warm' },
      name: `${build} warm`,
      region,
      build,
      computeSize: config?.serverSettings.serverSize ?? DEFAULT_SERVER_SIZE,
      customData: {},
      ttlSeconds: null,
      matchId: null,
    };
  }

  shown(): readonly ServerGroup[] {
    return this.#lines().map(({ build, region, ids, wanted, failures: failed }) => {
      const starting = this.#starting(ids);
      const warm = { starting, wanted, failed };
      return { state: 'warm', build, region, fleet: null, count: ids.length - starting, warm };
    });
  }
}

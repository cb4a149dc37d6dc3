// Warm servers (record 0073): for each build and region, the servers that run before any match needs them. Whose a server is,
// only the server says: what is given here is a tip, which may be given twice, or go stale.
//
// A line has as many as the build says, of its current version only. One that is taken or has ended is replaced, at most ten
// at a time. If they end soon after their start, the next comes later and later. While a match waits for room in a
// region (record 0068), none starts there, and one makes room for it.

import type { ServerGroup } from '../../../packages/js/src/dashboard-types';
import type { InstanceId } from '../../common/ids';
import { backoff } from '../../common/later';
import { DEFAULT_BUILD } from '../../common/limits';
import { own } from '../../common/named';
import type { LobbyConfig } from '../../lobby/config';
import { DEFAULT_SERVER_SIZE } from '../../lobby/defaults';
import type { ActorPorts } from '../contracts/actor-ports';
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
  readonly version: number;
  readonly ids: readonly InstanceId[];
  /** How many in a row ended soon after their start. */
  readonly failures: number;
  /** When the next one may start, epoch ms. */
  readonly againAt: number;
}

interface WarmLine extends Warmed {
  readonly key: string;
  readonly build: string;
  readonly region: string;
  readonly wanted: number;
}

const PREFIX = 'warm:';
const MOST_STARTING = 10;
/** Whoever is given a server asks it within this time, or it is given to another. */
const GIVEN_MS = 30_000;
/** A server that lasted this long did not fail at its start. */
const LASTING_MS = 60_000;
/** Until then, a Server may believe an older document, and would launch the version before. */
const DOCUMENT_MS = 4_000;
const RETRIES = { first: 4_000, last: 120_000 };
/** How long it takes at least that one made room, and is gone. */
const YIELDS_MS = 5_000;

function lineKey(build: string, region: string): string {
  return PREFIX + JSON.stringify([build, region]);
}

interface WarmPorts {
  readonly document: () => ProjectDocument;
  /** Whether matches wait for room there. */
  readonly isFull: (region: string) => boolean;
  /** Makes the change in a transaction, and owes what it returns. */
  readonly save: (change: () => readonly WarmDebt[]) => void;
}

export class WarmServers {
  readonly #ports: ActorPorts;
  readonly #servers: ServerList;
  readonly #around: WarmPorts;
  readonly #all: Map<string, Warmed>;
  /** Until when a server is not given again. Not saved. */
  readonly #given = new Map<InstanceId, number>();
  #yieldedAt = -Infinity;

  constructor(ports: ActorPorts, servers: ServerList, around: WarmPorts) {
    this.#ports = ports;
    this.#servers = servers;
    this.#around = around;
    this.#all = new Map(ports.store.list<Warmed>(PREFIX));
  }

  /** What builds want, and what there is of what none wants any more. */
  #lines(): readonly WarmLine[] {
    const wanted = new Map([...this.#all.keys()].map((key) => [key, 0]));
    for (const { name, status, launch } of Object.values(this.#around.document().builds)) {
      for (const [region, count] of Object.entries(launch.warm ?? {})) {
        const key = lineKey(name, region);
        if (this.#all.has(key) || count > 0) {
          wanted.set(key, status === 'ready' ? count : 0);
        }
      }
    }
    return [...wanted].map(([key, count]) => {
      const [build, region] = JSON.parse(key.slice(PREFIX.length)) as [string, string];
      const row = this.#all.get(key) ?? { version: -1, ids: [], failures: 0, againAt: 0 };
      return { ...row, key, build, region, wanted: count };
    });
  }

  #lineOf(id: string): WarmLine | undefined {
    return this.#lines().find(({ ids }) => ids.some((each) => each === id));
  }

  #starting(ids: readonly InstanceId[]): number {
    return ids.filter((id) => this.#servers.of(id)?.block.status !== 'running').length;
  }

  #missing({ wanted, ids }: Pick<WarmLine, 'wanted' | 'ids'>): number {
    return Math.min(wanted - ids.length, MOST_STARTING - this.#starting(ids));
  }

  nextAt(): number | null {
    const late = this.#lines().filter((line) => this.#missing(line) > 0);
    return late.length === 0 ? null : Math.min(...late.map(({ againAt }) => againAt));
  }

  /** Starts and stops what is to be. Call inside the transaction that saves why, and owe what it returns. */
  settle(): readonly WarmDebt[] {
    const now = this.#ports.now();
    return this.#lines().flatMap((line) => {
      const version = own(this.#around.document().builds, line.build)?.version ?? line.version;
      const isNew = version !== line.version;
      const kept = isNew ? [] : line.ids.slice(0, line.wanted);
      const missing = this.#missing({ ...line, ids: kept });
      // If the clock was set back, it waits no longer than it would have.
      const againAt = isNew ? now + DOCUMENT_MS : Math.min(line.againAt, now + RETRIES.last);
      const isTime = missing > 0 && againAt <= now;
      const isFull = isTime && this.#around.isFull(line.region);
      const count = isTime && !isFull ? missing : 0;
      const started = Array.from({ length: count }, () => this.#ports.instanceId());
      this.#put(line, {
        version,
        ids: [...kept, ...started],
        failures: isNew ? 0 : line.failures,
        againAt: isFull ? now + RETRIES.first : againAt,
      });
      const stopped = line.ids.filter((id) => !kept.includes(id));
      return [
        ...stopped.map((warm): WarmDebt => ({ warm, act: 'stop' })),
        ...started.map((warm): WarmDebt => ({ warm, act: 'launch' })),
      ];
    });
  }

  #put({ key, wanted }: Pick<WarmLine, 'key' | 'wanted'>, row: Warmed): void {
    if (wanted === 0) {
      this.#all.delete(key);
      this.#ports.store.delete(key);
    } else if (JSON.stringify(row) !== JSON.stringify(this.#all.get(key))) {
      this.#all.set(key, row);
      this.#ports.store.put(key, row);
    }
  }

  /** Saves what happened, with what starts and stops for it. A project without warm servers saves nothing. */
  turn(happened: () => readonly WarmDebt[] = () => []): void {
    if (this.#lines().length > 0) {
      this.#around.save(() => [...happened(), ...this.settle()]);
    }
  }

  async pay({ warm, act }: WarmDebt): Promise<void> {
    const server = this.#ports.peers.server(warm);
    const line = this.#lineOf(warm);
    if (act === 'stop') {
      await server.stop('warm');
    } else if (line !== undefined && !(await server.launch(this.#orderOf(warm, line))).ok) {
      this.turn(() => this.#drop(warm, true));
    }
  }

  #drop(id: string, hasFailed: boolean): readonly WarmDebt[] {
    const line = this.#lineOf(id);
    if (line !== undefined) {
      const { version } = line;
      const now = this.#ports.now();
      // Those that started together have failed together.
      const isKnown = hasFailed && line.failures > 0 && line.againAt > now;
      const failures = hasFailed ? line.failures + (isKnown ? 0 : 1) : 0;
      const waitMs = hasFailed ? backoff(failures - 1, RETRIES) : 0;
      const againAt = isKnown ? line.againAt : now + waitMs;
      const ids = line.ids.filter((each) => each !== id);
      this.#put({ ...line, wanted: 1 }, { version, ids, failures, againAt });
      this.#given.delete(id as InstanceId);
    }
    return [];
  }

  /** News of a server: one that has ended, was taken, or is none of its line's version is not one of them any more. */
  heard({ block }: ServerRow): void {
    const { instance_id: id, started_at: startedAt, stopped_at: stoppedAt, version } = block;
    this.turn(() => {
      if (stoppedAt !== null || block.pool_claimed_at !== null) {
        const since = startedAt ?? stoppedAt ?? '';
        const hasFailed = Date.parse(stoppedAt ?? '') - Date.parse(since) < LASTING_MS;
        return this.#drop(id, hasFailed && block.pool_claimed_at === null);
      }
      // Its object may have launched it by an older document, or nobody wants it any more.
      const isOther = block.is_pool_server && this.#lineOf(id)?.version !== version;
      return isOther && block.status === 'running'
        ? [...this.#drop(id, true), { warm: id as InstanceId, act: 'stop' }]
        : [];
    });
  }

  /** A match waits there, for which no fleet has room. One that is warm makes room for it. */
  noRoom({ region }: { readonly region: string }, isFull: boolean): void {
    const line = this.#lines().find((each) => each.region === region && each.ids.length > 0);
    const warm = line?.ids.at(-1);
    const now = this.#ports.now();
    if (isFull && warm !== undefined && Math.abs(now - this.#yieldedAt) >= YIELDS_MS) {
      this.#yieldedAt = now;
      this.turn(() => [...this.#drop(warm, false), { warm, act: 'stop' }]);
    }
  }

  take({ build, version, region, computeSize }: WarmWanted): InstanceId | null {
    const now = this.#ports.now();
    const { ids = [] } = this.#all.get(lineKey(build, region)) ?? {};
    const found = ids.find((id) => {
      const { block } = this.#servers.of(id) ?? {};
      const fits = block?.version === version && block.compute_size === computeSize;
      return fits && block.status === 'running' && (this.#given.get(id) ?? 0) <= now;
    });
    // Who comes while others wait for room waits behind them.
    if (found === undefined || this.#around.isFull(region)) {
      return null;
    }
    this.#given.set(found, now + GIVEN_MS);
    return found;
  }

  #orderOf(instanceId: InstanceId, { build, region }: WarmLine): LaunchOrder {
    const isOf = (config: LobbyConfig) =>
      (config.serverSettings.gameBuild ?? DEFAULT_BUILD) === build;
    const config = Object.values(this.#around.document().configs).find(isOf);
    return {
      instanceId,
      project: this.#ports.name[0] ?? '',
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

// The list of a project's servers: all that live, and those that stopped lately. A server that has left the list leaves
// its row behind, and the next server overwrites that row, so leaving costs neither a row nor an alarm (record 0044).

import type { ServerGroup } from '../../../packages/js/src/dashboard-types';
import type { ServerPage } from '../../../packages/js/src/admin-types';
import type { ServerState, ServerStatus } from '../../fleet/port';
import { stateOf } from '../../fleet/block';
import { refusal, type Reply } from '../../lobby/refusals';
import { SERVER_KEPT_LEAST_MS, SERVER_KEPT_MS, SERVERS_KEPT } from '../../common/limits';
import { must, ok } from '../../common/result';
import { Agenda } from '../kit/agenda';
import { Gathered } from '../kit/gathered';
import type { ActorPorts } from '../contracts/actor-ports';
import type { ProjectRpc, ServerRow } from '../contracts/project';

const SERVER = 'server:';
/** Old servers are removed in batches of this size, so that not every change has to search for them. */
const PRUNED = 200;
/** A server reports within a moment of being admitted. After this time its place is free for another server. */
const ADMITTED_MS = 60_000;

export class ServerList {
  readonly #ports: ActorPorts;
  readonly #gathered: Gathered;
  readonly #all = new Map<string, ServerRow>();
  /** The key of each server's row. */
  readonly #keys = new Map<string, string>();
  /** The keys of rows whose servers have left the list, longest ago first. */
  readonly #free: string[] = [];
  /** Servers that were admitted and are not listed yet, with the time of their admission. */
  readonly #admitted = new Map<string, number>();
  /** When each stopped server leaves the list. */
  readonly #forgotten = new Agenda();

  constructor(ports: ActorPorts) {
    this.#ports = ports;
    this.#gathered = new Gathered(ports);
    for (const [key, row] of ports.store.list<ServerRow>(SERVER)) {
      this.#list(row, key);
    }
  }

  get #servers(): ReadonlyMap<string, ServerRow> {
    this.#forgotten.takeDue(this.#ports.now()).forEach((id) => this.#forget(id));
    return this.#all;
  }

  of(id: string): ServerRow | undefined {
    return this.#servers.get(id);
  }

  put(row: ServerRow): void {
    const known = this.#keys.get(row.block.instance_id);
    const key = known ?? this.#free.shift() ?? SERVER + this.#ports.uuid();
    this.#list(row, key);
    void this.#gathered.put(key, row);
    this.#prune();
  }

  settled(): Promise<void> {
    return this.#gathered.settled();
  }

  /** How far back the list reaches once it is full, in ms. */
  keptMs(): number {
    const { size } = this.#servers;
    const oldest = this.#forgotten.nextAt;
    const isFull = size >= SERVERS_KEPT && oldest !== null;
    const reach = isFull ? this.#ports.now() + SERVER_KEPT_MS - oldest : SERVER_KEPT_MS;
    return Math.max(SERVER_KEPT_LEAST_MS, Math.min(SERVER_KEPT_MS, reach));
  }

  #list(row: ServerRow, key: string): void {
    const { instance_id: id, stopped_at: stoppedAt } = row.block;
    this.#all.set(id, row);
    this.#keys.set(id, key);
    if (stoppedAt !== null) {
      this.#forgotten.set(id, Date.parse(stoppedAt) + SERVER_KEPT_MS);
    }
  }

  #forget(id: string): void {
    const key = must(this.#keys.get(id), 'the row of a listed server');
    this.#all.delete(id);
    this.#keys.delete(id);
    this.#forgotten.delete(id);
    if (this.#free.length < SERVERS_KEPT) {
      this.#free.push(key);
    } else {
      void this.#gathered.put(key, undefined);
    }
  }

  /** Removes the oldest stopped servers if there are too many. Live servers always stay. */
  #prune(): void {
    const servers = this.#servers;
    if (servers.size < SERVERS_KEPT + PRUNED) {
      return;
    }
    const stopped = [...servers.values()].filter(({ block }) => block.stopped_at !== null);
    stopped.sort((a, b) => (a.block.stopped_at ?? '').localeCompare(b.block.stopped_at ?? ''));
    for (const { block } of stopped.slice(0, servers.size - SERVERS_KEPT)) {
      this.#forget(block.instance_id);
    }
  }

  page(...[limit, offset, shown, where = {}]: Parameters<ProjectRpc['servers']>): ServerPage {
    const { build, region, fleet, id = '' } = where;
    const is = (wanted: string | undefined, found: string | null | undefined): boolean =>
      wanted === undefined || wanted === found;
    const isShown = (state: ServerState): boolean => shown?.includes(state) ?? true;
    const all = [...this.#servers.values()]
      .filter((row) => is(build, row.block.version_tag) && is(region, row.block.region))
      .filter((row) => is(fleet, row.fleet) && row.block.instance_id.startsWith(id))
      .map(({ block }) => block)
      .filter((block) => isShown(block.status) || isShown(stateOf(block)));
    const past = (status: ServerStatus): number => Number(status === 'stopped');
    all.sort((a, b) => past(a.status) - past(b.status) || b.created_at.localeCompare(a.created_at));
    const servers = all.slice(offset, offset + limit);
    const total = all.length;
    return { servers, total, limit, offset, has_more: offset + servers.length < total };
  }

  groups(): readonly ServerGroup[] {
    const groups = new Map<string, ServerGroup>();
    for (const { block, fleet = null } of this.#servers.values()) {
      const group = {
        state: stateOf(block),
        build: block.version_tag,
        region: block.region,
        fleet,
      };
      const key = JSON.stringify(group);
      groups.set(key, { ...group, count: 1 + (groups.get(key)?.count ?? 0) });
    }
    return [...groups.values()];
  }

  /** Reserves a place for the server until it reports. Refuses SERVERS_EXHAUSTED if `most` servers are live. */
  admit(id: string, most: number): Reply<null> {
    const now = this.#ports.now();
    for (const [admitted, at] of this.#admitted) {
      if (this.#servers.has(admitted) || Math.abs(now - at) > ADMITTED_MS) {
        this.#admitted.delete(admitted);
      }
    }
    if (this.#servers.has(id) || this.#admitted.has(id)) {
      return ok(null);
    }
    const live = [...this.#servers.values()].filter(({ block }) => block.stopped_at === null);
    if (live.length + this.#admitted.size >= most) {
      const why = `The project already has ${most} servers; one must end first`;
      return refusal('SERVERS_EXHAUSTED', why);
    }
    this.#admitted.set(id, now);
    return ok(null);
  }
}

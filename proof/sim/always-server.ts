// Invariants of launches: the owner and the Server object save the intent before the fleet is
// called, and no match or lobby launches twice.

import type { LaunchSpec } from '../../src/fleet/port';
import { must } from '../../src/common/result';
import { brokenInServer } from '../../src/objects/server/always';
import type { InstanceId, MatchId } from '../../src/common/ids';
import type { Match } from '../../src/objects/match/state';
import type { Journal } from './journal';
import type { Saved } from './parts';
import { serverOn, type SavedServer } from './truth';
import type { World } from './world';

export class Launches {
  readonly #world: World;
  readonly #intended = new Set<InstanceId>();
  readonly #byMatch = new Map<string, string>();
  readonly #dueAt = new Map<string, number>();
  readonly #plays = new Map<InstanceId, MatchId>();
  readonly #waitsFrom = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
  }

  /** An owner has saved that it wants this server. */
  intended(id: InstanceId): void {
    this.#intended.add(id);
  }

  /** A launch arrives at the fleet. */
  arrived(spec: LaunchSpec): void {
    const { journal, fleet } = this.#world;
    const { instanceId, serverId, customData } = spec;
    journal.check(
      this.#intended.has(serverId as InstanceId),
      () => `server ${serverId} is launched before its owner saved that it wants it`,
    );
    const saved = serverOn(this.#world.node('server', serverId).disk);
    journal.check(saved !== null, () => `server ${serverId} is launched before it was saved`);
    const given = saved?.strays?.map(({ id }) => id) ?? [];
    const isStray = given.includes(instanceId);
    const others = fleet
      .runsOf(serverId)
      .filter((id) => id !== instanceId && !given.includes(id) && !isStray);
    journal.check(others.length === 0, () => `${instanceId} is launched beside ${others.join()}`);
    const matchId = customData['match_id'];
    if (typeof matchId === 'string') {
      const other = this.#byMatch.get(matchId) ?? serverId;
      // A warm server that was dead when its match took it makes way for another, and its launch may arrive late.
      const both = [saved, serverOn(this.#world.node('server', other).disk)];
      const isLost = both.some((each) => each?.takenAt !== undefined && each.status === 'stopped');
      journal.check(
        other === serverId || isLost,
        () => `match ${matchId} launches two servers, ${other} and ${serverId}`,
      );
      this.#byMatch.set(matchId, serverId);
    }
    // What a host starts never stands in line, with a match either (record 0096).
    const { owner, isStart } = saved?.order ?? {};
    if (saved?.waiting === undefined && owner?.kind === 'match' && isStart !== true) {
      this.#jumps(saved);
    }
  }

  /** The match has saved that it launches. A match that takes a warm server was due before that. */
  due(id: string, matchId: MatchId): void {
    const since = this.#dueAt.get(matchId) ?? this.#world.loop.now;
    this.#dueAt.set(matchId, since);
    this.#dueAt.set(id, since);
  }

  /** A server has one match. Two may ask for a warm one, and one of them is refused. */
  serves(id: MatchId, { phase, instanceId }: Pick<Match, 'phase' | 'instanceId'>): void {
    if (phase === 'running') {
      const other = this.#plays.get(instanceId) ?? id;
      this.#plays.set(instanceId, other);
      this.#world.journal.check(
        other === id,
        () => `server ${instanceId} is given to two matches, ${other} and ${id}`,
      );
    }
  }

  /** Nobody is launched past those who waited before it came (record 0068). */
  #jumps(came: SavedServer | null): void {
    const { order } = must(came, 'the server of a match');
    const cameAt = this.#dueAt.get(order.instanceId) ?? -Infinity;
    for (const [id, since] of this.#waitsFrom) {
      const other = serverOn(this.#world.node('server', id).disk);
      const waits = other?.waiting && other.status === 'launching' && other.order;
      const isBefore = waits && waits.region === order.region && since < cameAt;
      this.#world.journal.check(
        !isBefore,
        () => `server ${order.instanceId} came after ${id}, which waits, and is launched before`,
      );
    }
  }

  /** The Server object has saved that it waits in line. */
  waits(id: string): void {
    this.#waitsFrom.set(id, this.#waitsFrom.get(id) ?? this.#world.loop.now);
  }
}

const seen = new WeakMap<Saved, SavedServer>();

export function checkServer(node: Saved, journal: Journal): void {
  const before = seen.get(node);
  const after = serverOn(node.disk);
  if (after === null) {
    seen.delete(node);
    return;
  }
  seen.set(node, after);
  const broken = brokenInServer(after, before ?? null);
  journal.check(broken.length === 0, () => `${node.label}: ${broken.join('; ')}`);
  const live = after.status !== 'stopped';
  const woken = node.disk.alarm !== null || node.isAlarming;
  journal.check(!live || woken, () => `${node.label} lives without an alarm`);
}

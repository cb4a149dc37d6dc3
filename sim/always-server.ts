// Invariants of launches: the owner and the Server object save the intent before the fleet is
// called, and no match or lobby launches twice.

import type { LaunchSpec } from '../src/fleet/port';
import { brokenInServer } from '../src/objects/server/always';
import type { InstanceId } from '../src/common/ids';
import type { Journal } from './journal';
import type { Saved } from './parts';
import { serverOn, type SavedServer } from './truth';
import type { World } from './world';

export class Launches {
  readonly #world: World;
  readonly #intended = new Set<InstanceId>();
  readonly #byMatch = new Map<string, string>();

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
    const others = fleet.runsOf(serverId).filter((id) => id !== instanceId);
    journal.check(others.length === 0, () => `${instanceId} is launched beside ${others.join()}`);
    const matchId = customData['match_id'];
    if (typeof matchId === 'string') {
      const other = this.#byMatch.get(matchId) ?? serverId;
      journal.check(
        other === serverId,
        () => `match ${matchId} launches two servers, ${other} and ${serverId}`,
      );
      this.#byMatch.set(matchId, other);
    }
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

// A warm server: launched before any match needs it, and taken by one (record 0073). The Server decides whose it is: the
// first match that asks has it for good, and every other one is refused.

import { refusal, type Reply } from '../../lobby/refusals';
import type { LaunchOrder } from '../contracts/server';
import { jsonBytes } from '../../common/json';
import type { ServerCore } from './core';
import { instanceAfter, isWarm } from './state';

const GONE = refusal('LAUNCH_FAILED', 'The warm server has ended, or another match has it');

/**
 * Gives a warm server to the match of the order. Returns the refusal, or null if the launch goes on: the fleet is told
 * of the match by a launch with the id that it knows, and says whether the server still lives.
 */
export function giveTo(core: ServerCore, order: LaunchOrder): Reply<never> | null {
  const { instance } = core;
  const { owner } = order;
  if (instance === null || owner.kind !== 'match') {
    return null;
  }
  const { owner: has } = instance.order;
  if (!isWarm(instance)) {
    return has.kind === 'match' && has.id === owner.id ? null : GONE;
  }
  if (instance.status !== 'running' || !instance.accepted) {
    return GONE;
  }
  const { customData, ...told } = order;
  const now = core.ports.now();
  const patch = {
    order: { ...instance.order, ...told },
    customData,
    customBytes: jsonBytes(customData),
    accepted: false,
    launchedAt: now,
    takenAt: now,
  };
  core.save(instanceAfter(instance, patch, now), []);
  return null;
}

// A match's server in line for room (record 0068). The project keeps the line, and says whose turn it is. The server keeps
// its place and its time: it asks for its turn by its alarm, and gives up by itself. So a turn that nobody uses, or a line
// that nobody remembers, costs time and no match.

import type { Build } from '../../fleet/build';
import { must } from '../../common/result';
import { CAPACITY_SECONDS } from '../../fleet/defaults';
import { ASK_AGAIN_MS, type ServerCore } from './core';
import { instanceAfter, isFirst, type Instance } from './state';

/** How long the server may wait for room. 0: it does not wait. Callers wait for the answer to any other launch. */
export function patienceMs(instance: Instance, { launch }: Build): number {
  const { owner, isStart } = instance.order;
  const waits = owner.kind === 'match' && isStart !== true && isFirst(instance);
  return waits ? (launch.capacitySeconds ?? CAPACITY_SECONDS) * 1000 : 0;
}

/** One turn lasts until every fleet that may launch the server was asked. */
export interface Turn {
  hasCome: boolean;
}

/** Whether the server may be launched now. If not, it waits, or its time is over. */
export async function hasTurn(core: ServerCore, build: Build, turn: Turn): Promise<boolean> {
  const instance = core.awaiting;
  // A fleet that was called, and may have the server, is asked whatever the line.
  turn.hasCome ||=
    instance === null || instance.fleet !== null || patienceMs(instance, build) === 0;
  turn.hasCome ||= await standInLine(core, build, false);
  return turn.hasCome;
}

/** The same. `isFull`: all fleets were asked, and none has room, so the turn is over. */
export async function standInLine(core: ServerCore, build: Build, isFull: boolean) {
  const asking = must(core.awaiting, 'a server that is launched');
  const patience = patienceMs(asking, build);
  const { instanceId: id, project, region } = asking.order;
  const since = asking.waiting?.since ?? null;
  core.askAt = core.ports.now() + ASK_AGAIN_MS;
  const asked = { id, build: build.name, region, patienceMs: patience, since };
  const place = await core.ports.peers.project(project).standInLine(asked, isFull);
  const now = core.ports.now();
  const instance = core.awaiting;
  if (instance === null || instance.run !== asking.run) {
    return false;
  }
  if (place.position === 0) {
    beginTurn(core, instance);
    return true;
  }
  const waiting = { position: place.position, since: place.since, until: place.since + patience };
  if (waiting.until <= now) {
    const said = instance.passed.map(({ by, detail }) => `${by}: ${detail}`).join('; ');
    core.fail(`No room within ${patience / 1000} seconds${said && `: ${said}`}`);
    return false;
  }
  core.askAt = now + place.againMs;
  const known = instance.waiting;
  if (known?.position === waiting.position && known.until === waiting.until) {
    core.life.rearm();
  } else {
    core.save(instanceAfter(instance, { fleet: null, waiting }, now), ['owner']);
  }
  if (place.isTurn && core.awaiting !== null) {
    beginTurn(core, core.awaiting);
  }
  return place.isTurn;
}

/** Fleets that were full are asked again, and have all their time. Saved with the fleet that is chosen. */
function beginTurn(core: ServerCore, instance: Instance): void {
  const passed = instance.passed.filter(({ reason }) => reason === 'refused');
  core.instance = { ...instance, passed, launchedAt: core.ports.now() };
}

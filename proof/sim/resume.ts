// Runs that go on from the rows of an earlier version: its own simulation was cut off in the middle, and today's actors wake
// on what was saved then, with the same players, servers and promises.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Crowd } from './client';
import type { Left } from './left';
import type { Placement } from './parts';
import { scenarioOf, stateOf, type Scenario } from './scenario';
import type { World } from './world';

/** What the simulation of that version leaves behind of these seeds, one after another. */
export async function* leftBy(
  version: string,
  placement: Placement,
  { from, seeds }: { readonly from: number; readonly seeds: number },
): AsyncGenerator<Left> {
  const words = ['scripts/earlier-sim.ts', version, placement, String(from), String(seeds)];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    yield JSON.parse(line) as Left;
  }
  await gone;
  if (child.exitCode !== 0) {
    throw new Error(`the simulation of ${version} failed`);
  }
}

/** The run goes on as it was meant, with what has come since drawn by the seed. */
export function resumedScenario({ seed, scenario }: Left): Scenario {
  const modes = Object.values(scenario.config.matchmaking.modes);
  return { ...scenarioOf(seed), ...scenario, stateOf: stateOf(modes) };
}

/** In the order in which one row is checked against another. */
const ORDER = ['seat', 'match', 'server', 'players', 'ratings', 'queue', 'lobby'];

/** Call before anything runs in the world. */
export function resume({ world, ledger, always }: Crowd, given: Left): void {
  const text = JSON.stringify(given);
  const left = JSON.parse(text.replaceAll(given.project, world.project)) as Left;
  restored(world, left);
  world.watcher = always;
  const rank = ({ kind }: { readonly kind: string }): number => ORDER.indexOf(kind);
  const nodes = [...world.nodes.values()].sort((a, b) => rank(a) - rank(b));
  nodes.forEach((node) => always.committed(node));
  always.goesOn();
  // What is checked when a row first comes was checked when it came, by the version that saved it.
  world.journal.violations.length = 0;
  [...nodes.map(({ label }) => label), 'box'].forEach((label) => {
    world.journal.endedAt.set(label, world.loop.now);
  });
  const { journal } = world;
  always.lobbies.forEach(({ status }) => journal.count(`left: lobby ${status}`));
  always.matches.forEach(({ phase }) => journal.count(`left: match ${phase}`));
  left.mayLeave.forEach(([player, lobby]) => ledger.removalAsked(player, lobby)());
  left.mayEnd.forEach((lobby) => ledger.endAsked(lobby));
  left.members.forEach(([member, keys]) => ledger.members.set(member, { keys: new Set(keys) }));
  left.settings.forEach(([lobby, keys]) => ledger.settings.set(lobby, new Set(keys)));
}

function restored(world: World, left: Left): void {
  for (const { kind, name, rows, alarm } of left.nodes) {
    world.node(kind, ...name).restore(rows, alarm);
  }
  left.servers.forEach((spec) => world.fleet.resume(spec));
  // A loop in which nothing is to happen ends before any player has begun.
  world.loop.after(1, () => undefined);
  left.heard.forEach(([id, types]) => world.receiver.heard.set(id, [...types]));
}

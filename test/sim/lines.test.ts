// Lines of simulated objects outlive the memory of an object that sleeps, and nothing else of it.

import { expect, it } from 'vitest';
import { Loop } from '../../proof/sim/loop';
import { Random } from '../../proof/sim/random';
import { SimLine, socketLines, type SimSocket, type SimSockets } from '../../proof/sim/stream';
import type { Lines } from '../../src/objects/kit/ports';

const loop = new Loop(new Random(1, 4));
const connect = (player: string | null, changes: boolean): SimSocket => ({
  player,
  changes,
  far: new SimLine(loop, () => {}),
});

/** `of`: the life, which ends when `gone` is set. */
function lifeOn(sockets: SimSockets): { readonly of: { gone: boolean }; readonly lines: Lines } {
  const of = { gone: false, gate: (send: () => void) => send() };
  return { of, lines: socketLines(sockets, of, connect) };
}

it('nobody listens on a line that a dead incarnation opened, and it ends none', () => {
  const sockets: SimSockets = { open: new Set(), ending: new Set() };
  const before = lifeOn(sockets);
  const { line } = before.lines.open('ann', true);
  before.of.gone = true;
  const next = lifeOn(sockets);
  // Seed 22632: this stream waited for the config when its object crashed.
  before.lines.open('ann', false);
  before.lines.watch();
  line.end('replaced');
  expect(next.lines.all().map(({ player, changes }) => [player, changes])).toEqual([['ann', true]]);
  expect(next.lines.watchers()).toEqual([]);
});

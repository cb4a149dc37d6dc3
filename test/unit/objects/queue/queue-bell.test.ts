// The bell of a queue: when it rings, and that a queue without one keeps no time for it.

import { describe, expect, it } from 'vitest';
import type { Bell } from '../../../../src/objects/contracts/bell';
import { QUIET_MS } from '../../../../src/objects/contracts/bell';
import { QueueActor } from '../../../../src/objects/queue/actor';
import { playgroundOf } from '../../../../src/lobby/playground';
import { fakePorts, type FakePorts } from '../../../fleet/ports.ts';
import { mode, ticket } from '../../../match/support/make';

class Waiting {
  readonly rung: Bell[] = [];
  readonly fake: FakePorts;
  queue: QueueActor;
  readonly #name: readonly string[];

  constructor(config = 'arena', saved?: Map<string, unknown>) {
    this.#name = ['studio', config, 'duel'];
    this.fake = fakePorts({
      name: 'studio',
      document: { revision: 0, configs: {}, builds: {} },
      ...(saved && { saved }),
      peers: {
        project: () => ({ ring: async (bell: Bell) => void this.rung.push(bell) }) as never,
        // A lobby that is asked for its hold never answers: its party stays in the proposal.
        lobby: () => ({ returned: async () => {}, hold: () => new Promise(() => {}) }) as never,
      },
    });
    this.queue = this.#wake();
  }

  #wake(): QueueActor {
    return new QueueActor({ ...this.fake.ports, name: this.#name });
  }

  enter(id: string, bellSeconds?: number, teams = 4): Promise<unknown> {
    const rules = mode({ teams, timeout: 3_600, ...(bellSeconds && { bellSeconds }) });
    const entered = ticket(id, { at: this.fake.now() });
    return this.queue.enter({ ticket: entered, revision: 1, mode: rules, modeRevision: 1 });
  }

  /** Lets time pass, and fires the alarm whenever it is due. Returns how often it fired. */
  async pass(ms: number): Promise<number> {
    const end = this.fake.now() + ms;
    for (let fired = 0; ; fired += 1) {
      const at = this.fake.alarmAt() ?? Infinity;
      if (at > end) {
        await this.fake.pass(end - this.fake.now());
        return fired;
      }
      await this.fake.pass(Math.max(0, at - this.fake.now()));
      this.fake.ports.store.setAlarm(null);
      await this.queue.alarm();
    }
  }
}

const facts = { config: 'arena', mode: 'duel' };

describe('the bell of a queue', () => {
  it('rings once somebody has waited so long, and again in five minutes', async () => {
    const at = new Waiting();
    await at.enter('ann', 40);
    await at.pass(39_000);
    expect(at.rung).toEqual([]);
    await at.enter('ben', 40);
    await at.pass(2_000);
    expect(at.rung).toEqual([
      {
        type: 'queue.waiting',
        says: ['', '2 players wait for duel, 40 s.'],
        facts: { ...facts, players: 2, waitedSeconds: 40 },
      },
    ]);
    await at.pass(QUIET_MS - 10_000);
    expect(at.rung).toHaveLength(1);
    await at.pass(10_000);
    expect(at.rung).toHaveLength(2);
  });

  it('says the wait of the first party that is in no proposal', async () => {
    const at = new Waiting();
    await at.enter('ann', 2, 2);
    await at.pass(1_000);
    await at.enter('ben', 2, 2);
    await at.pass(500);
    await at.enter('cem', 2, 2);
    await at.pass(2_000);
    expect(at.rung).toMatchObject([{ facts: { players: 3, waitedSeconds: 2 } }]);
  });

  it('does not ring for who has left', async () => {
    const at = new Waiting();
    await at.enter('ann', 40);
    await at.queue.leave(ticket('ann', {}).id);
    await at.pass(QUIET_MS);
    expect(at.rung).toEqual([]);
  });

  it('rings for whoever still waits after a crash', async () => {
    const before = new Waiting();
    await before.enter('ann', 40);
    await before.pass(10_000);
    const at = new Waiting('arena', before.fake.saved);
    at.fake.stall(before.fake.now() - at.fake.now());
    await at.queue.alarm();
    await at.pass(31_000);
    expect(at.rung).toMatchObject([{ facts: { players: 1, waitedSeconds: 40 } }]);
  });

  it.each([
    ['without bellSeconds', 'arena', undefined],
    ['of phantom players', playgroundOf('arena'), 1],
  ])('is silent in a queue %s, which wakes no more often', async (_, config, bellSeconds) => {
    const plain = new Waiting();
    await plain.enter('ann');
    const usual = await plain.pass(QUIET_MS);
    const at = new Waiting(config, undefined);
    await at.enter('ann', bellSeconds);
    expect(await at.pass(QUIET_MS)).toBe(usual);
    expect(at.rung).toEqual([]);
  });
});

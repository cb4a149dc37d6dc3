// New matches are held back while their launches fail: nobody is asked to hold, and players read why they wait.

import { expect, it } from 'vitest';
import { defaultBuild } from '../../../../src/fleet/build';
import type { MatchId } from '../../../../src/common/ids';
import type { Ticket } from '../../../../src/match/ticket/ticket';
import type { ProjectDocument } from '../../../../src/objects/contracts/project';
import type { ProposalRow } from '../../../../src/objects/queue/rows';
import { ticket } from '../../../match/support/make';
import { DUEL, entry, NOW, rowsOf, wake, type Woken } from '../../../support/waking-queue';

const DOCUMENT: ProjectDocument = {
  revision: 1,
  configs: {},
  builds: { default: defaultBuild() },
};

/** A queue that has heard of a failure. `pauses`: what the project says each time, then the last again. */
async function braked(pauses: (number | null)[], before?: Map<string, unknown>) {
  const asked: string[] = [];
  const document = async () => DOCUMENT;
  const woken = wake(before ?? rowsOf(DUEL, []), 4, {
    document,
    project: document,
    launchPause: async (build, region, isTry) => {
      asked.push(`${build} ${region} ${isTry}`);
      return (pauses.length > 1 ? pauses.shift() : pauses[0]) ?? null;
    },
  });
  await woken.settle();
  await woken.queue.matchFailed('m' as MatchId, 'launch_failed', null);
  return { ...woken, asked };
}

async function enter(woken: Woken, ...names: readonly string[]): Promise<Ticket[]> {
  const tickets = names.map((id) => ticket(id, { at: NOW }));
  for (const each of tickets) {
    await woken.queue.enter(entry(each, DUEL));
  }
  await woken.settle();
  return tickets;
}

const heldIn = ({ saved }: Woken): readonly ProposalRow[] =>
  (
    [...saved].flatMap(([key, row]) => (key.startsWith('proposal:') ? [row] : [])) as ProposalRow[]
  ).filter(({ held }) => held === true);

it('lets a match go at once if launches do not pause, and asks for none after that', async () => {
  const queue = await braked([null]);
  await enter(queue, 'a', 'b');
  expect(queue.opened).toHaveLength(1);
  expect(queue.asked).toHaveLength(1);
  await enter(queue, 'c', 'd');
  expect(queue.opened).toHaveLength(2);
  expect(queue.asked).toHaveLength(1);
});

it('holds matches back, tries the eldest when it may, and lets the others go once launches succeed', async () => {
  const queue = await braked([8_000, 6_000, 0, 8_000, null]);
  const [a] = await enter(queue, 'a', 'b', 'c', 'd', 'e', 'f');
  expect(heldIn(queue)).toHaveLength(3);
  expect(queue.opened).toEqual([]);
  expect(queue.asked.length).toBe(1);
  const shown = await queue.queue.shown(a ? [a.lobbyId] : []);
  expect(shown.waits).toMatchObject([
    { because: 'games could not be started; the next try is in 8 s', opensInSeconds: 8 },
  ]);
  await queue.pass(2_000);
  expect(queue.asked.length).toBe(2);
  await queue.pass(2_000);
  expect(queue.opened.map(({ parties }) => parties.map(({ ticketId }) => ticketId))).toEqual([
    ['a', 'b'],
  ]);
  expect(queue.asked.length).toBe(4);
  await queue.pass(2_000);
  expect(queue.opened).toHaveLength(3);
  expect(heldIn(queue)).toEqual([]);
});

it('goes on holding after a restart, and asks again', async () => {
  const first = await braked([8_000]);
  await enter(first, 'a', 'b');
  const again = await braked([4_000, null], new Map(first.saved));
  expect(again.opened).toEqual([]);
  await again.pass(2_000);
  expect(again.opened).toHaveLength(1);
});

it('forms anew what was held when the mode is saved', async () => {
  const queue = await braked([8_000, null]);
  await enter(queue, 'a', 'b');
  const changed = { ...DUEL, timeout: 500 };
  await queue.queue.modeChanged(changed, 2);
  await queue.settle();
  expect(queue.opened).toMatchObject([{ rules: changed }]);
});

it('spends no try on a match that somebody has left, and holds nothing for other failures', async () => {
  const queue = await braked([8_000]);
  const [a] = await enter(queue, 'a', 'b');
  await queue.queue.leave(a?.id ?? ('' as Ticket['id']));
  await queue.pass(2_000);
  expect([heldIn(queue), queue.opened, queue.asked.length]).toEqual([[], [], 1]);
  const other = wake(rowsOf(DUEL, []));
  await other.settle();
  await other.queue.matchFailed('m' as MatchId, 'declined', null);
  await enter(other, 'a', 'b');
  expect(other.opened).toHaveLength(1);
});

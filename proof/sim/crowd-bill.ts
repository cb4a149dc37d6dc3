// What the edge bills for an hour of a lobby of a hundred: ten seconds of it, counted on the real objects, times 360.

import type { LobbyId, PlayerId } from '../../src/common/ids';
import type { Command } from '../../src/lobby/command';
import { Bill } from './costs';
import { DUEL } from './drill-steps';
import { GB, HOUR, PRICES, REQUEST_CPU_MS } from './edge-bill';
import { plainLobby } from './scenario';

const PLAYERS = 100;
/** Changes a second of all players together. */
const RATE = 40;
const SECONDS = 10;
/** Processor time of a relay for a message to its client: measured on a box (record 0094). */
const MESSAGE_CPU_MS = { changes: 0.1, whole: 0.6 } as const;

async function hour(kind: keyof typeof MESSAGE_CPU_MS): Promise<string> {
  const bill = new Bill();
  await bill.open({ mode: DUEL });
  const { project } = bill.world;
  const id = bill.world.uuid() as LobbyId;
  const players = Array.from({ length: PLAYERS }, (_, at) => `p${at}` as PlayerId);
  const [host] = players as [PlayerId];
  await bill.play(async () => {
    const lobby = { ...plainLobby({ project, id, player: host }), maxPlayers: PLAYERS };
    await bill.peers(host).lobby(id).create(lobby);
    for (const player of players) {
      if (player !== host) {
        await bill.join(id, player);
      }
      const state = { name: player, ready: false, mmr: 1_200, skin: 'x'.repeat(90) };
      await bill.command(id, { type: 'patch_state', player, state });
    }
  });
  let [messages, bytes] = [0, 0];
  const cost = await bill.count(async () => {
    for (const player of players) {
      const changes = kind === 'changes';
      const reply = await bill.peers(player).lobby(id).events(player, null, { changes });
      if (reply.ok) {
        const hear = (heard: unknown): void => {
          messages += 1;
          bytes += (heard as { readonly data?: string }).data?.length ?? 0;
        };
        reply.value.listen(hear, () => {});
      }
    }
    [messages, bytes] = [0, 0];
    const under: Promise<void>[] = [];
    for (let n = 0; n < RATE * SECONDS; n += 1) {
      const player = players[n % PLAYERS] as PlayerId;
      const change: Command = { type: 'patch_state', player, state: { n } };
      under.push(bill.command(id, change));
      await bill.world.loop.sleep(1_000 / RATE);
    }
    await Promise.all(under);
  });
  const times = HOUR / SECONDS;
  const requests = RATE * SECONDS * times;
  const usage = {
    workerRequests: requests,
    workerCpuMs: requests * REQUEST_CPU_MS + messages * times * MESSAGE_CPU_MS[kind],
    objectRequests: (cost.asked + cost.calls) * times,
    rowsWritten: cost.rows * times,
    gbSeconds: HOUR * GB,
  };
  const usd = Object.entries(usage).reduce(
    (sum, [unit, count]) => sum + (count * PRICES[unit as keyof typeof PRICES].each) / 1e6,
    0,
  );
  const thousands = (count: number): string => String(Math.round(count / 1_000));
  const cells = [
    kind === 'changes' ? 'changes' : 'whole lobbies',
    thousands(usage.objectRequests),
    thousands(usage.rowsWritten),
    thousands(messages * times),
    ((bytes * times) / 1e9).toFixed(1),
    thousands(usage.workerCpuMs),
    usd.toFixed(2),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The table of "A lobby of a hundred" in docs/costs.md. */
export async function crowdBill(): Promise<string> {
  return [
    '| Told | Object requests, thousands | Rows, thousands | Events, thousands | GB to players | Worker ms, thousands | USD an hour |',
    '|---|--:|--:|--:|--:|--:|--:|',
    await hour('changes'),
    await hour('whole'),
  ].join('\n');
}

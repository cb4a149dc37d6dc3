// Uses a key at full speed, in a process of its own: `node proof/bench/limits/flood.ts URL KEY SECONDS ADDRESS`. Sixty-four
// connections create, leave, read, browse and guess without a pause, whatever the answers say. Prints the number of
// answers by status.

import { call, type From } from './caller.ts';

const [url = '', key = '', seconds = '1', address = ''] = process.argv.slice(2);
const from: From = { url, key, address: address === '' ? null : address };
const until = Date.now() + Number(seconds) * 1_000;
const statuses: Record<number, number> = {};

async function worker(index: number): Promise<void> {
  for (let turn = 0; Date.now() < until; turn += 1) {
    const player = `greedy-${index}-${turn}`;
    const asked = [
      () => call(from, 'POST /lobbies/arena', player, { name: 'Den' }),
      () => call(from, 'GET /lobbies/arena/me', player),
      () => call(from, 'POST /lobbies/arena/join', player, { code: `X-${turn}` }),
      () => call(from, 'GET /lobbies/arena', player),
    ];
    for (const ask of asked) {
      const { status } = await ask().catch(() => ({ status: 0 }));
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  }
}

await Promise.all(Array.from({ length: 64 }, (_, index) => worker(index)));
process.stdout.write(JSON.stringify(statuses));
process.exit(0);

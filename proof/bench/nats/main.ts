// Which players connect directly, and which through a relay: `npm run bench:nats -- --pairs 200`. Each player is in a
// Chromium behind a router of one kind, in network namespaces, with a Muster and a coturn on the internet between them.
// Needs root, iproute2, iptables, coturn and chromium. Where namespaces cannot be made, it says so and ends.

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLine, number, word } from '../../../scripts/flags.ts';
import { KINDS, Networks, type Home } from './networks.ts';

const { flags } = commandLine({
  command: 'npm run bench:nats --',
  about: 'Pairs of players behind routers of all kinds, in network namespaces.',
  flags: {
    pairs: number(200, 'how many pairs'),
    only: word('', 'only combinations with this in their name, such as "full cone and,no UDP"'),
    transport: word('all', 'relay: never directly'),
    ttl: number(
      0,
      'seconds after which credentials end, as players are told; they then play for twice as long',
    ),
  },
});

const folder = await mkdtemp(join(tmpdir(), 'muster-nats-'));
const networks = new Networks(folder);
try {
  const [program = '', ...within] = await networks.begin().catch(() => []);
  if (program === '') {
    console.log('Left out: no network namespaces can be made here. They need root and iproute2.');
  } else {
    const homes: Home[] = [];
    for (const kind of [...KINDS, ...KINDS]) {
      homes.push(await networks.home(kind));
    }
    const told = JSON.stringify({ folder, homes, ...flags });
    const args = [...within, process.execPath, join(import.meta.dirname, 'play.ts'), told];
    const playing = spawn(program, args, { stdio: 'inherit' });
    // What it started and the namespaces go, however this ends.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => playing.kill());
    }
    process.exitCode = await new Promise((resolve) =>
      playing.on('exit', (code) => resolve(code ?? 1)),
    );
  }
} finally {
  await networks.end();
  await rm(folder, { recursive: true, force: true });
}

// `npm run agent`: the agent of the local fleet, on a machine of its own. `npm run agent -- drain` drains the one that
// runs.

import { join, resolve } from 'node:path';

import { pidOf } from '../agent/folder-claim.ts';
import { commandLine } from './flags.ts';

const { words } = commandLine({
  command: 'npm run agent --',
  about:
    'Starts game servers on this machine for a Muster elsewhere. Settings are variables: docs/local-fleet.md.',
  flags: {},
  words: {
    name: '[drain]',
    says: 'the agent that runs takes no launches any more, and ends when its last game has',
    least: 0,
    most: 1,
  },
});
const [word] = words;
if (word === undefined) {
  await import('../agent/agent.ts');
} else if (word === 'drain') {
  await drain();
} else {
  fail(`"${word}" is no word of this command (npm run agent -- --help lists them)`, 2);
}

async function drain(): Promise<void> {
  if (process.platform !== 'linux') {
    return fail(
      'only Linux tells which process is the agent of a folder: send it SIGUSR2 (docs/operations.md: Upgrades)',
      1,
    );
  }
  const { MUSTER_DATA = '.muster', AGENT_DATA = join(MUSTER_DATA, 'fleet') } = process.env;
  const dataDir = resolve(AGENT_DATA);
  const pid = await pidOf(dataDir, 'agent');
  if (pid === null) {
    return fail(`no agent of this machine uses ${dataDir}: set AGENT_DATA to its folder`, 1);
  }
  process.kill(pid, 'SIGUSR2');
  console.log(`agent: (pid ${pid}) drains; its log says how many games are left`);
}

function fail(why: string, code: number): never {
  console.error(`agent: ${why}`);
  process.exit(code);
}

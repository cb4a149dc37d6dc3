// Every process of a server is found at each look, also while it becomes another program.

import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { processesOf } from '../../agent/own.ts';
import { eventually } from '../support/eventually.ts';

const LOOKS = 30;

it('a process that becomes another program again and again is found each time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-own-'));
  const script = join(folder, 'again');
  await writeFile(script, 'exec /bin/sh "$0"');
  const variable = `MUSTER_CONFIG=${folder}/muster.json`;
  const env = { MUSTER_CONFIG: `${folder}/muster.json` };
  const child = spawn('/bin/sh', [script], { env });
  const found = (): Promise<readonly number[]> => processesOf({ group: -1, variable });
  try {
    await eventually('it has begun', async () => (await found()).length === 1);
    for (let look = 0; look < LOOKS; look += 1) {
      expect(await found()).toEqual([child.pid]);
    }
  } finally {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
});

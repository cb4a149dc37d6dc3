// Real dedicated servers, the small ones of examples/servers: `npm run servers` plays the others. Each is started by two lobbies at
// once, asked in its game's own protocol, ended by its players and killed, and nothing of it is left (scripts/servers/play.ts).

import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playServer, serverFiles, type ServerFile } from '../../scripts/servers/play.ts';
import { QUERIES } from '../../scripts/servers/queries.ts';
import { startAll, type Running } from '../../scripts/start.ts';
import { parseBuild } from '../../src/fleet/build';
import { must } from '../../src/common/result';
import { needs } from '../support/tools.ts';

const SMALL = {
  teeworlds: 'teeworlds-server',
  armagetron: 'armagetronad-dedicated',
  bzflag: 'bzfs',
  monopd: 'monopd',
  pioneers: 'pioneers-server-console',
} as const;

let dataDir: string;
let running: Running;
let files: ReadonlyMap<string, ServerFile>;

beforeAll(async () => {
  files = await serverFiles();
  dataDir = await mkdtemp(join(tmpdir(), 'muster-servers-'));
  await chmod(dataDir, 0o755);
  running = await startAll({ port: 0, dataDir: join(dataDir, 'data') });
});
afterAll(async () => {
  await running.stop();
  await rm(dataDir, { recursive: true, force: true });
});

it('builds of real servers are saved as they are, and each has a question', () => {
  expect(files.size).toBeGreaterThan(12);
  expect(Object.keys(QUERIES).toSorted()).toEqual([...files.keys()]);
  for (const [name, file] of files) {
    expect(parseBuild(name, file)).toMatchObject({ ok: true, value: file });
  }
});

describe.each(Object.entries(SMALL))('%s', (name, tool) => {
  it.runIf(needs(tool))('plays, two at once or one of a machine, and leaves nothing', async () => {
    const seen = await playServer(running, name, must(files.get(name), name));
    expect(seen).toMatch(/^running after [\d.]+ s, answered after [\d.]+ s \(.+\)/);
  });
});
